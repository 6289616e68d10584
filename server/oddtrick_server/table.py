"""A table, sans-I/O: a command or a stroke of the clock in, entries for the log and things to show out.

    table = Table.opened(...)           or Table.regained(entries, ...) after a crash
    reply = table.handle(person, message, now)
    table.tick(now)                     at `table.due()` at the latest
    out = table.take()                  what must be kept, in order, before anything of it is shown

Time, chance and identity come in as arguments. What is decided becomes steps of an entry, and `book.py` folds them, now and after
a crash alike. A command that is refused leaves everything as it was.

Theory of operation
    A command (`handlers`) judges against the book and makes steps, or refuses before the first. `follow` then adds what follows
    of itself: the host moves on, an owner gets his seat back between tricks, the next deal is made. Then the entry is closed.
    A clock that has run out makes an entry in the same way. One entry is one step of the table: it is kept whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as happened
from oddtrick_protocol.closing import Refuse
from oddtrick_protocol.facts import command_to_wire, event_to_wire
from oddtrick_protocol.table_events import ClockLimits, TableEvent
from oddtrick_rules.commands import Command
from oddtrick_rules.decide import judge
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import Actor, Official, Seat
from oddtrick_rules.state import Enforcement
from oddtrick_server import acting, agreeing, cutting, dealing, hosting, seating, talking
from oddtrick_server.book import Book
from oddtrick_server.entries import (
    Acted,
    Entry,
    Happened,
    Mark,
    Opened,
    Regained,
    Stalled,
    Step,
    Summed,
    encode_entry,
    form_of,
)
from oddtrick_server.hand_record import HandRecord
from oddtrick_server.limits import Limits
from oddtrick_server.person import DONE, Done, No, Person, Reply, no
from oddtrick_server.rates import Buckets
from oddtrick_server.roles import Role, refusal_for
from oddtrick_server.stand_ins import Brains
from oddtrick_server.summing import can_be_summed_up, sum_of
from oddtrick_server.upkeep import Upkeep

Entropy: TypeAlias = Callable[[int], bytes]
"""Gives so many bytes that nobody can foretell."""

Handler: TypeAlias = Callable[["Table", Person, Any, float], Reply]
_OFFICIALS: Final = {Official.CLOCK: "clock", Official.HOUSE: "house"}


@dataclass(slots=True)
class Taken:
    """What a table has to say since it was last asked: to be kept in this order, then shown."""

    secrets: list[tuple[str, bytes]] = field(default_factory=list)  # by name: before the entries
    entries: list[bytes] = field(default_factory=list)
    finished: list[HandRecord] = field(default_factory=list)  # after them
    spent_secrets: list[str] = field(default_factory=list)


class Table:
    """One table. All its methods take the time in seconds, which never goes back."""

    def __init__(self, table_id: str, *, book: Book, limits: Limits, entropy: Entropy, brains: Brains) -> None:
        self.id = table_id
        self.book = book
        self.limits = limits
        self.entropy = entropy
        self.brains = brains
        self.secrets: dict[str, bytes] = {}  # of sealed deals, by the name each is kept under
        self.thinking: dict[Seat, tuple[str, float]] = {}  # what a bot thinks about, and until when
        self.attended: set[str] = set()  # identities with a connection here
        self.chats = Buckets(per_s=limits.chats_per_s, burst=limits.chats_burst, keys_max=1_000)
        self.faults: list[str] = []  # what went wrong at this table and is ours to mend
        self._steps: list[Step] = []
        self._out = Taken()
        self._now = 0.0

    @property
    def _upkeep(self) -> Upkeep:
        # Made when asked for: kept, it would tie a closed table into a circle for the garbage collector.
        return Upkeep(self)

    # --- beginning ---

    @classmethod
    def opened(
        cls,
        table_id: str,
        creator: Person,
        wish: m.Create,
        now: float,
        *,
        invite: str,
        limits: Limits,
        entropy: Entropy,
        brains: Brains,
    ) -> Table:
        """A new table as `wish` has it; what is in it has been checked (`hosting.check_wish`)."""
        table = cls(table_id, book=Book(limits), limits=limits, entropy=entropy, brains=brains)
        table.attended.add(creator.identity)
        table.begin(now)
        table.mark(Opened(table_id, creator.identity, creator.name, invite, wish.seed))
        table.emit(
            happened.TableOpened(
                code=wish.code,
                enforcement=Enforcement(wish.enforcement),
                clocks=hosting.clocks_with(ClockLimits(), wish.clocks),
                private=wish.private,
                watch=wish.watch,
                open_hands=wish.open_hands,
                reasonable_time=wish.reasonable_time,
                forming=wish.forming,
                stakes=wish.stakes,
            )
        )
        table.emit(happened.HostMoved(creator.identity, creator.name))
        seating.fill_with_bots(table, wish.bot, count=wish.bots, from_last=True)
        table.end(who=creator.identity, command_id=wish.id)
        return table

    @classmethod
    def regained(
        cls,
        table_id: str,
        book: Book,
        now: float,
        *,
        secrets: dict[str, bytes],
        limits: Limits,
        entropy: Entropy,
        brains: Brains,
    ) -> Table:
        """The table that `book` tells of, after its whole log; `secrets` are those of `dealing.unopened(book)`, by name."""
        table = cls(table_id, book=book, limits=limits, entropy=entropy, brains=brains)
        table.secrets = {name: secrets[name] for name in dealing.unopened(book)}
        table.begin(now)
        table.mark(Regained())
        table.end()
        return table

    # --- asking ---

    def handle(self, person: Person, message: m.ClientMessage, now: float) -> Reply:
        """Do what a person asks, or refuse it. The same id of the same person is answered as it was first, and not done again."""
        key = (person.identity, message.id)
        if key in self.book.answers:
            seat = self.book.answers[key]
            return Done(None if seat is None else Seat[seat])
        why = refusal_for(type(message), self.roles_of(person.identity))
        if why is not None:
            return no(why)
        if self.book.info.closed is not None:
            return no(Refuse.NO_SUCH_TABLE, "the table is closed")
        if self._is_drawn_out() and not isinstance(message, _ENDING):
            return no(Refuse.RATE, "too much has gone on around this hand: it is played to its end first")
        self.begin(now)
        reply = HANDLERS[type(message)](self, person, message, now)
        if isinstance(reply, No):
            assert not self._steps, f"{type(message).__name__} was refused after it had begun"
            return reply
        if self._steps:
            self.end(who=person.identity, command_id=message.id, seat=reply.seat)
        return reply

    def _is_drawn_out(self) -> bool:
        """Whether so much has happened in one hand that its end must come first.

        No log is summed up in the middle of a hand, and every entry of it is read again by who takes the table up.
        """
        book = self.book
        is_long = book.entries_since_sum >= self.limits.entries_unsummed_max
        return is_long and book.in_play and not can_be_summed_up(book)

    def arrived(self, person: Person, now: float) -> None:
        """A person's connection is at the table now: he is back, if he was away without having said so."""
        self.attended.add(person.identity)
        self.begin(now)
        seating.arrived(self, person)
        self.end()

    def lost(self, identity: str, now: float) -> None:
        """A person's last connection to the table is gone."""
        self.attended.discard(identity)
        self.begin(now)
        seating.lost(self, identity)
        self.end()

    def stalled(self, seconds: float, now: float) -> None:
        """For so long nobody could act: no clock counts it."""
        self.begin(now)
        self.mark(Stalled(seconds))
        self.end()

    def tick(self, now: float) -> None:
        """Do all that is due by now."""
        for _ in range(_STROKES_MAX):
            stroke = self._upkeep.first_due(now)
            if stroke is None:
                return
            self.begin(now)
            stroke()
            self.end()
        raise AssertionError(f"table {self.id}: the clock strikes without end")

    def due(self) -> float | None:
        """When `tick` has something to do next; None if nothing is running."""
        return self._upkeep.due()

    def sum_up(self, now: float) -> bool:
        """Sum up a log that has grown long, if the table is between two hands.

        Whether it was: then the last of the entries to be kept now stands for all before it.
        """
        if self.book.entries_since_sum < self.limits.sum_up_entries or not can_be_summed_up(self.book):
            return False
        mark = Summed(sum_of(self.book))
        if len(encode_entry(Entry(at=now, steps=[mark]))) > self.limits.sum_bytes_max:
            # A crowd beyond all bounds; tried again when the log has grown as much again.
            self.book.entries_since_sum = 0
            return False
        self.begin(now)
        self.mark(mark)
        self.end()
        return True

    def archive(self, now: float, reason: str) -> None:
        """Close the table for good: every deal is opened, the hand in play is given up."""
        self.begin(now)
        dealing.open_all(self)
        self.emit(happened.TableClosed(reason))
        self.end()

    def roles_of(self, identity: str) -> frozenset[Role]:
        """What somebody is to this table."""
        roles = set()
        if self.book.seat_of(identity) is not None:
            roles.add(Role.SEAT)
        if self.book.watches(identity):
            roles.add(Role.BYSTANDER)
        if identity and self.book.info.host == identity:
            roles.add(Role.HOST)
        return frozenset(roles or {Role.STRANGER})

    # --- making entries (for the modules of the table) ---

    def begin(self, now: float) -> None:
        """Begin an entry."""
        assert not self._steps, "an entry is still open"
        self._now = max(now, self.book.at)

    @property
    def now(self) -> float:
        """The time of the entry being made."""
        return self._now

    def emit(self, event: TableEvent) -> None:
        """Something happened at the table."""
        step = Happened(event_to_wire(event))
        self._steps.append(step)
        self.book.take(step, self._now, event=event)

    def mark(self, mark: Mark) -> None:
        """Something happened that only the server needs to know."""
        self._steps.append(mark)
        self.book.take(mark, self._now)

    def act(self, actor: Actor, command: Command, *, by: str | None = None) -> Refusal | None:
        """Give an act to the laws; None if they took it."""
        state = self.book.rubber
        assert state is not None, "no rubber is being played"
        verdict = judge(state, actor, command)
        if isinstance(verdict, Refusal):
            return verdict
        name = actor.name if isinstance(actor, Seat) else _OFFICIALS[actor]
        wires = [event_to_wire(event) for event in verdict.events]
        step = Acted(name, command_to_wire(command), wires, by)
        self._steps.append(step)
        self.book.take(step, self._now, verdict=(verdict.events, verdict.state))
        return None

    def keep_secret(self, name: str, secret: bytes) -> None:
        """Keep the secret of a deal until it is opened."""
        self.secrets[name] = secret
        self._out.secrets.append((name, secret))

    def spend_secret(self, name: str) -> bytes:
        """The secret of a deal that is opened now."""
        self._out.spent_secrets.append(name)
        return self.secrets.pop(name)

    def end(self, *, who: str = "", command_id: str = "", seat: Seat | None = None) -> None:
        """Add what follows of itself, and close the entry; without steps there is none."""
        self._upkeep.follow()
        if not self._steps:
            return
        steps, self._steps = self._steps, []
        at, answer = self._now, None if seat is None else seat.name
        entry = Entry(v=form_of(steps), at=at, who=who, id=command_id, seat=answer, steps=steps)
        self.book.close(entry)
        self._out.entries.append(encode_entry(entry))
        self._upkeep.wake_bots()

    def take(self) -> Taken:
        """What has come of all that was asked since this was last called."""
        out, self._out = self._out, Taken()
        out.finished, self.book.finished = self.book.finished, []
        return out


