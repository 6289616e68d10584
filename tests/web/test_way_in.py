"""The way in: play now, a table of one's own, a link, the list, watching; and a first table that explains."""

import pytest
from playwright.sync_api import expect

from web.conftest import People
from web.dealt import open_table
from web.people import PATIENCE_MS, Server
from web.test_line import lawful


def test_play_now(people: People, server: Server) -> None:
    """A name and one click: seated with house bots, cards in hand, and the name is remembered."""
    anna = people.person("Anna").opens()
    anna.takes_the_name()
    anna.does("play-now")
    anna.sees(".hand.mine button.card")
    assert len(anna.hand()) >= 12
    assert anna.page.locator(".plate .tag", has_text="bot").count() == 3
    anna.opens()
    assert anna.page.input_value("#name") == "Anna"
    assert not anna.wrongs


def test_a_name_is_needed(people: People) -> None:
    """Without a name nothing is joined, the page says what is missing and puts the cursor there."""
    nobody = people.person("")
    nobody.opens().does("play-now")
    nobody.reads(".notice", "name")
    assert nobody.page.evaluate("document.activeElement.id") == "name"


def test_a_table_of_ones_own_is_joined_by_its_link(people: People) -> None:
    """A private table with code, enforcement, clocks and a bot; a friend comes by the copied link, a stranger without it does not."""
    anna = people.person("Anna").opens("/#/new")
    anna.sees("form")
    anna.takes_the_name()
    anna.page.select_option("[name=code]", "bridge-1904")
    anna.page.check("[name=enforcement][value=club]")
    anna.page.select_option("[name=bots]", "1")
    anna.page.select_option("[name=turn]", "90")
    anna.page.check("[name=private]")
    anna.does("create")
    anna.sees(".table-page.seated")
    anna.reads(".table-title", "Bridge, 1904")
    anna.reads(".table-title", "Club")
    link = anna.page.input_value(".room .invite input")
    assert "?invite=" in link

    ben = people.person("Ben").opens(link.removeprefix(ben_url := link[: link.index("/#")]))
    assert ben_url == ben.server.url
    ben.takes_the_name()
    ben.does("sit")
    ben.sees(".table-page.seated")
    expect(anna.page.locator(".plate .name", has_text="Ben")).to_be_visible(timeout=PATIENCE_MS)

    stranger = people.person("Sly").opens(link.partition("?")[0].removeprefix(ben_url))
    stranger.takes_the_name()
    stranger.does("sit")
    stranger.reads(".notice", "link")
    anna.does("start")
    ben.sees(".hand.mine button.card")


def test_a_table_from_the_list(people: People, server: Server) -> None:
    """An open table is in the list as it stands, and can be sat at or watched from there."""
    table = open_table(server.url, None, bots=2, code="whist-1900")
    anna = people.person("Anna").sits(table, "N")
    clara = people.person("Clara").opens()
    line = clara.page.locator(f".table-line[href='#/t/{table}']")
    expect(line).to_contain_text("Anna", timeout=PATIENCE_MS)
    line.click()
    clara.takes_the_name()
    clara.does("watch")
    clara.sees(".table-page.watching")
    assert clara.hand() == []
    anna.page.click("#tab-people")
    anna.reads(".watchers", "Clara")


def test_a_watcher_is_named_and_cannot_reach_the_seats(people: People, server: Server) -> None:
    """During a deal what a bystander writes reaches no seat."""
    table = open_table(server.url, None, bots=3, clocks={"turn_ms": 0})
    anna = people.person("Anna").sits(table, "N")
    clara = people.person("Clara").watches(table)
    anna.does("start")
    clara.sees(".trick, .between")
    clara.page.click("#tab-talk")
    clara.page.fill(".say-row input", "he has the ace")
    clara.page.click(".say-row button")
    clara.reads(".words", "he has the ace")
    anna.page.click("#tab-talk")
    anna.page.get_by_role("button", name="One moment, please.").click()
    anna.reads(".words", "One moment, please.")
    assert "he has the ace" not in anna.page.content()


def test_the_first_table_explains(people: People) -> None:
    """One who has never played is told what happens as it happens, and the law behind it opens in place."""
    newcomer = people.person("Newt").opens("/#/learn")
    newcomer.sees(".lessons")
    newcomer.takes_the_name()
    newcomer.does("learn")
    newcomer.sees(".hand.mine button.card")
    newcomer.sees(".coach")
    newcomer.waits_for("turn")
    words = newcomer.sees(".coach p").inner_text()
    assert "lead" in words or "play" in words or "trump" in words
    newcomer.page.locator(".coach .cite").first.click()
    newcomer.sees(".law-card p[lang='en']")
    newcomer.page.locator(".law-card .button").click()
    expect(newcomer.page.locator(".law-card")).to_have_count(0)


