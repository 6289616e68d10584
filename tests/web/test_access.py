"""Everyone: by keyboard alone, by ear, on any screen, in any language, and clean by axe."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from web.conftest import People
from web.dealt import open_table
from web.people import PATIENCE_MS, Person, Server
from web.test_line import lawful

CALM = {"turn_ms": 0, "linger_ms": 1_000, "linger_min_ms": 0, "claims_ms": 0}
SCREENS = [(320, 568), (360, 640), (390, 844), (568, 320), (844, 390), (768, 1024), (1440, 900), (3840, 2160)]

# The part of each card that a finger or a pointer can reach: where the card itself is what lies on top.
REACH = """() => [...document.querySelectorAll(".hand.mine button.card")].map((card) => {
    const box = card.getBoundingClientRect();
    const mine = (x, y) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight
        && document.elementFromPoint(x, y)?.closest("button.card") === card;
    let wide = 0, tall = 0;
    const y = box.top + Math.min(box.height / 2, 22);
    for (let x = Math.ceil(box.left); x < box.right + 200; x += 1) if (mine(x + 0.5, y)) wide += 1;
    const x = box.left + Math.min(box.width / 2, 10);
    for (let y = Math.ceil(box.top); y < box.bottom; y += 1) if (mine(x, y + 0.5)) tall += 1;
    return {card: card.dataset.card, wide, tall};
})"""

RANKS = dict(
    zip("23456789TJQKA", "two three four five six seven eight nine ten knave queen king ace".split(), strict=True)
)
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
NAMES = {suit + rank: f"{RANKS[rank]} of {SUITS[suit]}" for suit in SUITS for rank in RANKS}


def at_a_table(people: People, server: Server, name: str = "Anna", **options: object) -> Person:
    table = open_table(server.url, "thirteen cards", bots=3, clocks=CALM)
    person = people.person(name, **options).sits(table, "N")  # type: ignore[arg-type]
    person.does("start")
    person.waits_for("turn")
    return person


def wrongs_of(person: Person) -> list[str]:
    """What axe finds, one line for each kind."""
    found = Axe().run(person.page).response
    return [
        f"{one['id']}: {one['help']} ({one['nodes'][0]['target']} {one['nodes'][0].get('failureSummary', '')[:300]})"
        for one in found["violations"]
    ]


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/#/new", "/#/learn", "/#/hands", "/#/settings"])
def test_pages_are_clean_by_axe(people: People, path: str, look: str) -> None:
    """No rule of axe is broken on any page beside the table, light or dark."""
    person = people.person("Anna", color_scheme=look).opens(path)
    person.sees("main h1")
    assert wrongs_of(person) == []


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_table_is_clean_by_axe(people: People, server: Server, look: str) -> None:
    """No rule of axe is broken at the table: at one's turn, with other acts open, with each panel, with a law open."""
    person = at_a_table(people, server, color_scheme=look)
    assert wrongs_of(person) == []
    for tab in ("log", "people", "talk"):
        person.page.click(f"#tab-{tab}")
        person.page.wait_for_timeout(150)
        assert wrongs_of(person) == [], tab
    person.does("more")
    person.sees(".more-panel")
    assert wrongs_of(person) == []
    person.page.locator(".more-panel .close").click()
    person.page.click("#tab-score")
    person.page.locator(".cite").first.click()
    person.sees(".law-card p[lang='en']")
    assert wrongs_of(person) == []


