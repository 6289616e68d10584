"""A table that is formed by cutting (13-21 · 4-12 · 14-22): who plays, who goes out, who waits, who are partners, who deals.

`oddtrick_rules.forming` judges the cards; here they are cut, published, and done as they say. All of it happens at once, when a
rubber begins, so whoever has declared in by then has done so before anybody has cut. A house bot plays where a person is missing:
it makes room for anyone who waits, and cuts only for partners.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Final, TypeVar

from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as happened
from oddtrick_protocol.closing import Refuse
from oddtrick_rules import forming
from oddtrick_rules.cards import Card
from oddtrick_rules.code import Code, Rule
from oddtrick_rules.codes.registry import code_named
from oddtrick_rules.forming import AT_PLAY, CutAgain, Partners, Rounds
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import LEFT, PARTNER, RIGHT, SEATS, Seat
from oddtrick_rules.shuffle import NO_ENTROPY, SECRET_BYTES, deal_order
from oddtrick_server import dealing, seating
from oddtrick_server.person import DONE, Person, Reply, no, no_by_law

if TYPE_CHECKING:
    from oddtrick_server.book import Book
    from oddtrick_server.table import Table

Player = TypeVar("Player", bound=str | Seat)
Outcome = TypeVar("Outcome")

CUT: Final = "cut"


def declare_in(table: Table, person: Person, _message: m.DeclareIn, _now: float) -> Reply:
    """Ask for a place in the rubber that begins next."""
    book = table.book
    if book.info.forming != CUT:
        return no(Refuse.NOT_READY, "this table is not formed by cutting: sit down where a seat is free")
    persons = [identity for identity, _ in _persons(book)]
    answer = forming.declare_in(_code(book), person.identity, table=persons, waiting=book.info.waiting, cutting=False)
    if isinstance(answer, Refusal):
        return no_by_law(answer)
    table.emit(happened.DeclaredIn(person.identity, _names(book)[person.identity], answer.cites))
    return DONE


def form(table: Table, rubber: int) -> Seat:
    """Form the table for that rubber: fill the seats, part the four into partners and seat them; who deals first."""
    cuts = _Cuts(table, rubber)
    _fill(table, cuts)
    seating.fill_with_bots(table, table.brains.substitute)

    def decide(rounds: Rounds[Seat]) -> Partners[Seat] | CutAgain[Seat]:
        return forming.cut_for_partners(rounds)

    partners: Partners[Seat] = cuts.until_decided("partners", SEATS, decide)
    before = _seats_of(partners)
    table.emit(happened.SeatsChanged(before, forming.cites_of(_code(table.book), partners)))
    dealing.commit_anew(table)
    return partners.dealer


class _Cuts:
    """The cuts for one rubber: each is from the whole pack, and published."""

    def __init__(self, table: Table, rubber: int) -> None:
        self._table = table
        self._rubber = rubber
        self._count = 0

    def until_decided(
        self,
        purpose: str,
        players: Sequence[Player],
        decide: Callable[[Rounds[Player]], Outcome | CutAgain[Player]],
    ) -> Outcome:
        """Let these cut, and equals again as often as it takes; what `decide` makes of it."""
        rounds = [self._cut(purpose, players)]
        while isinstance(outcome := decide(rounds), CutAgain):
            rounds.append(self._cut(purpose, outcome.players, again=True))
        return outcome

    def _cut(self, purpose: str, players: Sequence[Player], *, again: bool = False) -> Mapping[Player, Card]:
        book = self._table.book
        cards = [Card(card) for card in self._pack()[: len(players)]]
        code = _code(book)
        cites = (*code.cites(Rule.CUTTING), *(code.cites(Rule.EQUAL_CUTS) if again else ()))
        names = _names(book)
        self._table.emit(
            happened.CardsCut(
                purpose,
                tuple(_identity(book, player) for player in players),
                tuple(names[player] if isinstance(player, str) else _name_at(book, player) for player in players),
                tuple(cards),
                cites,
            )
        )
        return dict(zip(players, cards, strict=True))

    def _pack(self) -> tuple[int, ...]:
        """A whole pack in an order that nobody can foretell."""
        self._count += 1
        opened = self._table.book.opened
        assert opened is not None
        lot = f"cut/{self._rubber}/{self._count}"
        seed = opened.seed
        secret = self._table.entropy(SECRET_BYTES) if seed is None else sha256(f"{seed}/{lot}".encode()).digest()
        return deal_order(secret, [NO_ENTROPY] * len(SEATS), hand_id=lot, dealer=Seat.N)


# --- who plays ---


def _fill(table: Table, cuts: _Cuts) -> None:
    """Give those who wait their places: where nobody sits, then a bot's, then those of players who go out for them."""
    book = table.book
    for seat in SEATS:
        sitter = book.info.seats[seat]
        free = book.info.seats.count(None)
        if sitter is not None and sitter.bot is not None and free < len(book.info.waiting):
            table.emit(happened.Stood(seat))
    waiting = book.info.waiting
    leaving = max(0, len(waiting) - book.info.seats.count(None))
    if leaving == 0:
        _come_in(table, waiting)
        return
    code = _code(book)
    persons = dict(_persons(book))
    if book.info.rubber == 0:
        ranked = _lowest(cuts, [*persons, *waiting])
        playing = ranked[:AT_PLAY]
        names = _names(book)
        _go_out(table, {identity: seat for identity, seat in persons.items() if identity not in playing}, names)
        _come_in(table, [identity for identity in playing if identity in waiting])
        queue, cites = ranked[AT_PLAY:], code.cites(Rule.TABLE_OF_SIX)
    else:
        out = _longest(cuts, {identity: book.played.get(identity, 0) for identity in persons}, leaving)
        _go_out(table, {identity: persons[identity] for identity in out}, _names(book))
        _come_in(table, waiting)
        queue, cites = out, forming.cites_of_leaving(code)
    table.emit(happened.QueueFormed(tuple(one for one in queue if book.watches(one)), cites))


