"""The line between page and server: lost, silent, taken over, killed; the seat and the cards are always there again."""

from pathlib import Path

import pytest
from playwright.sync_api import WebSocketRoute, expect

from web.conftest import SETTINGS, People
from web.dealt import open_table
from web.people import PATIENCE_MS, Person, Server

CALM = {"turn_ms": 0, "linger_ms": 1_000, "linger_min_ms": 0, "absence_ms": 0, "claims_ms": 0}
BANNER = ".banner"


def seated(people: People, server: Server, name: str = "Anna") -> tuple[Person, str]:
    """Somebody with three bots, whose turn it is."""
    table = open_table(server.url, None, bots=3, clocks=CALM)
    person = people.person(name).sits(table, "N")
    person.does("start")
    person.waits_for("turn")
    return person, table


def plays_something(person: Person) -> None:
    """The controls are live: a card can be played."""
    person.waits_for("turn")
    person.plays(lawful(person))


def lawful(person: Person) -> str:
    """A card that follows suit, as the page shows the trick."""
    led, hand = person.led(), person.hand()
    return next((card for card in hand if card[0] == led), hand[0])


def test_offline_and_back(people: People, server: Server) -> None:
    """A lost network is said at once, and its return brings back the same cards and live controls, with nothing to click."""
    person, _ = seated(people, server)
    hand = person.hand()
    person.context.set_offline(True)
    person.sees(BANNER)
    assert person.hand() == hand
    person.context.set_offline(False)
    expect(person.page.locator(BANNER)).to_have_count(0, timeout=PATIENCE_MS)
    assert person.hand() == hand
    plays_something(person)


def test_a_reload_keeps_the_seat(people: People, server: Server) -> None:
    """B01: a reload threw the player out for good; here the page is at the same seat, with its cards, log and a turn to play."""
    person, _ = seated(people, server)
    plays_something(person)
    person.waits_for("turn")
    hand = person.hand()
    person.page.reload()
    person.sees(".table-page.seated")
    person.waits_for("turn")
    assert person.hand() == hand
    person.reads(".latest", "rubber begins")
    plays_something(person)


def test_a_second_tab_says_who_won(people: People, server: Server) -> None:
    """The newest tab has the seat; the older one says so and can take it back (B06)."""
    person, table = seated(people, server)
    hand = person.hand()
    other = Person("Anna", person.context, server)
    other.opens(f"/#/t/{table}")
    other.sees(".hand.mine button.card")
    assert other.hand() == hand
    person.reads(BANNER, "another tab")
    plays_something(other)
    person.does("take-over", within=BANNER)
    other.reads(BANNER, "another tab")
    expect(person.page.locator(BANNER)).to_have_count(0, timeout=PATIENCE_MS)
    plays_something(person)


def test_a_page_put_to_sleep_wakes_at_the_table(people: People, server: Server) -> None:
    """A page the browser has frozen catches up with what was played meanwhile."""
    person, _ = seated(people, server)
    session = person.context.new_cdp_session(person.page)
    person.plays(lawful(person))
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    session.send("Page.setWebLifecycleState", {"state": "active"})
    plays_something(person)


def test_a_server_killed_in_a_trick(people: People, tmp_path: Path) -> None:
    """The server dies in the middle of a trick and another takes its place: same seat, same cards, the trick still there."""
    server = Server.started(tmp_path, SETTINGS)
    try:
        table = open_table(server.url, "killed in a trick", bots=2, clocks=CALM)
        person = people.person("Anna")
        person.server = server
        person.sits(table, "N")
        friend = people.person("Ben")
        friend.server = server
        friend.sits(table, "E")
        person.does("start")
        person.sees(".hand.mine button.card")
        for _ in range(4):
            if person.page.locator(".status[data-status='turn']").count():
                break
            if friend.page.locator(".status[data-status='turn']").count():
                friend.plays(lawful(friend))
            person.page.wait_for_timeout(700)
        plays_something(person)
        hand = person.hand()
        server.kill()
        person.sees(BANNER)
        server = Server.started(tmp_path, SETTINGS, port=server.port)
        expect(person.page.locator(BANNER)).to_have_count(0, timeout=PATIENCE_MS)
        assert person.hand() == hand
        for _ in range(4):
            friends = friend.page.locator(".status[data-status='turn']").count()
            if friends:
                friend.plays(lawful(friend))
            if person.page.locator(".status[data-status='turn']").count():
                break
            person.page.wait_for_timeout(700)
        plays_something(person)
        assert len(person.hand()) == len(hand) - 1
    finally:
        server.stop()


@pytest.mark.parametrize("silent_ms", [3_000])
def test_silence_is_said_within_three_seconds(people: People, server: Server, silent_ms: int) -> None:
    """B98: a lost connection went unnoticed; here the page says within three seconds that nothing comes, though the line stands."""
    table = open_table(server.url, None, bots=3, clocks=CALM)
    person = people.person("Anna")
    silence = {"on": False}

    def between(socket: WebSocketRoute) -> None:
        far = socket.connect_to_server()
        socket.on_message(lambda message: None if silence["on"] else far.send(message))
        far.on_message(lambda message: None if silence["on"] else socket.send(message))

    person.page.route_web_socket("**/ws", between)
    person.sits(table, "N")
    person.does("start")
    person.waits_for("turn")
    person.page.clock.install()
    silence["on"] = True
    person.page.clock.run_for(silent_ms)
    person.sees(BANNER)
    silence["on"] = False
    person.page.clock.run_for(10_000)
    expect(person.page.locator(BANNER)).to_have_count(0, timeout=PATIENCE_MS)


def test_a_new_build_asks_between_deals_only(people: People, server: Server) -> None:
    """B65: pages from before an update fell out of step; here a new version is offered on a new line, and not during a hand."""
    person, _ = seated(people, server)
    person.page.route("**/build", lambda route: route.fulfill(json={"build": "another"}))
    with person.page.expect_response("**/build"):
        person.context.set_offline(True)
        person.sees(BANNER)
        person.context.set_offline(False)
    person.waits_for("turn")
    expect(person.page.locator("[data-do='reload']")).to_have_count(0)
    person.page.evaluate("() => { location.hash = '#/'; }")
    person.sees("[data-do='reload']")
