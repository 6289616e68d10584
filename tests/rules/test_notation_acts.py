from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_rules.cards import PACK, Suit, card_named
from oddtrick_rules.commands import (
    Agree,
    Answer,
    AskToLead,
    Bet,
    BetOn,
    Call,
    ClaimHonours,
    ClaimRevoke,
    Command,
    Deal,
    Declare,
    Demand,
    Double,
    Elect,
    Forget,
    Lapse,
    Penalty,
    Play,
    PlayTogether,
    Show,
)
from oddtrick_rules.notation.acts import FORMS, act_text, parse_act, parse_seat_act, seat_act_text
from oddtrick_rules.notation.errors import NotationError
from oddtrick_rules.seats import Seat, Side
from support.strategies import commands, seats

S, H, D = (card_named(name) for name in ("SA", "HK", "D9"))


def complaint(read: Callable[[], object]) -> str:
    """What a reader says is wrong with a text; nothing if it reads it."""
    try:
        read()
    except NotationError as refused:
        return refused.reason
    return ""


WRITTEN = {
    "SA": Play(S),
    "D9 from N": Play(D, hand=Seat.N),
    "SA HK": PlayTogether((S, H)),
    "answers none": Answer(none=True),
    "shows SA HK D9": Show((S, H, D)),
    "claims revoke S": ClaimRevoke(Seat.S),
    "claims revoke S 11": ClaimRevoke(Seat.S, 11),
    "elects deduct 2": Elect(Penalty.DEDUCT, 2),
    "calls D9 from E": Call(Demand.CARD, Seat.E, card=D),
    "calls suit D from E": Call(Demand.SUIT, Seat.E, suit=Suit.D),
    "calls lose from E": Call(Demand.LOSE, Seat.E),
    "calls trump highest from E": Call(Demand.TRUMP_HIGHEST, Seat.E),
    "claims honours 3": ClaimHonours(3),
    "declares NT": Declare(Suit.NT),
    "bets 2 odd trick NS": Bet(2, BetOn.ODD_TRICK, Side.NS),
    "forgets": Forget(),
    "is silent": Lapse(),
}
READ = {
    "yes": Agree(),
    "redoubles": Double(),
    "MAY i LEAD": AskToLead(),
    "  sa   hk ": PlayTogether((S, H)),
    "Claims  Revoke s 4": ClaimRevoke(Seat.S, 4),
}


@pytest.mark.parametrize(("text", "command"), WRITTEN.items())
def test_an_act_is_written_and_read_as_the_notation_has_it(text: str, command: Command) -> None:
    """An act has one way in which it is written, and that is read as the same act."""
    assert act_text(command) == text
    assert parse_act(text) == command


@pytest.mark.parametrize(("text", "command"), READ.items())
def test_other_words_and_capitals_are_read_too(text: str, command: Command) -> None:
    """A second word for an act, spaces and capitals change nothing."""
    assert parse_act(text) == command


@given(commands, st.booleans())
def test_reading_undoes_writing(command: Command, lower: bool) -> None:  # noqa: FBT001
    """Any act that can be written is read as itself, in capitals or without."""
    text = act_text(command)
    assert parse_act(text.lower() if lower else text.upper()) == command


@given(seats, commands)
def test_an_act_stands_under_its_seat(seat: Seat, command: Command) -> None:
    """With its seat in front, an act is read as that seat's; only what the dealer plays from dummy stands under dummy's."""
    read = parse_seat_act(seat_act_text(seat, command))
    if isinstance(command, Play) and command.hand is not None:
        assert read == (command.hand, Play(command.card))
    else:
        assert read == (seat, command)


@given(commands)
def test_every_form_is_somebodys(command: Command) -> None:
    """A form that writes an act is a form of the table, so that the table is the whole grammar."""
    assert any(form.write(command) == act_text(command) for form in FORMS)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no act"),
        ("SX", "`SX` is neither a card nor an act"),
        ("S10", "neither a card nor an act"),
        ("SA SA", "named twice"),
        ("calls", "write `calls CARD from SEAT`"),
        ("calls suit NT from S", "is not understood"),
        ("claims revoke S 14", "write `claims game`"),
        ("elects tricks 0", "write `elects tricks|deduct|add NUMBER`"),
        ("\N{LATIN SMALL LETTER LONG S}A", "neither a card nor an act"),
        ("frobs\x1b[31m", r"`frobs\x1b[31m`"),
        ("x" * 1000, "..."),
    ],
)
def test_what_is_no_act_is_said_to_be_none(text: str, reason: str) -> None:
    """Text that is no act is refused in one printable line that quotes it, or shows how the act is written."""
    with pytest.raises(NotationError) as refused:
        parse_act(text)
    assert reason in refused.value.reason
    assert refused.value.reason.isprintable()


@pytest.mark.parametrize("text", ["", "SA", "X SA", "N", "NS SA", "\N{LATIN SMALL LETTER LONG S} SA"])
def test_an_act_needs_its_seat(text: str) -> None:
    """An act without a seat before it, or a seat without an act, is refused."""
    with pytest.raises(NotationError):
        parse_seat_act(text)


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    """Whatever the text, an act comes out or a NotationError."""
    for read in (parse_act, parse_seat_act):
        assert complaint(lambda: read(text)).isprintable()  # noqa: B023 - called at once


@pytest.mark.parametrize(
    "command",
    [
        Deal(((PACK[0],), (PACK[1],), (PACK[2],), (PACK[3],))),
        Call(Demand.CARD, Seat.S),
        Call(Demand.HIGHEST, Seat.S, card=S),
        PlayTogether((S,)),
        PlayTogether((S, S)),
        ClaimRevoke(Seat.S, 14),
    ],
)
def test_what_no_text_can_say_is_not_written(command: Command) -> None:
    """A deal, and an act that contradicts itself, are not written at all rather than written as something else."""
    with pytest.raises(ValueError, match="written down"):
        act_text(command)