def _lowest(cuts: _Cuts, players: Sequence[str]) -> tuple[str, ...]:
    """All the candidates by their right to a place: the first four play, the next has the first vacancy."""

    def decide(rounds: Rounds[str]) -> tuple[str, ...] | CutAgain[str]:
        ranked: tuple[str, ...] | CutAgain[str] = ()
        for places in range(AT_PLAY, len(players)):
            ranked = forming.cut_for_places(rounds, places=places)
            if isinstance(ranked, CutAgain):
                return ranked
        assert not isinstance(ranked, CutAgain)
        return (*ranked, *(player for player in players if player not in ranked))

    return cuts.until_decided("places", players, decide)


def _longest(cuts: _Cuts, played: Mapping[str, int], leaving: int) -> tuple[str, ...]:
    """Who goes out: they cut only if their rubbers do not decide it."""
    outcome = forming.cut_out(played, leaving=leaving)
    if not isinstance(outcome, CutAgain):
        return outcome
    return cuts.until_decided(
        "leaving", outcome.players, lambda rounds: forming.cut_out(played, rounds, leaving=leaving)
    )


def _go_out(table: Table, who: Mapping[str, Seat], names: Mapping[str, str]) -> None:
    """Leave the seat and stay as a bystander; one who is not there leaves the table."""
    for identity, seat in who.items():
        table.emit(happened.Stood(seat))
        if identity in table.attended:
            table.emit(happened.BystanderCame(identity, names[identity]))


def _come_in(table: Table, who: Sequence[str]) -> None:
    """Take the free seats, in order."""
    names = _names(table.book)
    free = [seat for seat in SEATS if table.book.info.seats[seat] is None]
    for identity, seat in zip(who, free, strict=False):
        table.emit(happened.BystanderLeft(identity, names[identity]))
        table.emit(happened.Sat(seat, identity, names[identity]))


# --- where they sit ---


def _seats_of(partners: Partners[Seat]) -> tuple[Seat, Seat, Seat, Seat]:
    """For each seat, where he sat who has it now: the dealer keeps his, which is his choice, and no more move than must."""
    dealer, partner = partners.low
    left, right = partners.high
    if left is RIGHT[dealer] or right is LEFT[dealer]:
        left, right = right, left
    now = {dealer: dealer, PARTNER[dealer]: partner, LEFT[dealer]: left, RIGHT[dealer]: right}
    return now[Seat.N], now[Seat.E], now[Seat.S], now[Seat.W]


# --- small change ---


def _code(book: Book) -> Code:
    return code_named(book.info.code)


def _persons(book: Book) -> list[tuple[str, Seat]]:
    """Who has a seat and is no house bot."""
    seats = zip(SEATS, book.info.seats, strict=True)
    return [(sitter.identity, seat) for seat, sitter in seats if sitter is not None and sitter.bot is None]


def _names(book: Book) -> dict[str, str]:
    """The people of the table by identity."""
    names = {one.identity: one.name for one in book.info.bystanders}
    return names | {identity: _name_at(book, seat) for identity, seat in _persons(book)}


def _identity(book: Book, player: str | Seat) -> str:
    if isinstance(player, str):
        return player
    sitter = book.info.seats[player]
    return "" if sitter is None else sitter.identity


def _name_at(book: Book, seat: Seat) -> str:
    sitter = book.info.seats[seat]
    return "" if sitter is None else sitter.name
