"""The header of a record: code, table, hands and standing, as text and as values.

`parse_header` demands of a header everything that can be demanded without playing, so that whatever it returns can
be set up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from oddtrick_rules.cards import CARD_NAMES, SUIT_OF, Card, Mask, Suit, card_named, cards_in
from oddtrick_rules.code import Code
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.notation.errors import NotationError, quoted
from oddtrick_rules.notation.hands import TRICKS_IN_HAND, hand_text, parse_hand
from oddtrick_rules.seats import LEFT, SEATS, SIDE, SIDES, Seat, Side
from oddtrick_rules.state import Enforcement, Masks, Pair

POINTS_MAX: Final = 99_999
GAME_WORDS: Final[Mapping[str, int]] = {"single": 1, "double": 2, "treble": 3}
GAME_NAMES: Final[Mapping[int, str]] = {value: word for word, value in GAME_WORDS.items()}
Games = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a record begins from; `trump` is None while one is still to be declared, `turned` whist's trump card."""

    code: Code
    dealer: Seat
    leader: Seat
    hands: Masks
    title: str = ""
    enforcement: Enforcement = Enforcement.CLUB
    trump: Suit | None = None
    turned: Card | None = None
    maker: Seat | None = None
    multiplier: int = 1
    tricks: Pair = (0, 0)
    score: Pair = (0, 0)
    games: Games = ((), ())
    totals: Pair = (0, 0)

    @property
    def size(self) -> int:
        """How many cards each hand has."""
        return self.hands[0].bit_count()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A header line: its number, its key and what stands after the colon."""

    line: int
    key: str
    value: str

    def wrong(self, reason: str) -> NotationError:
        return NotationError(f"{self.key}: {reason}", line=self.line)


KEYS: Final = (
    "Title",
    "Code",
    "Enforcement",
    "Dealer",
    "Trump",
    "Declarer",
    "Doubled",
    "Leader",
    "Deal",
    "Tricks",
    "Score",
    "Games",
    "Totals",
)
_KEYS_LOWER: Final = {key.lower(): key for key in KEYS}
_AT_BRIDGE_ONLY: Final = ("Declarer", "Doubled", "Totals")


def parse_header(lines: Iterable[tuple[int, str]]) -> Header:
    """Read header lines, each with its number in the file; NotationError, with the line, for the first thing wrong."""
    entries, last = _entries(lines)
    for key in ("Code", "Dealer", "Deal"):
        if key not in entries:
            raise NotationError(f"the header has no `{key}:`", line=last)
    code = _code(entries["Code"])
    for key in _AT_BRIDGE_ONLY:
        if key in entries and not code.dummy:
            raise entries[key].wrong(f"belongs to bridge, not to {code.id}")
    dealer = _seat(entries["Dealer"])
    hands = _hands(entries["Deal"])
    trump, turned = _trump(entries.get("Trump"), code=code, dealer=dealer, hands=hands, last=last)
    return Header(
        code=code,
        title=entries["Title"].value if "Title" in entries else "",
        enforcement=_enforcement(entries["Enforcement"]) if "Enforcement" in entries else Enforcement.CLUB,
        dealer=dealer,
        leader=_seat(entries["Leader"]) if "Leader" in entries else LEFT[dealer],
        hands=hands,
        trump=trump,
        turned=turned,
        maker=_maker(entries.get("Declarer"), dealer=dealer, trump=trump) if code.dummy else None,
        multiplier=_multiplier(entries.get("Doubled"), trump=trump),
        tricks=_tricks(entries.get("Tricks"), size=hands[0].bit_count(), last=last),
        score=_points(entries.get("Score"), below=code.game_points),
        games=_games(entries.get("Games"), code=code),
        totals=_points(entries.get("Totals"), below=POINTS_MAX + 1),
    )


def header_text(header: Header) -> str:
    """Return the header as lines of text, defaults left out; `parse_header` gives the same header from them."""
    lines = [f"Title: {header.title}"] if header.title else []
    lines.append(f"Code: {header.code.id}")
    if header.enforcement is not Enforcement.CLUB:
        lines.append(f"Enforcement: {header.enforcement}")
    lines.append(f"Dealer: {header.dealer.name}")
    if header.turned is not None:
        lines.append(f"Trump: {CARD_NAMES[header.turned]}")
    elif header.trump is not None:
        lines.append(f"Trump: {header.trump.name}")
    if header.maker is not None:
        lines.append(f"Declarer: {header.maker.name}")
    if header.multiplier != 1:
        lines.append(f"Doubled: {header.multiplier}")
    if header.leader is not LEFT[header.dealer]:
        lines.append(f"Leader: {header.leader.name}")
    lines.append("Deal: " + " ".join(f"{seat.name}:{hand_text(header.hands[seat])}" for seat in SEATS))
    lines.extend(
        f"{key}: {pair_text(pair)}"
        for key, pair in (("Tricks", header.tricks), ("Score", header.score))
        if pair != (0, 0)
    )
    if header.games != ((), ()):
        words = [GAME_NAMES[games[0]] if games else "0" for games in header.games]
        lines.append(f"Games: NS {words[0]} EW {words[1]}")
    if header.totals != (0, 0):
        lines.append(f"Totals: {pair_text(header.totals)}")
    return "\n".join(lines) + "\n"


def pair_text(pair: Pair) -> str:
    """Return both sides' numbers: `NS 3 EW 0`."""
    return " ".join(f"{side.name} {pair[side]}" for side in SIDES)


