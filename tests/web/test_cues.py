"""That it is one's turn is hard to miss, and as quiet as one likes."""

from datetime import UTC, datetime

from playwright.sync_api import expect

from web.conftest import People
from web.dealt import open_table
from web.people import PATIENCE_MS, Server, begin

CALM = {"turn_ms": 0, "linger_ms": 1_000, "linger_min_ms": 0, "claims_ms": 0, "question_ms": 0}
CUES = ("sound", "title", "buzz", "notify")
LISTEN = """
window.cues = [];
Object.defineProperty(navigator, "vibrate", { value: (ms) => window.cues.push("buzz") });
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { window.cues.push("tone " + this.frequency.value); return start.call(this, at); };
"""


def test_ones_turn_is_told_in_ways_that_can_be_switched_off(people: People, server: Server) -> None:
    """B88: people did not notice their turn; here it stands in the title and buzzes, and each cue has a switch that silences it."""
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


def test_one_who_is_slow_is_warned_ten_seconds_before(people: People, server: Server) -> None:
    """When ten seconds of one's own time are left the clock says so, to the eye and to the ear, once (B08)."""
    table = open_table(server.url, "cues", bots=3, clocks={**CALM, "turn_ms": 45_000})
    anna = people.person("Anna")
    anna.page.add_init_script(LISTEN)
    anna.page.clock.install()
    anna.sits(table, "N")
    anna.page.evaluate("() => document.addEventListener('hurry', () => window.cues.push('hurry'), true)")
    anna.does("start")
    anna.waits_for("turn")
    clock = anna.page.locator(".status ot-clock")
    until = int(clock.get_attribute("until") or 0)
    anna.page.clock.pause_at(datetime.fromtimestamp((until - 11_000) / 1000, UTC))
    expect(clock).to_have_text("11 s")
    assert "hurry" not in anna.page.evaluate("window.cues")
    anna.page.clock.run_for(1_500)
    expect(clock).to_have_class("hurry")
    expect(anna.page.locator("#say-now")).to_contain_text("seconds left")
    anna.page.clock.run_for(3_000)
    assert anna.page.evaluate("window.cues.filter((one) => one === 'hurry').length") == 1


HIDE = """hidden => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (hidden ? "hidden" : "visible") });
    document.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event(hidden ? "blur" : "focus"));
}"""


def test_a_hidden_tab_is_not_away(people: People, server: Server) -> None:
    """A tab in the background keeps its seat and says nothing of it; only who says so is away (B16)."""
    table = open_table(server.url, "cues", bots=2, clocks=CALM)
    anna = people.person("Anna").sits(table, "N")
    ben = people.person("Ben").sits(table, "E")
    begin(anna, ben)
    sent = len(ben.sent)
    ben.page.evaluate(HIDE, arg=True)
    ben.page.wait_for_timeout(1_500)
    assert {message["t"] for message in ben.sent[sent:]} <= {"ping", "reveal", "act"}
    away = anna.page.locator(".plate[data-seat='E'] .tag.warn")
    expect(away).to_have_count(0)
    ben.page.evaluate(HIDE, arg=False)
    ben.page.get_by_role("tab", name="People").click()
    ben.page.get_by_role("button", name="Step away").click()
    expect(away).to_have_count(1, timeout=PATIENCE_MS)
    expect(anna.page.locator(".plate[data-seat='E']")).to_contain_text("substitute")