def test_a_refusal_says_which_law(people: People, server: Server) -> None:
    """At a strict table a wrong card is refused where it was tapped, with the law, whose gist opens."""
    seed = "strict refusal"
    table = open_table(server.url, seed, bots=3, enforcement="strict", clocks={"turn_ms": 0})
    anna = people.person("Anna").sits(table, "N")
    anna.does("start")
    off = anna.page.locator(".hand.mine .card.off")
    for _ in range(13):
        anna.waits_for("turn")
        if off.count():
            break
        anna.plays(anna.hand()[0])
    off.first.click(force=True)  # it can be tapped, and says why not
    anna.reads(".why-not", "You must follow suit")
    anna.page.locator(".why-not .cite").first.click()
    anna.sees(".law-card p[lang='en']")


# At every frame, where the buttons are that are always there, and which of the acts are open.
WATCH_PLACES = """() => {
    window.places = new Set();
    window.openings = new Set();
    const look = () => {
        const all = [...document.querySelectorAll(".bar-buttons > *, .standing-row > *")];
        window.places.add(all.map((one) => {
            const { x, y } = one.getBoundingClientRect();
            return `${one.dataset.do ?? one.textContent} ${Math.round(x)} ${Math.round(y)}`;
        }).join(", "));
        window.openings.add(document.querySelectorAll(".standing.open").length);
        requestAnimationFrame(look);
    };
    look();
}"""
UNDER = """([x, y]) => document.elementFromPoint(x, y)?.closest("button, a")?.textContent"""


@pytest.mark.parametrize(("width", "height", "tricks"), [(1280, 800, 2), (390, 844, 4), (844, 390, 2)])
def test_buttons_keep_their_places(people: People, server: Server, width: int, height: int, tricks: int) -> None:
    """B82: a button that undoes all took the place of the usual one; here each keeps its place, and what is not open is disabled."""
    table = open_table(server.url, "places", bots=3, clocks={"turn_ms": 0, "linger_ms": 1_000, "linger_min_ms": 0})
    anna = people.person("Anna", width=width, height=height).sits(table, "N")
    anna.does("start")
    anna.waits_for("turn")
    anna.page.evaluate(WATCH_PLACES)
    for _ in range(tricks):
        anna.plays(lawful(anna))
        anna.waits_for("turn")
    places = anna.page.evaluate("[...window.places]")
    assert len(places) == 1, places
    for what in ("ask", "withdraw", "quit", "more", "Leave"):
        assert what in places[0]
    assert len(anna.page.evaluate("[...window.openings]")) > 1


def test_leaving_asks_first(people: People, server: Server) -> None:
    """To leave in the middle of a rubber takes two different buttons, and the second is not where the first was (B82)."""
    table = open_table(server.url, None, bots=3, clocks={"turn_ms": 0})
    anna = people.person("Anna").sits(table, "N")
    anna.does("start")
    anna.sees(".hand.mine button.card")
    leave = anna.page.get_by_role("button", name="Leave", exact=True)
    box = leave.bounding_box()
    assert box is not None
    leave.dblclick()
    assert anna.hand()
    anna.page.get_by_role("button", name="Leave", exact=True).first.click()
    anna.sees(".leaving")
    assert anna.page.evaluate(UNDER, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]) == "Leave"
    anna.page.locator(".leaving").get_by_role("button", name="Stay").click()
    anna.page.locator(".leaving").wait_for(state="hidden")
    assert anna.hand()
    anna.page.get_by_role("button", name="Leave", exact=True).click()
    anna.page.locator(".leaving").get_by_role("button", name="Leave").click()
    anna.sees("[data-do='play-now']")


def test_a_bystander_becomes_a_substitute(people: People, server: Server) -> None:
    """A player proposes a bystander for his seat; the others and the bystander himself agree, and she has the cards."""
    table = open_table(server.url, None, bots=2, clocks={"turn_ms": 0})
    anna = people.person("Anna").sits(table, "N")
    ben = people.person("Ben").sits(table, "E")
    clara = people.person("Clara").watches(table)
    anna.does("start")
    anna.sees(".hand.mine button.card")
    anna.page.click("#tab-people")
    anna.page.locator(".watcher", has_text="Clara").get_by_role("button", name="Propose as my substitute").click()
    for person in (ben, clara):
        person.reads(".notice", "Clara plays for him")
        person.does("consent", within=".notice")
    clara.sees(".table-page.seated .hand.mine button.card")
    anna.sees(".table-page.watching")
    assert anna.hand() == []


def test_a_place_is_asked_for_where_the_table_is_cut(people: People) -> None:
    """At a table formed by cutting a bystander asks for a place, and everybody sees that she waits."""
    anna = people.person("Anna").opens("/#/new")
    anna.sees("form")
    anna.takes_the_name()
    anna.page.select_option("[name=forming]", "cut")
    anna.does("create")
    anna.sees(".table-page.seated")
    table = anna.page.url.partition("#/t/")[2].partition("?")[0]
    clara = people.person("Clara").watches(table)
    clara.page.click("#tab-people")
    clara.does("declare-in")
    anna.page.click("#tab-people")
    anna.reads(".watcher", "waits for a place")
    anna.does("start")
    clara.sees(".table-page.seated .hand.mine button.card")
    assert (
        len(
            {
                anna.page.locator(".plate.at-near").get_attribute("data-seat"),
                clara.page.locator(".plate.at-near").get_attribute("data-seat"),
            }
        )
        == 2
    )