def parse_pair(text: str, read: Callable[[str], int]) -> dict[Side, int]:
    """Return what a text such as `NS 3 EW 0` says of each side; one may be left out. NotationError otherwise."""
    words = text.split()
    said: dict[Side, int] = {}
    for name, value in zip(words[::2], words[1::2], strict=False):
        if not name.isascii() or name.upper() not in Side.__members__:
            raise NotationError(f"{quoted(name)} is not a side: NS or EW")
        side = Side[name.upper()]
        if side in said:
            raise NotationError(f"{side.name} is named twice")
        said[side] = read(value)
    if not said or len(words) % 2:
        raise NotationError(f"{quoted(text)} does not give each side a value, as `NS 3 EW 0` does")
    return said


def number(text: str) -> int:
    """Return a number of points or tricks; NotationError if the text is none, or one that no game reaches."""
    if re.fullmatch(r"-?[0-9]{1,5}", text) is None:
        raise NotationError(f"{quoted(text)} is not a number of points or tricks")
    return int(text)


def game_word(text: str) -> int:
    """Return the value of a game given by its word or as `0` or `1`."""
    value = {"0": 0, "1": 1, **GAME_WORDS}.get(text.lower())
    if value is None:
        raise NotationError(f"{quoted(text)} is not a game: 0, single, double or treble")
    return value


def _entries(lines: Iterable[tuple[int, str]]) -> tuple[dict[str, _Entry], int]:
    entries: dict[str, _Entry] = {}
    last = 1
    for last, text in lines:
        name, colon, value = text.partition(":")
        if not colon:
            raise NotationError(
                f"{quoted(text.strip())} is not a header line (`Key: value`); a blank line ends the header", line=last
            )
        key = _KEYS_LOWER.get(name.strip().lower())
        if key is None:
            raise NotationError(
                f"there is no header line {quoted(name.strip())}; there are {', '.join(KEYS)}", line=last
            )
        if key in entries:
            raise NotationError(f"`{key}:` stands twice, first in line {entries[key].line}", line=last)
        entries[key] = _Entry(last, key, value.strip())
    return entries, last


def _code(entry: _Entry) -> Code:
    code = CODES.get(entry.value.lower())
    if code is None:
        raise entry.wrong(f"{quoted(entry.value)} is no code of laws here; there are {', '.join(CODES)}")
    return code


def _enforcement(entry: _Entry) -> Enforcement:
    try:
        return Enforcement(entry.value.lower())
    except ValueError:
        raise entry.wrong(f"{quoted(entry.value)} is not one of {', '.join(Enforcement)}") from None


def _seat(entry: _Entry) -> Seat:
    if not entry.value.isascii() or entry.value.upper() not in Seat.__members__:
        raise entry.wrong(f"{quoted(entry.value)} is not a seat: N, E, S or W")
    return Seat[entry.value.upper()]


def _hands(entry: _Entry) -> Masks:
    hands: dict[Seat, Mask] = {}
    for word in entry.value.split():
        name, colon, cards = word.partition(":")
        if not colon or not name.isascii() or name.upper() not in Seat.__members__:
            raise entry.wrong(f"{quoted(word)} is not a seat and its hand, as `N:AK2.QJ.T98.76543` is")
        seat = Seat[name.upper()]
        if seat in hands:
            raise entry.wrong(f"{seat.name} has two hands")
        try:
            hands[seat] = parse_hand(cards)
        except NotationError as wrong:
            raise entry.wrong(f"{seat.name}: {wrong.reason}") from None
    missing = [seat.name for seat in SEATS if seat not in hands]
    if missing:
        raise entry.wrong(f"there is no hand for {' and '.join(missing)}")
    seen = 0
    for seat in SEATS:
        if twice := cards_in(seen & hands[seat]):
            raise entry.wrong(f"{CARD_NAMES[twice[0]]} is in two hands")
        seen |= hands[seat]
    if len({hand.bit_count() for hand in hands.values()}) != 1:
        sizes = ", ".join(f"{seat.name} {hands[seat].bit_count()}" for seat in SEATS)
        raise entry.wrong(f"the hands are not equally long: {sizes}")
    if not 1 <= hands[Seat.N].bit_count() <= TRICKS_IN_HAND:
        raise entry.wrong("the hands are empty")
    return hands[Seat.N], hands[Seat.E], hands[Seat.S], hands[Seat.W]


