"""No socket is ever sent a card that its viewer may not know."""

import random
from typing import TYPE_CHECKING, Any, Final

import pytest

from oddtrick_protocol.facts import command_to_wire
from oddtrick_rules.cards import CARD_NAMES, cards_in
from oddtrick_rules.commands import Play
from oddtrick_rules.events import Event
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import LEFT, PARTNER, Seat
from oddtrick_rules.state import Enforcement, Phase, State
from oddtrick_rules.views import Viewer, Watcher, seen_by, view
from oddtrick_server.notices import Asked, asked_of
from oddtrick_server.person import No, no_by_law
from oddtrick_server.table import Table
from support.driver import tables
from support.house import open_house
from support.recorder import Recorder, leaks_in, recorded
from support.unruly import step

if TYPE_CHECKING:
    from conftest import Size

CLOCKS: Final = {"turn_ms": 0}
STEPS_MAX: Final = 1_500  # of one hand; far more than any needs


async def unruly_hands(chance: random.Random, code: str, enforcement: Enforcement, hands: int) -> tuple[Recorder, int]:
    """So many hands at a table, recorded, or fewer if the rubber ends; how many were played out."""
    async with (
        open_house(seed=chance.random()) as house,
        recorded(house, code=code, enforcement=enforcement.value, clocks=CLOCKS) as table,
    ):
        wildness = chance.choice((0.05, 0.2, 0.5))
        for _ in range(STEPS_MAX * hands):
            if table.state.phase is Phase.OVER or table.table.book.hands > hands:
                break
            await step(table, chance, wildness=wildness)
        else:
            raise AssertionError("no end")
        return table, table.table.book.hands - (table.state.phase is not Phase.OVER)


async def test_no_socket_receives_a_card_its_viewer_may_not_know(size: "Size", seed: int) -> None:
    """B04, B25: who came back or watched was sent hidden cards; here no frame holds one, whatever is done, and snapshots add up."""
    wanted, hands, snapshots = size(20, 200), 0, 0
    kinds = tables(random.Random(seed))
    while hands < wanted:
        code, enforcement = next(kinds)
        chance = random.Random(f"{seed} {hands}")
        table, played = await unruly_hands(chance, code.id, enforcement, 2)
        assert not table.found, (f"{seed} {hands} {code.id} {enforcement}", table.found[:3])
        hands += played
        snapshots += table.snapshots
    assert snapshots > wanted


# --- leaks planted on purpose ---


def _hands_told(event: Event, viewer: Viewer, *, enforcement: Enforcement) -> Event | None:
    """A filter that shows a bystander the whole deal."""
    return event if viewer is Watcher.BYSTANDER else seen_by(event, viewer, enforcement=enforcement)


def _partner_viewed(state: State, viewer: Viewer) -> State:
    """A view for snapshots that mistakes a seat for its partner."""
    return view(state, PARTNER[viewer] if isinstance(viewer, Seat) else viewer)


def _partner_prompted(table: Table, seat: Seat) -> Asked:
    """A prompt that lists the cards of the seat to the left."""
    asked = asked_of(table, seat)
    hand = table.book.rubber.hand if table.book.rubber is not None else None
    if hand is None or asked.wait is None:
        return asked
    cards = [command_to_wire(Play(card)) for card in cards_in(hand.hands[LEFT[seat]])]
    return Asked(asked.wait, [*asked.acts, *cards], asked.may, asked.playable)


def _playable_of_another(table: Table, seat: Seat) -> Asked:
    """A prompt whose playable cards are those of the seat to the left."""
    asked = asked_of(table, seat)
    hand = table.book.rubber.hand if table.book.rubber is not None else None
    names = [] if hand is None else [CARD_NAMES[card] for card in cards_in(hand.hands[LEFT[seat]])]
    return Asked(asked.wait, asked.acts, asked.may, names)


def _explained(refusal: Refusal) -> No:
    """A refusal that explains itself by naming every card."""
    told = no_by_law(refusal)
    return No(told.code, f"{told.text}: somebody has {', '.join(CARD_NAMES)}", told.cites)


@pytest.mark.parametrize(
    ("where", "planted"),
    [
        ("oddtrick_server.book.seen_by", _hands_told),
        ("oddtrick_server.audience.view", _partner_viewed),
        ("oddtrick_server.audience.asked_of", _partner_prompted),
        ("oddtrick_server.audience.asked_of", _playable_of_another),
        ("oddtrick_server.acting.no_by_law", _explained),
    ],
    ids=["an event", "a snapshot", "a prompt", "playable cards", "a text"],
)
async def test_a_planted_leak_is_caught(where: str, planted: Any, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A filter, view, prompt or refusal that tells too much is found by the same walk over what the sockets received."""
    monkeypatch.setattr(where, planted)
    found: list[str] = []
    for number in range(10):
        chance = random.Random(f"{seed} {number}")
        found = (await unruly_hands(chance, "english-1864", Enforcement.GUIDED, 1))[0].found
        if found:
            break
    assert found


def test_a_hidden_card_is_found_wherever_it_stands() -> None:
    """The walk finds a card in keys, lists, texts and sets of cards, and leaves alone what only looks like one."""
    hidden = 1 << CARD_NAMES.index("SA")
    event = {"t": "event", "hand": 2, "seq": 9, "event": {"t": "x"}}
    leaks: list[Any] = [{"SA": 1}, ["DK", ["SA"]], "you hold SA.", {"a": {"b": ("SA",)}}, 1 << 40]
    for told in leaks:
        assert leaks_in({"t": "prompt", "acts": told}, hidden, hand=2)
        assert leaks_in({**event, "event": {"told": told}}, hidden, hand=2)
        assert not leaks_in({**event, "hand": 1, "event": {"told": told}}, hidden, hand=2)
    harmless: list[Any] = ["SAND", "R8SA", "DK", 600_000, {"token": "x.SA.y"}]
    for told in harmless:
        assert not leaks_in({"t": "prompt", "acts": told}, hidden, hand=2)
