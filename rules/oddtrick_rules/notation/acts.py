"""Acts as text and as commands: `calls highest from S` is `Call(Demand.HIGHEST, Seat.S)`.

`FORMS` is the whole grammar of acts. A form is the words as they are written, with names of the command's fields in
braces where values stand, and the values that the words themselves imply. Reading and writing both go by that
table, so each is the other's inverse: the first form that fits a command writes it, and every form is read, in any
mixture of capitals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Final, cast

from oddtrick_rules import commands as act
from oddtrick_rules.cards import CARD_NAMES, Card, Suit, card_named
from oddtrick_rules.commands import BetOn, Command, Demand, Penalty, Sheet
from oddtrick_rules.notation.errors import NotationError, quoted
from oddtrick_rules.seats import Seat, Side


@dataclass(frozen=True, slots=True)
class Value:
    """How one kind of value is written: the pattern it has, how it is read and how it is put into text."""

    pattern: str
    read: Callable[[str], object]
    write: Callable[[object], str]
    example: str


def _read_cards(text: str) -> tuple[Card, ...]:
    cards = tuple(card_named(name) for name in text.split())
    if len(set(cards)) != len(cards):
        raise NotationError("a card is named twice in one act")
    return cards


def _write_cards(value: object) -> str:
    return " ".join(CARD_NAMES[card] for card in cast(tuple[Card, ...], value))


_VALUES: Final = {1: "single", 2: "double", 3: "treble"}


def _read_value(text: str) -> int:
    return next(value for value, word in _VALUES.items() if word == text.lower())


_CARD: Final = "[SHDC][2-9TJQKA]"
_NUMBER: Final = Value("[1-9][0-9]{0,3}", int, str, "NUMBER")
_SEAT: Final = Value("[NESW]", lambda text: Seat[text.upper()], lambda value: cast(Seat, value).name, "SEAT")

# Named as the fields of the commands are; `pair` stands for `cards` that are two or more, `value` for a game's `points`.
VALUES: Final[Mapping[str, Value]] = {
    "card": Value(_CARD, card_named, lambda value: CARD_NAMES[cast(Card, value)], "CARD"),
    "cards": Value(f"{_CARD}(?: {_CARD})*", _read_cards, _write_cards, "CARDS"),
    "pair": Value(f"{_CARD}(?: {_CARD})+", _read_cards, _write_cards, "CARDS"),
    "seat": _SEAT,
    "hand": _SEAT,
    "side": Value("NS|EW", lambda text: Side[text.upper()], lambda value: cast(Side, value).name, "SIDE"),
    "suit": Value("[SHDC]", lambda text: Suit[text.upper()], lambda value: cast(Suit, value).name, "SUIT"),
    "trump": Value("NT|[SHDC]", lambda text: Suit[text.upper()], lambda value: cast(Suit, value).name, "SUIT"),
    "penalty": Value("tricks|deduct|add", lambda text: Penalty(text.lower()), str, "tricks|deduct|add"),
    "on": Value("odd trick|score", lambda text: BetOn(text.lower()), str, "odd trick|score"),
    "trick": Value("1[0-3]|[1-9]", int, str, "TRICK"),
    "revoke": _NUMBER,
    "count": Value("[0-5]", int, str, "NUMBER"),
    "counters": _NUMBER,
    "bet": _NUMBER,
    "points": Value("0|[1-9][0-9]{0,3}", int, str, "NUMBER"),
    "value": Value(
        "single|double|treble", _read_value, lambda value: _VALUES[cast(int, value)], "single|double|treble"
    ),
    "pack": Value("[12]", int, str, "1|2"),
}
FIELD_OF: Final = {"pair": "cards", "value": "points"}
_HOLE: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Form:
    """One way to write one kind of act."""

    words: str
    kind: type[Command]
    implied: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def holes(self) -> tuple[str, ...]:
        """The values that stand in the text, in its order."""
        return tuple(_HOLE.findall(self.words))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What the text must match."""
        parts = _HOLE.split(self.words)
        text = "".join(f"({VALUES[part].pattern})" if odd % 2 else re.escape(part) for odd, part in enumerate(parts))
        return re.compile(text, re.ASCII | re.IGNORECASE)

    @cached_property
    def usage(self) -> str:
        """The form as a person is shown it."""
        return _HOLE.sub(lambda hole: VALUES[hole[1]].example, self.words)

    def read(self, text: str) -> Command | None:
        """Return the command the text stands for, None if it is not in this form."""
        found = self.pattern.fullmatch(text)
        if found is None:
            return None
        values = {
            FIELD_OF.get(hole, hole): VALUES[hole].read(value)
            for hole, value in zip(self.holes, found.groups(), strict=True)
        }
        build = cast(Callable[..., Command], self.kind)
        return build(**values, **self.implied)

    def write(self, command: Command) -> str | None:
        """Return the command in this form, None if it says less or other than the command does."""
        if type(command) is not self.kind:
            return None
        given = {part.name: getattr(command, part.name) for part in fields(command)}
        said = {FIELD_OF.get(hole, hole): hole for hole in self.holes}
        for name, value in given.items():
            if name in said:
                if value is None:
                    return None
            elif value != self.implied.get(name):
                return None
        text = _HOLE.sub(lambda hole: VALUES[hole[1]].write(given[FIELD_OF.get(hole[1], hole[1])]), self.words)
        try:
            return text if self.read(text) == command else None
        except NotationError:
            return None


