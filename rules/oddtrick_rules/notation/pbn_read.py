"""Reading deals from Portable Bridge Notation: ours, and those that bridge programs write, for duplicate play.

Only what a deal at whist needs is understood: the hands, the dealer, the trump and the cards played. The rest is
kept as tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from oddtrick_rules.cards import CARD_NAMES, SUIT_OF, Card, Suit, card_named, cards_in
from oddtrick_rules.notation.errors import NotationError, quoted
from oddtrick_rules.notation.hands import TRICKS_IN_HAND, parse_hand
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.state import Masks

PBN_CHARS_MAX: Final = 4_194_304
Trick = tuple[Card | None, Card | None, Card | None, Card | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PbnGame:
    """One game of a PBN file. `trump` and `turned` are None where it names none.

    `tricks` are the cards played, by seat from N to W, None where no card is given.
    """

    line: int
    dealer: Seat
    hands: Masks
    trump: Suit | None = None
    turned: Card | None = None
    tricks: tuple[Trick, ...] = ()
    tags: Mapping[str, str]


@dataclass(slots=True)
class _Section:
    """A tag, the line it stands in, and the words that follow it up to the next."""

    line: int
    name: str
    value: str
    words: list[str] = field(default_factory=list)


_TAG: Final = re.compile(r'\[\s*(\w{1,64})\s*"((?:[^"\\]|\\.)*)"\s*\]', re.ASCII)
_WORD: Final = re.compile(r"[^\s{;\[]+")
_SAME: Final = "#"


def parse_pbn(text: str) -> tuple[PbnGame, ...]:
    """Return the games of a PBN file in order; NotationError, with the line, for what is not PBN or no whole deal."""
    if len(text) > PBN_CHARS_MAX:
        raise NotationError(f"a PBN file is read up to {PBN_CHARS_MAX} characters, this has {len(text)}", line=1)
    games: list[PbnGame] = []
    for sections in _games(text):
        tags = {name: section.value for name, section in sections.items()}
        if games:
            before = games[-1].tags
            tags = {name: before.get(name, "") if value == _SAME else value for name, value in tags.items()}
        games.append(_game(sections, tags))
    return tuple(games)


def _games(text: str) -> Iterator[dict[str, _Section]]:
    """Give each game's sections; a tag that comes again begins another game."""
    game: dict[str, _Section] = {}
    for section in _sections(text):
        if section.name in game:
            yield game
            game = {}
        game[section.name] = section
    if game:
        yield game


def _sections(text: str) -> Iterator[_Section]:
    """Give each tag with the words after it; lines that begin with `%`, what follows a `;` and `{...}` are comments."""
    section: _Section | None = None
    in_comment = False
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), 1):
        at = len(line) if line.startswith("%") and not in_comment else 0
        while at < len(line):
            if in_comment:
                end = line.find("}", at)
                at = len(line) if end < 0 else end + 1
                in_comment = end < 0
            elif line[at] == "{":
                in_comment = True
                at += 1
            elif line[at] == ";":
                at = len(line)
            elif line[at].isspace():
                at += 1
            elif tag := _TAG.match(line, at):
                if section is not None:
                    yield section
                section = _Section(number, tag[1], re.sub(r"\\(.)", r"\1", tag[2]))
                at = tag.end()
            elif section is not None and (word := _WORD.match(line, at)):
                section.words.append(word[0])
                at = word.end()
            else:
                raise NotationError(f'{quoted(line[at:])} is not a tag: `[Name "value"]`', line=number)
    if section is not None:
        yield section


def _game(sections: Mapping[str, _Section], tags: Mapping[str, str]) -> PbnGame:
    first = next(iter(sections.values())).line
    if not tags.get("Deal"):
        raise NotationError("the game has no `Deal`", line=first)
    deal_line = sections["Deal"].line
    hands = _hands(tags["Deal"], deal_line)
    named = "Dealer" in sections and tags["Dealer"] not in {"", "?"}
    dealer = _seat(tags["Dealer"] if named else tags["Deal"][:1], sections["Dealer" if named else "Deal"].line)
    turned = _turned(tags, sections, hands=hands, dealer=dealer)
    trump = SUIT_OF[turned] if turned is not None else _denomination(tags.get("Contract", ""))
    play = sections.get("Play")
    return PbnGame(
        line=first,
        dealer=dealer,
        hands=hands,
        trump=trump,
        turned=turned,
        tricks=() if play is None else tuple(_tricks(play)),
        tags=tags,
    )


def _seat(text: str, line: int) -> Seat:
    if text.upper() not in Seat.__members__:
        raise NotationError(f"{quoted(text)} is not a seat: N, E, S or W", line=line)
    return Seat[text.upper()]


def _hands(text: str, line: int) -> Masks:
    name, _, rest = text.partition(":")
    first = _seat(name.strip(), line)
    words = rest.split()
    if len(words) != len(SEATS):
        raise NotationError(f"a deal has four hands, {quoted(text)} has {len(words)}", line=line)
    hands = [0, 0, 0, 0]
    for turn, word in enumerate(words):
        try:
            hands[(first + turn) % 4] = parse_hand(word)
        except NotationError as wrong:
            raise wrong.at(line) from None
    if any(hand.bit_count() != TRICKS_IN_HAND for hand in hands):
        raise NotationError("each hand of a deal has thirteen cards", line=line)
    pack = 0
    for hand in hands:
        if twice := cards_in(pack & hand):
            raise NotationError(f"{CARD_NAMES[twice[0]]} is in two hands", line=line)
        pack |= hand
    return hands[0], hands[1], hands[2], hands[3]


def _turned(tags: Mapping[str, str], sections: Mapping[str, _Section], *, hands: Masks, dealer: Seat) -> Card | None:
    name = tags.get("TrumpCard", "")
    if name in {"", "?"}:
        return None
    line = sections["TrumpCard"].line
    if name.upper() not in CARD_NAMES:
        raise NotationError(f"{quoted(name)} is not a card", line=line)
    card = card_named(name)
    if not hands[dealer] >> card & 1:
        raise NotationError(f"the trump card {CARD_NAMES[card]} is not in the hand of the dealer", line=line)
    return card


def _denomination(contract: str) -> Suit | None:
    """Return the trump of a contract such as `4SX`; None for a hand passed out, and where it is not known."""
    found = re.fullmatch(r"[1-7](NT|[SHDC])X{0,2}", contract.upper())
    return Suit[found[1]] if found is not None else None


def _tricks(play: _Section) -> Iterator[Trick]:
    """Give the cards of each trick by seat; the columns begin with the seat the tag names. Notes are passed over."""
    first = _seat(play.value, play.line)
    words = [word.rstrip("!?") for word in play.words if re.fullmatch(r"=[0-9]+=|\$[0-9]+|[!?]+", word) is None]
    if "*" in words:
        words = words[: words.index("*")]
    for start in range(0, len(words), 4):
        row: list[Card | None] = [None, None, None, None]
        for turn, word in enumerate(words[start : start + 4]):
            if word.upper() in CARD_NAMES:
                row[(first + turn) % 4] = card_named(word)
            elif word not in {"-", "+"}:
                raise NotationError(f"{quoted(word)} is not a card played", line=play.line)
        yield row[0], row[1], row[2], row[3]