def _trump(
    entry: _Entry | None, *, code: Code, dealer: Seat, hands: Masks, last: int
) -> tuple[Suit | None, Card | None]:
    whole = hands[0].bit_count() == TRICKS_IN_HAND
    if entry is None:
        if code.turned_trump:
            raise NotationError(f"the header has no `Trump:`, which {code.id} needs", line=last)
        if not whole:
            raise NotationError("the header of an ending needs its `Trump:`", line=last)
        return None, None
    text = entry.value.upper() if entry.value.isascii() else entry.value
    if text in Suit.__members__:
        if code.turned_trump and whole:
            raise entry.wrong(f"in a deal of 13 cards {code.id} needs the card turned up, not a suit")
        if code.turned_trump and text == Suit.NT.name:
            raise entry.wrong(f"{code.id} knows no hand without trumps")
        return Suit[text], None
    if text not in CARD_NAMES:
        raise entry.wrong(f"{quoted(entry.value)} is neither a card nor a suit")
    if not code.turned_trump:
        raise entry.wrong(f"no card is turned up in {code.id}; name a suit or NT")
    card = card_named(text)
    if whole and not hands[dealer] >> card & 1:
        raise entry.wrong(f"the trump card {text} is not in the hand of the dealer, {dealer.name}")
    holder = next((seat for seat in SEATS if hands[seat] >> card & 1), dealer)
    if holder is not dealer:
        raise entry.wrong(f"the trump card {text} was the dealer's, and {holder.name} holds it")
    return SUIT_OF[card], card


def _maker(entry: _Entry | None, *, dealer: Seat, trump: Suit | None) -> Seat | None:
    """Return who named the trump: the dealer, unless his partner is said to have."""
    if trump is None:
        if entry is not None:
            raise entry.wrong("nobody has declared while there is no `Trump:`")
        return None
    if entry is None:
        return dealer
    seat = _seat(entry)
    if SIDE[seat] is not SIDE[dealer]:
        raise entry.wrong(f"{seat.name} is not on the side of the dealer, {dealer.name}")
    return seat


def _multiplier(entry: _Entry | None, *, trump: Suit | None) -> int:
    if entry is None:
        return 1
    if trump is None:
        raise entry.wrong("nothing is doubled while there is no `Trump:`")
    if entry.value not in {"1", "2", "4", "8", "16", "32", "64"}:
        raise entry.wrong(f"{quoted(entry.value)} is not a number of times that doubling gives: 1, 2, 4 to 64")
    return int(entry.value)


def _pair(entry: _Entry, read: Callable[[str], int]) -> Pair:
    try:
        said = parse_pair(entry.value, read)
    except NotationError as wrong:
        raise entry.wrong(wrong.reason) from None
    return said.get(Side.NS, 0), said.get(Side.EW, 0)


def _points(entry: _Entry | None, *, below: int) -> Pair:
    if entry is None:
        return 0, 0
    pair = _pair(entry, number)
    if not all(0 <= points < below for points in pair):
        raise entry.wrong(f"points stand from 0 to {below - 1}")
    return pair


def _tricks(entry: _Entry | None, *, size: int, last: int) -> Pair:
    pair = (0, 0) if entry is None else _pair(entry, number)
    if min(pair) < 0 or sum(pair) + size != TRICKS_IN_HAND:
        reason = f"{sum(pair)} tricks taken and {size} cards in each hand do not make {TRICKS_IN_HAND}"
        raise NotationError(f"Tricks: {reason}", line=last if entry is None else entry.line)
    return pair


def _games(entry: _Entry | None, *, code: Code) -> Games:
    if entry is None:
        return (), ()
    values = _pair(entry, game_word)
    if code.dummy and max(values) > 1:
        raise entry.wrong(f"a game has no value of its own in {code.id}: 0 or 1")
    ours, theirs = ((value,) if value else () for value in values)
    return ours, theirs
