"""What the page must not do: help at a club table, send what was only thought of, take a tap for another question, or grow."""

from playwright.sync_api import WebSocketRoute, expect

from oddtrick_rules.commands import Play
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import Enforcement
from web.conftest import People
from web.dealt import open_table
from web.people import PATIENCE_MS, Person, Server, begin, who_waits
from web.umpire import Umpire, name

CALM = {"turn_ms": 0, "linger_ms": 1_000, "linger_min_ms": 0, "claims_ms": 0, "question_ms": 0}
PLAYS = 52


def at_a_table(people: People, server: Server, **wish: object) -> Person:
    table = open_table(server.url, "manners", bots=3, clocks=CALM, **wish)
    person = people.person("Anna").sits(table, "N")
    person.does("start")
    person.waits_for("turn")
    return person


def acts_sent(person: Person) -> list[object]:
    return [message["act"] for message in person.sent if message["t"] == "act"]


def test_to_think_of_a_card_sends_nothing(people: People, server: Server) -> None:
    """B29: a click to think showed the card to others; here pointing, going by keys and picking up out of turn reach nobody."""
    table = open_table(server.url, "thinking", bots=2, clocks=CALM)
    anna = people.person("Anna").sits(table, "N")
    ben = people.person("Ben").sits(table, "E")
    begin(anna, ben)
    waiting = who_waits(anna, ben)
    card = waiting.page.locator(".hand.mine button.card").nth(3)
    card.hover()
    card.click()
    expect(card).to_have_class("card suit-" + (card.get_attribute("data-card") or "S")[0] + " raised  ")
    waiting.page.keyboard.press("ArrowRight")
    waiting.page.keyboard.press("End")
    assert acts_sent(waiting) == []
    card.click()
    expect(waiting.page.locator(".raised")).to_have_count(0)


def test_two_taps_in_haste_show_no_card(people: People, server: Server) -> None:
    """To show a card out of turn takes a second button in another place, and another card asks anew (B82)."""
    table = open_table(server.url, "thinking", bots=2, clocks=CALM, enforcement="club")
    anna = people.person("Anna").sits(table, "N")
    ben = people.person("Ben").sits(table, "E")
    begin(anna, ben)
    waiting = who_waits(anna, ben)
    cards = waiting.page.locator(".hand.mine button.card")
    sure = waiting.page.locator(".selected [data-do='show-sure']")
    cards.nth(3).click()
    waiting.page.locator(".selected [data-do='show']").dblclick()
    expect(sure).to_have_count(1)
    assert acts_sent(waiting) == []
    cards.nth(4).click()
    expect(sure).to_have_count(0)
    card = cards.nth(4).get_attribute("data-card")
    waiting.page.locator(".selected [data-do='show']").click()
    sure.click()
    waiting.page.wait_for_timeout(100)
    assert acts_sent(waiting) == [{"do": "show", "cards": [card]}]


def test_a_club_table_is_told_nothing(people: People, server: Server) -> None:
    """In club mode no card is marked, not even when some would break a law, and a revoke is told to nobody, its player included."""
    umpire = Umpire("english-1864", Enforcement.CLUB, "manners")
    table = open_table(server.url, "manners", clocks={**CALM, "linger_ms": 15_000}, enforcement="club")
    seats = {seat: people.person(seat.name).sits(table, seat.name) for seat in Seat}
    seats[Seat.N].does("start")
    for _ in range(4):
        seat = umpire.turn()
        wrong = umpire.revoking(seat)
        card = umpire.lawful(seat) if wrong is None else wrong
        seats[seat].waits_for("turn")
        for person in seats.values():
            assert person.page.locator(".card.off, .private, [aria-disabled] .card").count() == 0
        seats[seat].plays(name(card))
        umpire.does(seat, Play(card))
    assert umpire.hand.revokes
    for person in seats.values():
        person.sees(".trick.done .winner")
        assert person.page.locator(".private").count() == 0
        assert "revoke" not in person.page.locator(".latest").inner_text().lower()


