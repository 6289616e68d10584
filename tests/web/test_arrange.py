"""One's own order of one's cards: by hand, by keys, and nobody else's business."""

import pytest
from playwright.sync_api import expect

from web.conftest import People
from web.dealt import open_table
from web.people import Person, Server
from web.test_line import lawful

CALM = {"turn_ms": 0, "linger_ms": 1_000, "linger_min_ms": 0, "claims_ms": 0, "question_ms": 0}


def arranging(people: People, server: Server, **options: object) -> Person:
    """Somebody who has cards, and wants them as he lays them."""
    table = open_table(server.url, "arranged", bots=3, clocks=CALM)
    person = people.person("Anna", **options).sits(table, "N")  # type: ignore[arg-type]
    person.does("start")
    person.waits_for("turn")
    person.page.evaluate("() => { location.hash = '#/settings'; }")
    person.page.select_option("[name=sort]", "own")
    person.page.get_by_role("button", name="Back").click()
    person.sees(".hand.mine.own button.card")
    return person


def drags(person: Person, card: str, onto: str) -> None:
    """Take hold of a card where it can be seen, and let it go on another."""
    points = []
    for one in (card, onto):
        box = person.page.locator(f".hand.mine [data-card='{one}']").bounding_box()
        assert box is not None
        points.append((box["x"] + 8, box["y"] + 20))
    person.page.mouse.move(*points[0])
    person.page.mouse.down()
    person.page.mouse.move(*points[1], steps=8)
    person.page.mouse.up()


def moved(cards: list[str], card: str, place: int) -> list[str]:
    others = [one for one in cards if one != card]
    return [*others[:place], card, *others[place:]]


@pytest.mark.parametrize("screen", [{}, {"width": 390, "height": 844}], ids=["desk", "phone"])
def test_cards_lie_as_their_player_lays_them(people: People, server: Server, screen: dict[str, int]) -> None:
    """B89: players wanted an order of their own; here a card dragged or moved by keys stays, over plays and a reload, told to nobody."""
    person = arranging(people, server, **screen)
    sent = len(person.sent)
    order = person.hand()
    for card, place in ((order[1], 4), (order[6], 0), (order[2], 5)):
        there = person.hand()[place]
        drags(person, card, there)
        order = moved(order, card, place)
        expect(person.page.locator(".hand.mine button.card").nth(place)).to_have_attribute("data-card", card)
        assert person.hand() == order
    assert not person.page.locator(".hand.mine .raised").count()
    last = order[-1]
    person.page.locator(f".hand.mine [data-card='{last}']").focus()
    for step in range(2, 5):
        person.page.keyboard.press("Shift+ArrowLeft")
        order = moved(order, last, len(order) - step)
        expect(person.page.locator(".hand.mine button.card").nth(len(order) - step)).to_have_attribute(
            "data-card", last
        )
        expect(person.page.locator(f".hand.mine [data-card='{last}']")).to_be_focused()
        assert person.hand() == order
        expect(person.page.locator("#say-now")).to_contain_text(f"{len(order) - step + 1} of {len(order)}")
    person.page.keyboard.press("Shift+ArrowRight")
    order = moved(order, last, len(order) - 3)
    expect(person.page.locator(".hand.mine button.card").nth(len(order) - 3)).to_have_attribute("data-card", last)
    expect(person.page.locator(f".hand.mine [data-card='{last}']")).to_be_focused()
    person.page.keyboard.press("ArrowLeft")
    expect(person.page.locator(f".hand.mine [data-card='{order[len(order) - 4]}']")).to_be_focused()
    assert {message["t"] for message in person.sent[sent:]} <= {"ping"}
    played = lawful(person)
    person.plays(played)
    order.remove(played)
    person.waits_for("turn")
    assert [card for card in person.hand() if card in order] == order
    held = person.hand()
    person.page.reload()
    person.sees(".hand.mine.own button.card")
    assert person.hand() == held
    assert not person.wrongs
