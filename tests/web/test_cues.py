"""That it is one's turn is hard to miss, and as quiet as one likes."""

from playwright.sync_api import expect

from web.conftest import People
from web.dealt import open_table
from web.people import Server

CALM = {"turn_ms": 0, "linger_ms": 1_000, "linger_min_ms": 0, "claims_ms": 0, "question_ms": 0}
CUES = ("sound", "title", "buzz", "notify")
LISTEN = """
window.cues = [];
Object.defineProperty(navigator, "vibrate", { value: (ms) => window.cues.push("buzz") });
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { window.cues.push("tone " + this.frequency.value); return start.call(this, at); };
"""


def test_ones_turn_is_told_in_ways_that_can_be_switched_off(people: People, server: Server) -> None:
    """One's turn stands in the title and buzzes, and each cue has a switch that silences it (B88: people did not notice their turn)."""
    table = open_table(server.url, "cues", bots=3, clocks=CALM)
    anna = people.person("Anna")
    anna.page.add_init_script(LISTEN)
    anna.sits(table, "N")
    anna.page.click("a[href='#/settings']")
    for cue in CUES:
        expect(anna.page.locator(f"input[type=checkbox][name={cue}]")).to_have_count(1)
    anna.page.locator("input[name=buzz]").check()
    anna.page.get_by_role("button", name="Back").click()
    anna.does("start")
    anna.waits_for("turn")
    expect(anna.page).to_have_title("Your turn · Oddtrick")
    assert "buzz" in anna.page.evaluate("window.cues")
    anna.page.click("a[href='#/settings']")
    anna.page.locator("input[name=title]").uncheck()
    anna.page.get_by_role("button", name="Back").click()
    anna.waits_for("turn")
    expect(anna.page).to_have_title("Oddtrick")
