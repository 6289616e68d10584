"""Reading expectations: the text after the `=`, word by word."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from oddtrick_rules.cards import CARD_NAMES, Card, Suit, card_named
from oddtrick_rules.commands import Demand
from oddtrick_rules.notation.acts import parse_seat_act
from oddtrick_rules.notation.errors import NotationError, quoted
from oddtrick_rules.notation.expect import (
    NO_REVOKE,
    NUMBERS,
    STAGE_WORDS,
    BetDecided,
    Cited,
    Expectation,
    GameEnded,
    Judged,
    May,
    Must,
    Numbers,
    Refused,
    Revoked,
    RubberEnded,
    Turn,
    holding,
)
from oddtrick_rules.notation.header import GAME_WORDS, game_word, number, parse_pair
from oddtrick_rules.seats import Seat, Side

REVOKE_WORDS: Final = (NO_REVOKE, *dict.fromkeys(word for words in STAGE_WORDS.values() for word in words))
_NONE: Final = "-"


def parse_expectation(text: str) -> Expectation:
    """Return the expectation that the text after a `=` states; NotationError if it states none."""
    words = text.split()
    if not words:
        raise NotationError("nothing stands after the `=`")
    if not text.isascii():
        raise NotationError(f"{quoted(text.strip())} is not an expectation")
    first = words[0].lower()
    if first == "may":
        return _may(words[1:])
    lower = [word.lower() for word in words]
    if first in _READERS:
        return _READERS[first](lower[1:])
    raise NotationError(f"{quoted(' '.join(words))} is not an expectation: one begins with {', '.join(_WORDS)}")


def _may(words: list[str]) -> May:
    yes = not words or words[0].lower() != "not"
    seat, command = parse_seat_act(" ".join(words if yes else words[1:]))
    return May(seat, command, yes=yes)


def _not(words: list[str]) -> Cited:
    _demand(len(words) == 2 and words[0] == "law", "`= not law 73`")
    return Cited(_law(words[1]), yes=False)


def _refused(words: list[str]) -> Refused:
    _demand(len(words) <= 1, "`= refused` or `= refused 73`")
    return Refused(_law(words[0]) if words else None)


def _cited(words: list[str]) -> Cited:
    _demand(len(words) == 1, "`= law 73`")
    return Cited(_law(words[0]))


def _turn(words: list[str]) -> Turn:
    _demand(len(words) == 1, "`= turn W`")
    return Turn(_seat(words[0]))


def _must(words: list[str]) -> Must:
    usage = "`= must S lowest S`, or `highest S`, `card H3`, `suit D`, `win`, `lose`, `nothing`"
    _demand(len(words) >= 2, usage)
    seat = _seat(words[0])
    demand = " ".join(words[1:])
    if demand == "nothing":
        return Must(seat)
    if demand in {Demand.WIN, Demand.LOSE, Demand.TRUMP_HIGHEST, Demand.TRUMP_LOWEST}:
        return Must(seat, Demand(demand))
    _demand(len(words) == 3 and words[1] in {Demand.HIGHEST, Demand.LOWEST, Demand.SUIT, Demand.CARD}, usage)
    if words[1] == Demand.CARD:
        return Must(seat, Demand.CARD, card=_card(words[2]))
    _demand(words[2] in {"s", "h", "d", "c"}, usage)
    return Must(seat, Demand(words[1]), suit=Suit[words[2].upper()])


def _hand(words: list[str]) -> Expectation:
    return _cards(words, callable_=False)


def _callable(words: list[str]) -> Expectation:
    return _cards(words, callable_=True)


def _cards(words: list[str], *, callable_: bool) -> Expectation:
    _demand(len(words) >= 2, "`= callable S H3` or `= callable S -`" if callable_ else "`= hand S S7 H3`")
    names = [] if words[1:] == [_NONE] else words[1:]
    return holding(_seat(words[0]), tuple(_card(name) for name in names), callable_=callable_)


def _revoke(words: list[str]) -> Revoked:
    _demand(len(words) == 3 and words[2] in REVOKE_WORDS, f"`= revoke S 12 made`, or {', '.join(REVOKE_WORDS)}")
    trick = number(words[1])
    if not 1 <= trick <= 13:
        raise NotationError(f"there is no trick {trick}")
    return Revoked(_seat(words[0]), trick, words[2])


def _claim(words: list[str]) -> Judged:
    _demand(words in (["proved"], ["not", "proved"]), "`= claim proved` or `= claim not proved`")
    return Judged(words == ["proved"])


def _numbers(what: str) -> Callable[[list[str]], Numbers]:
    def read(words: list[str]) -> Numbers:
        value = _games if what == "games" else number
        return Numbers(what, tuple(parse_pair(" ".join(words), value).items()))

    return read


def _games(word: str) -> int:
    """Return how many games a side has won: a number, or the word of the only one."""
    return number(word) if word.isdigit() else min(1, game_word(word))


def _game(words: list[str]) -> GameEnded:
    _demand(len(words) in {1, 2} and all(word in GAME_WORDS for word in words[1:]), "`= game NS treble` or `= game NS`")
    return GameEnded(_side(words[0]), GAME_WORDS[words[1]] if words[1:] else None)


def _rubber(words: list[str]) -> RubberEnded:
    _demand(len(words) == 2, "`= rubber NS 8`")
    return RubberEnded(_side(words[0]), number(words[1]))


def _bet(words: list[str]) -> BetDecided:
    _demand(len(words) == 2, "`= bet 1 N`")
    return BetDecided(number(words[0]), _seat(words[1]))


_READERS: Final[Mapping[str, Callable[[list[str]], Expectation]]] = {
    "refused": _refused,
    "law": _cited,
    "not": _not,
    "turn": _turn,
    "must": _must,
    "hand": _hand,
    "callable": _callable,
    "revoke": _revoke,
    "claim": _claim,
    **{what: _numbers(what) for what in NUMBERS},
    "game": _game,
    "rubber": _rubber,
    "bet": _bet,
}
_WORDS: Final = ("may", "may not", *(word if word != "not" else "not law" for word in _READERS))


def _demand(met: bool, usage: str) -> None:  # noqa: FBT001 - reads like an assertion, which it is of the writer
    if not met:
        raise NotationError(f"write {usage}")


def _law(word: str) -> str:
    law = word.upper() if word.startswith("r") else word
    if re.fullmatch(r"R?[1-9][0-9]{0,2}[a-z]?", law) is None:
        raise NotationError(f"{quoted(word)} is not the number of a law")
    return law


def _seat(word: str) -> Seat:
    if word.upper() not in Seat.__members__:
        raise NotationError(f"{quoted(word)} is not a seat: N, E, S or W")
    return Seat[word.upper()]


def _side(word: str) -> Side:
    if word.upper() not in Side.__members__:
        raise NotationError(f"{quoted(word)} is not a side: NS or EW")
    return Side[word.upper()]


def _card(word: str) -> Card:
    if word.upper() not in CARD_NAMES:
        raise NotationError(f"{quoted(word)} is not a card")
    return card_named(word)