# Alike in type, the first is how we write it; the rest are read too.
FORMS: Final = (
    Form("{card}", act.Play),
    Form("{card} from {hand}", act.Play),
    Form("{pair}", act.PlayTogether),
    Form("asks", act.Ask),
    Form("answers none", act.Answer, {"none": True}),
    Form("answers some", act.Answer, {"none": False}),
    Form("withdraws", act.Withdraw),
    Form("objects", act.Object),
    Form("changes {card}", act.Change),
    Form("gathers", act.Gather),
    Form("quits", act.Quit),
    Form("places", act.Place),
    Form("reviews", act.Review),
    Form("shows {cards}", act.Show),
    Form("throws down", act.ThrowDown),
    Form("claims game", act.ClaimGame),
    Form("claims rest", act.ClaimRest),
    Form("agrees", act.Agree),
    Form("yes", act.Agree),
    Form("declines", act.Decline),
    Form("says mine", act.SayMine),
    Form("names {card}", act.NameCard),
    Form("forgets", act.Forget),
    Form("claims revoke {seat}", act.ClaimRevoke),
    Form("claims revoke {seat} {trick}", act.ClaimRevoke),
    Form("searches", act.Search),
    Form("mixes", act.Mix),
    Form("plays out", act.PlayOut),
    Form("elects {penalty} {revoke}", act.Elect),
    Form("consults", act.Consult),
    Form("calls {card} from {seat}", act.Call, {"demand": Demand.CARD}),
    Form("calls suit {suit} from {seat}", act.Call, {"demand": Demand.SUIT}),
    Form("calls not {card} from {seat}", act.Call, {"demand": Demand.NOT_CARD}),
    Form("calls not suit {suit} from {seat}", act.Call, {"demand": Demand.NOT_SUIT}),
    *(
        Form(f"calls {demand} from {{seat}}", act.Call, {"demand": demand})
        for demand in Demand
        if demand not in {Demand.CARD, Demand.SUIT, Demand.NOT_CARD, Demand.NOT_SUIT}
    ),
    Form("waives", act.Waive),
    Form("ready", act.BeReady),
    Form("claims honours", act.ClaimHonours),
    Form("claims honours {count}", act.ClaimHonours),
    Form("leaves trump", act.LeaveTrump),
    Form("takes up", act.TakeUp),
    Form("cuts", act.Cut),
    Form("new cards", act.CallNewCards),
    Form("takes pack {pack}", act.TakePack),
    Form("declares {trump}", act.Declare),
    Form("leaves it", act.LeaveIt),
    Form("doubles", act.Double),
    Form("redoubles", act.Double),
    Form("may I lead", act.AskToLead),
    Form("satisfied", act.BeSatisfied),
    Form("bets {counters} {on} {side}", act.Bet),
    Form("takes bet {bet}", act.TakeBet),
    Form("marks {side} {points}", act.Mark, {"sheet": Sheet.SCORE}),
    Form("marks above {side} {points}", act.Mark, {"sheet": Sheet.ABOVE}),
    Form("marks game {side} {value}", act.Mark, {"sheet": Sheet.GAME}),
    # The one act of the clock's that no act of a player's stands for: the question has met with silence (R5).
    Form("is silent", act.Lapse, {"right": 0}),
)


def _by_first_word(forms: Iterable[Form]) -> dict[str, tuple[Form, ...]]:
    """Sort forms by their first word; those that begin with a card come under the empty word."""
    sorted_forms: dict[str, tuple[Form, ...]] = {}
    for form in forms:
        word = "" if form.words.startswith("{") else form.words.split()[0].lower()
        sorted_forms[word] = (*sorted_forms.get(word, ()), form)
    return sorted_forms


_BY_WORD: Final = _by_first_word(FORMS)
_BY_KIND: Final = {kind: tuple(form for form in FORMS if form.kind is kind) for kind in {form.kind for form in FORMS}}


def act_text(command: Command) -> str:
    """Return an act as text, without the seat whose act it is.

    ValueError for a command that no text can say: the house's deal, which is a record's header, and one that
    contradicts itself.
    """
    for form in _BY_KIND.get(type(command), ()):
        text = form.write(command)
        if text is not None:
            return text
    raise ValueError(f"{command} is not an act that can be written down")


def parse_act(text: str) -> Command:
    """Return the command that an act's text (without its seat) stands for; NotationError if it stands for none."""
    words = " ".join(text.split())
    if not words:
        raise NotationError("there is no act")
    first = words.split(" ", 1)[0].lower()
    forms = _BY_WORD.get(first, _BY_WORD[""])
    for form in forms:
        command = form.read(words)
        if command is not None:
            return command
    if first in _BY_WORD:
        usages = " or ".join(f"`{form.usage}`" for form in forms)
        raise NotationError(f"{quoted(words)} is not understood: write {usages}")
    raise NotationError(f"{quoted(words)} is neither a card nor an act")


def parse_seat_act(text: str) -> tuple[Seat, Command]:
    """Return who acts and what he does, from a text such as `N SA`; NotationError if it says neither."""
    words = text.split(maxsplit=1)
    if not words or words[0].upper() not in Seat.__members__ or not words[0].isascii():
        raise NotationError(f"{quoted(text.strip())} does not begin with a seat: N, E, S or W")
    if len(words) == 1:
        raise NotationError(f"{quoted(text.strip())} does not say what the seat does")
    return Seat[words[0].upper()], parse_act(words[1])


def seat_act_text(seat: Seat, command: Command) -> str:
    """Return who acts and what he does as a record has it: a card of dummy's stands under dummy's seat."""
    if isinstance(command, act.Play) and command.hand is not None:
        return f"{command.hand.name} {act_text(act.Play(command.card))}"
    return f"{seat.name} {act_text(command)}"