_STROKES_MAX: Final = 1_000
_ENDING: Final = (m.Act, m.Leave, m.Stand, m.Resume, m.Commit, m.Reveal, m.Unpause, m.Back)
"""What a hand needs to come to its end, or its people to be rid of it; each bounded by what is not among them."""


def _resume(_table: Table, _person: Person, _message: m.Resume, _now: float) -> Reply:
    return DONE  # the shell shows what is missing once everything before it is kept


HANDLERS: Final[dict[type[m.ClientMessage], Handler]] = {
    m.Resume: _resume,
    m.Sit: seating.sit,
    m.Stand: seating.stand,
    m.Leave: seating.leave,
    m.Watch: seating.watch,
    m.DeclareIn: cutting.declare_in,
    m.Away: seating.away,
    m.Back: seating.back,
    m.Start: hosting.start,
    m.Kick: hosting.kick,
    m.SetClocks: hosting.set_clocks,
    m.AddBot: hosting.add_bot,
    m.RemoveBot: hosting.remove_bot,
    m.Pause: hosting.pause,
    m.Unpause: hosting.unpause,
    m.Again: hosting.again,
    m.Propose: agreeing.propose,
    m.Consent: agreeing.consent,
    m.Act: acting.act,
    m.Chat: talking.chat,
    m.Phrase: talking.phrase,
    m.Commit: dealing.commit,
    m.Reveal: dealing.reveal,
}
