"""A table without sockets: four people, a clock that the test moves, chance from a seed."""

from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

from oddtrick_protocol import messages as m
from oddtrick_protocol.facts import command_to_wire
from oddtrick_rules.commands import Command
from oddtrick_rules.legal import legal
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.shuffle import seat_commitment
from oddtrick_rules.state import Phase, State
from oddtrick_server.book import Book
from oddtrick_server.entries import Entry, decode_entry
from oddtrick_server.hand_record import HandRecord
from oddtrick_server.limits import DEFAULT_LIMITS, Limits
from oddtrick_server.person import Done, No, Person, Reply
from oddtrick_server.stand_ins import Brains
from oddtrick_server.table import Table


def seeded(seed: object) -> Callable[[int], bytes]:
    """Chance that is the same for the same seed."""
    count = 0

    def draw(size: int) -> bytes:
        nonlocal count
        count += 1
        data = b""
        while len(data) < size:
            data += sha256(f"{seed}/{count}/{len(data)}".encode()).digest()
        return data[:size]

    return draw


def person(name: str, *, bot: bool = False) -> Person:
    return Person(f"id-{name.lower()}", name, bot)


ANNA, BEN, CLARA, DEV = people = [person(name) for name in ("Anna", "Ben", "Clara", "Dev")]
EVE = person("Eve")


class Seated:
    """A table and the people at it."""

    def __init__(self, *, chance: object = 1, limits: Limits = DEFAULT_LIMITS, **wish: Any) -> None:
        self.limits = limits
        self.chance = chance
        self.now = 1_000.0
        self.count = 0
        self.bodies: list[bytes] = []
        self.secrets: dict[str, bytes] = {}
        self.finished: list[HandRecord] = []
        draw = seeded(chance)
        self.table = Table.opened(
            "t1",
            ANNA,
            m.Create(id="c0", **wish),
            self.now,
            invite="let-me-in",
            limits=limits,
            entropy=draw,
            brains=Brains(draw),
        )
        self.keep()

    # --- the shell's part ---

    def keep(self) -> None:
        out = self.table.take()
        self.secrets.update(out.secrets)
        self.bodies += out.entries
        self.finished += out.finished
        for name in out.spent_secrets:
            self.secrets.pop(name)

    def ask(self, who: Person, kind: type[m.ClientMessage], /, **fields: Any) -> Reply:
        self.count += 1
        fields.setdefault("id", f"m{self.count}")
        if issubclass(kind, m.TableMessage | m.Sit):
            fields.setdefault("table", "t1")
        reply = self.table.handle(who, kind(**fields), self.now)
        self.keep()
        return reply

    def done(self, who: Person, kind: type[m.ClientMessage], /, **fields: Any) -> Done:
        reply = self.ask(who, kind, **fields)
        assert isinstance(reply, Done), reply
        return reply

    def refused(self, who: Person, kind: type[m.ClientMessage], /, **fields: Any) -> str:
        before = self.fingerprint()
        reply = self.ask(who, kind, **fields)
        assert isinstance(reply, No), reply
        assert self.fingerprint() == before, "a refusal changed the table"
        return reply.code

    def wait(self, seconds: float) -> None:
        """Let time pass, every clock striking at its time."""
        until = self.now + seconds
        while (due := self.table.due()) is not None and due <= until:
            self.now = max(self.now, due)
            self.table.tick(self.now)
            self.keep()
        self.now = until
        self.table.tick(self.now)
        self.keep()

    def lose(self, who: Person) -> None:
        self.table.lost(who.identity, self.now)
        self.keep()

    def arrive(self, who: Person) -> None:
        self.table.arrived(who, self.now)
        self.keep()

    def entries(self) -> list[Entry]:
        return [decode_entry(body, "an entry") for body in self.bodies]

    def crash(self) -> None:
        """Lose the table, and take it up again from what was kept."""
        book = Book(self.limits)
        for entry in self.entries():
            book.fold(entry)
        self.table = Table.regained(
            "t1",
            book,
            self.now,
            secrets=dict(self.secrets),
            limits=self.limits,
            entropy=seeded((self.chance, "again", len(self.bodies))),
            brains=Brains(seeded(self.chance)),
        )
        self.keep()

    def fingerprint(self) -> object:
        """All that may not change when nothing has happened."""
        book = self.table.book
        return (
            book.info,
            book.rubber,
            [book.streams.head(stream) for stream in range(5)],
            [
                (wait.id, wait.kind, wait.seats, None if wait.countdown is None else wait.countdown.due)
                for wait in book.waits
            ],
            [(place.asked, place.gone, place.absence.due) for place in book.places],
            book.entries,
            book.hands,
        )

    # --- the people's part ---

    def sit_all(self, *who: Person) -> None:
        for seat, one in zip(SEATS, who or people, strict=False):
            self.done(one, m.Sit, seat=seat.name)

    def play_on(self) -> None:
        """Seat four people, begin, and wait for the cards."""
        self.sit_all()
        self.done(ANNA, m.Start)
        self.deal()

    def deal(self) -> None:
        """Let everybody add entropy until the cards are dealt."""
        for _ in range(4):
            pending = self.table.book.pending_deal()
            if pending is None:
                return
            if not pending.revealing:
                self.wait(self.limits.commit_s)
            else:
                self.wait(max(self.limits.reveal_s, self.limits.cut_to_deal_s))

    def commit(self, seat: Seat, entropy: bytes) -> None:
        pending = self.table.book.pending_deal()
        assert pending is not None
        promise = seat_commitment(
            entropy, hand_id=pending.hand_id, seat=seat, commitment=bytes.fromhex(pending.commitment)
        )
        self.done(self.at(seat), m.Commit, hand=pending.hand, commitment=promise.hex())

    def act_anyhow(self, seat: Seat, rng: Random) -> None:
        """Whoever has the seat, if it is no bot, does any one of the things the laws let him."""
        sitter = self.table.book.info.seats[seat]
        acts = legal(self.state, seat)
        if sitter is None or sitter.bot is not None or not acts:
            return
        wait = self.table.book.waits.of(seat)
        asker = next(one for one in [*people, EVE] if one.identity == sitter.identity)
        plain = command_to_wire(rng.choice(acts))
        self.ask(asker, m.Act, act=plain, prompt=None if wait is None else wait.id)

    @property
    def state(self) -> State:
        state = self.table.book.rubber
        assert state is not None
        return state

    def phase(self) -> Phase:
        return self.state.phase

    def is_frozen(self) -> bool:
        return self.table.book.frozen

    def at(self, seat: Seat) -> Person:
        sitter = self.table.book.info.seats[seat]
        assert sitter is not None
        return next(one for one in people if one.identity == sitter.identity)

    def act(self, seat: Seat, command: Command, **fields: Any) -> Reply:
        if "prompt" not in fields:
            wait = self.table.book.waits.of(seat)
            fields["prompt"] = None if wait is None else wait.id
        return self.ask(self.at(seat), m.Act, act=command_to_wire(command), **fields)