def test_a_tap_for_one_question_does_not_answer_the_next(people: People, server: Server) -> None:
    """B47: a tap for one prompt answered the next in its place; here a tap begun on another prompt, or in haste, does nothing."""
    table = open_table(server.url, "manners", bots=3, clocks=CALM)
    anna = people.person("Anna")
    line: list[WebSocketRoute] = []

    def between(socket: WebSocketRoute) -> None:
        far = socket.connect_to_server()
        far.on_message(socket.send)
        line.append(socket)

    anna.page.route_web_socket("**/ws", between)
    anna.sits(table, "N")
    anna.does("start")
    anna.waits_for("turn")

    def asks(prompt: str) -> None:
        line[-1].send(
            f'{{"t":"prompt","table":"{table}","prompt":"{prompt}","kind":"offer","acts":[{{"do":"agree"}},{{"do":"decline"}}]}}'
        )

    asks("q1")
    anna.page.wait_for_selector(".prompt.armed")
    box = anna.page.locator(".prompt [data-do='agree']").bounding_box()
    assert box is not None
    anna.page.mouse.move(box["x"] + 10, box["y"] + 10)
    anna.page.mouse.down()
    asks("q2")
    anna.page.wait_for_selector(".prompt.armed")
    anna.page.mouse.up()
    asks("q3")
    anna.page.wait_for_selector(".prompt.arming")
    anna.page.locator(".prompt [data-do='agree']").click()
    assert acts_sent(anna) == []
    anna.page.wait_for_selector(".prompt.armed")
    anna.page.locator(".prompt [data-do='agree']").click()
    anna.page.wait_for_timeout(200)
    assert acts_sent(anna) == [{"do": "agree"}]
    assert anna.sent[-1].get("prompt") == "q3" or any(one.get("prompt") == "q3" for one in anna.sent)


def test_only_exposed_cards_are_ever_drawn(people: People, server: Server) -> None:
    """B28: an animation flashed a hidden card; here at every frame of a refused play the felt shows only what lies there by law."""
    anna = at_a_table(people, server, enforcement="strict")
    off = anna.page.locator(".hand.mine .card.off")
    for _ in range(13):
        anna.waits_for("turn")
        if off.count():
            break
        anna.plays(anna.hand()[0])
    card = off.first.get_attribute("data-card")
    anna.page.evaluate(
        """() => { window.drawn = []; const look = () => {
            for (const one of document.querySelectorAll(".felt ot-card")) window.drawn.push(one.getAttribute("face"));
            requestAnimationFrame(look); }; look(); }"""
    )
    off.first.click(force=True)
    anna.sees(".why-not")
    assert card not in anna.page.evaluate("window.drawn")


def test_a_long_sitting_leaks_nothing(people: People, server: Server) -> None:
    """After fifty-two plays more, the page holds no more nodes and listeners than before them."""
    anna = at_a_table(people, server)
    session = anna.context.new_cdp_session(anna.page)

    def held() -> tuple[int, int]:
        session.send("HeapProfiler.collectGarbage")
        counts = session.send("Memory.getDOMCounters")
        return counts["nodes"], counts["jsEventListeners"]

    def plays(count: int) -> None:
        for _ in range(count):
            anna.goes_on()

    def to_a_new_hand() -> None:
        for _ in range(200):
            if anna.waits_to_be_asked() == "turn" and len(anna.hand()) == 13:
                return
            anna.goes_on()

    plays(5)
    to_a_new_hand()
    nodes, listeners = held()
    plays(PLAYS // 4)
    to_a_new_hand()
    nodes_after, listeners_after = held()
    assert nodes_after < nodes * 1.25 + 200, (nodes, nodes_after)
    assert listeners_after < listeners * 1.25 + 50, (listeners, listeners_after)
    expect(anna.page.locator(".hand.mine")).to_be_visible(timeout=PATIENCE_MS)
