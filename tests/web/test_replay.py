"""Finished hands again: found among one's own, stepped through, seen with other eyes, proved, taken away."""

import json

import pytest
from playwright.sync_api import expect

from web.conftest import People
from web.dealt import open_table
from web.people import PATIENCE_MS, Person, Server

QUICK = {"turn_ms": 0, "linger_ms": 1_000, "linger_min_ms": 0, "claims_ms": 0}


def plays_a_hand(person: Person) -> None:
    """Play on until the hand is over and the pack is cut."""
    seen_claims = False
    for _ in range(60):
        kind = person.goes_on()
        seen_claims = seen_claims or kind in {"claims", "cut"}
        if kind == "cut" or (seen_claims and kind == "turn"):
            return
        if seen_claims:
            person.page.wait_for_timeout(500)
            if len(person.hand()) == 13 or not person.is_asked("claims"):
                return


@pytest.fixture(scope="module")
def played(browser: object, server: Server) -> object:
    """Somebody who has played a hand against bots, with entropy of his own in the deal."""
    made = People(browser, server, [])  # type: ignore[arg-type]
    table = open_table(server.url, None, bots=3, clocks=QUICK)
    anna = made.person("Anna").sits(table, "N")
    anna.does("start")
    anna.sees(".hand.mine button.card")
    plays_a_hand(anna)
    anna.page.wait_for_timeout(1_500)
    yield anna, table
    for context in made.contexts:
        context.close()


def opens_the_hand(played: tuple[Person, str]) -> Person:
    anna, table = played
    anna.page.goto(f"{anna.server.url}/#/hands")
    line = anna.page.locator(f".table-line[href='#/hand/{table}/1']")
    expect(line).to_be_visible(timeout=PATIENCE_MS)
    line.click()
    anna.sees(".replay-controls")
    return anna


def test_a_hand_is_stepped_through(played: tuple[Person, str]) -> None:
    """From the first card to the last, forward and back, with all four hands open."""
    anna = opens_the_hand(played)
    assert anna.page.locator(".replay-hand .card").count() == 52
    anna.does("step")
    anna.page.get_by_role("button", name="Next trick").click()
    anna.page.get_by_role("button", name="End").click()
    expect(anna.page.locator(".replay-hand .card")).to_have_count(0, timeout=PATIENCE_MS)
    anna.page.get_by_role("button", name="Start").click()
    expect(anna.page.locator(".replay-hand .card")).to_have_count(52, timeout=PATIENCE_MS)


def test_other_eyes_see_less(played: tuple[Person, str]) -> None:
    """Seen by one seat, the replay shows that seat's hand and no other; by a bystander, none."""
    anna = opens_the_hand(played)
    anna.page.select_option("[name=eyes]", "E")
    anna.page.get_by_role("button", name="Step").click()
    shown = anna.page.locator(".replay-hand .card")
    assert 12 <= shown.count() <= 14  # and the trump card, while it may be seen
    anna.page.select_option("[name=eyes]", "bystander")
    expect(shown).to_have_count(1, timeout=PATIENCE_MS)


def test_the_deal_is_proved_in_the_page(played: tuple[Person, str]) -> None:
    """One click works the deal out again from what was sealed, one's own share among it, and finds it kept."""
    anna = opens_the_hand(played)
    anna.does("verify")
    verdict = anna.sees(".proof .verdict")
    assert verdict.get_attribute("data-holds") == "true"
    assert (
        "North" not in anna.page.locator(".proof ul").inner_text()
    )  # the player's own share is in it; the bots gave none


@pytest.mark.parametrize(("format_", "begins"), [("whist", "Code:"), ("jsonl", '{"format"'), ("pbn", "[")])
def test_the_record_can_be_taken_away(played: tuple[Person, str], format_: str, begins: str) -> None:
    """The hand is had as a table record, as JSON Lines and as PBN."""
    anna = opens_the_hand(played)
    with anna.page.expect_download() as coming:
        anna.page.click(f"[data-format={format_}]")
    text = coming.value.path().read_text(encoding="utf-8")
    assert coming.value.suggested_filename.endswith(f".{format_}")
    assert begins in text
    if format_ == "jsonl":
        assert json.loads(text.splitlines()[-1])["proof"]["secret"]