def test_axe_finds_what_is_planted(people: People) -> None:
    """An image without words and a button without a name are found, so a clean page means something."""
    person = people.person("Anna").opens()
    person.page.evaluate(
        "() => document.querySelector('main').append(document.createElement('button'), document.createElement('img'))"
    )
    assert {line.partition(":")[0] for line in wrongs_of(person)} >= {"button-name", "image-alt"}


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_thirteen_cards_within_reach(people: People, server: Server, width: int, height: int) -> None:
    """B83: the hand was out of sight on a phone; here each of thirteen cards can be hit, 24 by 44 pixels, and nothing runs off."""
    person = at_a_table(people, server, width=width, height=height)
    reach = person.page.evaluate(REACH)
    assert len(reach) == 13 or len(person.hand()) == len(reach)
    for card in reach:
        assert card["wide"] >= 24, card
        assert card["tall"] >= 44, card
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_whole_hand_by_keyboard_alone(people: People, server: Server) -> None:
    """From the name to the cut without a mouse: in, seated, thirteen cards, ready; the focus never gets lost."""
    anna = people.person("Anna").opens()
    keys = anna.page.keyboard
    anna.page.locator("#name").focus()
    keys.type("Anna")
    keys.press("Enter")
    anna.sees(".hand.mine button.card")
    for _ in range(80):
        anna.page.wait_for_selector(".status:not([data-status='none'])", timeout=2 * PATIENCE_MS)
        if not anna.is_asked("turn"):
            kind = anna.page.get_attribute(".status", "data-status")
            if kind in {"claims", "cut"}:
                break
            anna.page.locator(".prompt.armed .button").first.press("Enter")
            anna.page.wait_for_timeout(200)
        elif anna.hand():
            anna.plays_by_keys(lawful(anna))
            assert anna.page.evaluate("document.activeElement?.closest('main') !== null")
    else:
        raise AssertionError("the hand does not end")
    anna.page.wait_for_selector(".status[data-status='claims'], .status[data-status='cut']", timeout=20_000)
    anna.page.locator(".prompt.armed .button.first").first.press("Enter")


def test_what_is_opened_takes_the_focus_and_gives_it_back(people: People, server: Server) -> None:
    """By keyboard: the panel of other acts has the focus when it opens, a law opened from it too, and Escape gives it back."""
    person = at_a_table(people, server)
    more = person.page.locator("[data-do='more']")
    more.focus()
    person.page.keyboard.press("Enter")
    person.sees(".more-panel")
    expect(person.page.locator(".more-panel h2")).to_be_focused(timeout=PATIENCE_MS)
    person.page.keyboard.press("Tab")
    assert person.page.evaluate("document.activeElement.closest('.more-panel') !== null")
    person.page.keyboard.press("Escape")
    expect(person.page.locator(".more-panel")).to_have_count(0)
    expect(more).to_be_focused(timeout=PATIENCE_MS)


def test_what_happens_is_said(people: People, server: Server) -> None:
    """B87: keys for screen readers broke unseen; here live regions say who played what, and keys tell the trick, hand and score."""
    person = at_a_table(people, server)
    said = person.page.evaluate_handle(
        """() => { const said = []; for (const id of ["say", "say-now"]) new MutationObserver(() =>
            said.push(document.getElementById(id).textContent)).observe(document.getElementById(id), {childList: true, characterData: true, subtree: true});
            return said; }"""
    )
    person.page.locator("main").focus()
    hand = person.hand()
    for key in ("h", "s", "t", "u"):
        person.page.keyboard.press(key)
        person.page.wait_for_timeout(150)
    person.plays(lawful(person))
    person.waits_for("turn")
    words = " ".join(said.evaluate("said => said"))
    assert "Points: North–South" in words
    assert "Trumps:" in words
    assert words.count(" of ") >= len(hand)
    assert "plays the" in words or "leads the" in words
    assert "Your turn" in words


def test_nothing_by_colour_alone(people: People, server: Server) -> None:
    """Every card says its rank and suit in words, and shows both as shapes."""
    person = at_a_table(people, server)
    for card in person.page.locator(".hand.mine button.card").all():
        label = card.get_attribute("aria-label") or ""
        assert " of " in label
        assert card.locator("svg text").count() >= 1
        assert card.locator("svg path").count() >= 1


def named_in_the_tree(person: Person) -> set[str]:
    """Every card that a screen reader can come upon, from the whole accessibility tree of the page."""
    nodes = person.context.new_cdp_session(person.page).send("Accessibility.getFullAXTree")["nodes"]
    said = " ".join(
        str(node.get(part, {}).get("value", "")) for node in nodes for part in ("name", "description", "value")
    )
    return {card for card, name in NAMES.items() if name in said}


def test_backs_tell_nothing(people: People, server: Server) -> None:
    """B86: a screen reader was told what card lay face down; here backs have no name of a card, in words or out of sight."""
    person = at_a_table(people, server)
    held = person.page.locator(".held")
    expect(held).to_have_count(3)
    for label in held.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))"):
        assert label.endswith("in hand")
    for _ in range(2):
        hand = set(person.hand())
        named = named_in_the_tree(person)
        told = {card for card in NAMES if any(f'"{card}"' in frame for frame in person.frames)}
        assert len(hand) >= 12
        assert hand <= named <= told
        assert len(told) < len(NAMES) / 2
        person.plays(lawful(person))
        person.waits_for("turn")


@pytest.mark.parametrize("language", ["de", "xx"])
def test_other_languages_play_the_same(people: People, server: Server, language: str) -> None:
    """B97: a card's name in translation broke clients; here the page plays in German and a made-up tongue, with no English left."""
    anna = people.person("Anna").opens("/#/settings")
    anna.sees("[name=language]")
    anna.page.evaluate("one => localStorage.setItem('oddtrick.settings', JSON.stringify({language: one}))", language)
    anna.opens()
    anna.page.reload()
    anna.sees("[data-do='play-now']")
    anna.takes_the_name()
    anna.does("play-now")
    anna.sees(".hand.mine button.card")
    anna.page.wait_for_selector(".status[data-status='turn']", timeout=PATIENCE_MS)
    anna.plays(lawful(anna))
    if language == "xx":
        anna.does("more")
        for selector in (
            ".acts",
            ".table-bar .bar-buttons",
            ".tabs",
            ".sheet",
            ".latest",
            ".more-panel",
            ".plate .tags",
        ):
            for text in anna.page.locator(selector).first.inner_text().split("\n"):
                words = text.replace("×", "").strip()
                if any(one.isalpha() for one in words) and len(words) > 3:
                    assert "⟦" in words or "⟧" in words, words
    else:
        anna.reads(".tabs", "Verlauf")
    assert not anna.wrongs


def test_choices_of_look_are_kept(people: People, server: Server) -> None:
    """A dark look, two colours, and high cards last are chosen once, and never told to the server (B89)."""
    person = at_a_table(people, server)
    sent = len(person.sent)
    order = person.hand()
    person.page.click("a[href='#/settings']")
    person.page.select_option("[name=look]", "dark")
    person.page.select_option("[name=deck]", "two")
    person.page.select_option("[name=order]", "up")
    person.page.get_by_role("button", name="Back").click()
    person.sees(".hand.mine button.card")
    assert sorted(person.hand()) == sorted(order)
    assert person.hand() != order
    person.page.reload()
    person.sees(".hand.mine button.card")
    assert person.page.evaluate("document.documentElement.dataset.look") == "dark"
    assert {message["t"] for message in person.sent[sent:]} <= {"ping", "hello", "resume", "tables"}


def test_the_order_as_dealt_outlives_a_reload(people: People, server: Server) -> None:
    """Who leaves his cards as they were dealt finds them so after a reload, and sorted if this tab never saw the deal."""
    person = at_a_table(people, server)
    by_suits = person.hand()
    person.page.click("a[href='#/settings']")
    person.page.select_option("[name=sort]", "dealt")
    person.page.get_by_role("button", name="Back").click()
    person.sees(".hand.mine button.card")
    as_dealt = person.hand()
    assert sorted(as_dealt) == sorted(by_suits)
    assert as_dealt != by_suits
    person.page.reload()
    person.sees(".hand.mine button.card")
    assert person.hand() == as_dealt
    person.page.evaluate("sessionStorage.clear()")
    person.page.reload()
    person.sees(".hand.mine button.card")
    assert person.hand() == by_suits


def test_less_movement_when_asked(people: People, server: Server) -> None:
    """For those who ask their device for less movement, nothing on the page is animated."""
    person = at_a_table(people, server, reduced_motion="reduce")
    person.plays(lawful(person))
    running = person.page.evaluate("document.getAnimations().length")
    assert running == 0
    expect(person.page.locator("main")).to_be_visible()
