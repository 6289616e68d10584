"""The table as its log tells it: a fold over entries that decides nothing.

`Book` holds everything that outlives a crash: the table's info, the rubber, whose seat is whose and who is away, the clocks and
what is spent of them, the deal being made, the streams as far as they were shown, the ids of accepted commands. `table.py`
decides and hands the steps of each entry to `take`; after a crash the same entries go through the same `take`, so both come to
the same table.

Rules of this file
    1. Nothing here refuses, chooses or draws: what happened has happened.
    2. Time is that of the entry. `settle` runs once at the end of each entry and is a function of the book and that time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final, TypeAlias, cast

from oddtrick_protocol import table_events as happened
from oddtrick_protocol.facts import event_from_wire, event_to_wire, view_to_wire
from oddtrick_protocol.table_events import TableEvent
from oddtrick_protocol.table_info import Bystander, FairDeal, Sitter, TableInfo, info_after
from oddtrick_rules import events as law
from oddtrick_rules.awaits import awaits
from oddtrick_rules.cards import Suit
from oddtrick_rules.codes.registry import code_named
from oddtrick_rules.evolve import evolve
from oddtrick_rules.records import changed
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Phase, State
from oddtrick_rules.views import Viewer, Watcher, seen_by
from oddtrick_server.countdown import Countdown
from oddtrick_server.entries import (
    Acted,
    Banned,
    Entry,
    Found,
    Frozen,
    Happened,
    Mark,
    Opened,
    Regained,
    Stalled,
    Step,
    Summed,
    Thawed,
)
from oddtrick_server.hand_record import ActLine, HandRecord, Player, Proof
from oddtrick_server.limits import Limits
from oddtrick_server.streams import BYSTANDER, SEAT_STREAMS, STREAMS, Stream, Streams
from oddtrick_server.summing import restore
from oddtrick_server.waits import Waits

Plain: TypeAlias = dict[str, Any]
CLOCK: Final = "clock"
HOUSE: Final = "house"
VIEWERS: Final[tuple[Viewer, ...]] = (*SEATS, Watcher.BYSTANDER)


class Place:
    """What a seat's owner is to the clocks, beyond what `info` shows of him."""

    __slots__ = ("absence", "asked", "gone", "vacated")

    def __init__(self, absence_s: float, *, vacated: bool = False) -> None:
        self.absence = Countdown(absence_s)
        self.asked = False  # he said that he is away
        self.gone = False  # not back yet since the table was taken up again
        self.vacated = vacated  # a house bot put here because a player left in the middle of a rubber


class Notes:
    """The hand in play, as its record will have it."""

    __slots__ = ("acts", "at", "deal", "hand", "other", "over_at", "players", "start")

    def __init__(self, *, hand: int, at: float, start: State, deal: FairDeal, players: list[Player | None]) -> None:
        self.hand = hand
        self.at = at
        self.start = start
        self.deal = deal
        self.other: FairDeal | None = None  # the pack that was offered for it and not taken
        self.players = players
        self.acts: list[ActLine] = []
        self.over_at: float | None = None


class Book:
    """One table, as far as its log tells."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.opened: Opened | None = None
        self.info = TableInfo()
        self.rubber: State | None = None
        self.places = [Place(0.0) for _ in SEATS]
        self.waits = Waits()
        self.streams = Streams(history_events_max=limits.history_events_max)
        self.answers: OrderedDict[tuple[str, str], str | None] = OrderedDict()
        self.banned: OrderedDict[str, None] = OrderedDict()
        self.hands = 0  # dealt at this table, in all its rubbers
        self.proposals = 0  # made at this table
        self.hands_held: dict[str, Seat] = {}  # of the deal in play, by the identity that holds them or did
        self.played: dict[str, int] = {}  # rubbers without a pause, by identity
        self.entropy_clock: Countdown | None = None  # for commitments, then for what was committed to
        self.cut_clock: Countdown | None = None  # from the cut to the deal
        self.withheld: set[Seat] = set()
        self.notes: list[Notes] = []  # of the hand in play, and of one whose deal is still to be opened
        self.finished: list[HandRecord] = []
        self.held: list[Plain] = []  # words of bystanders that wait for the end of the hand
        self.frozen = False
        self.pause = Countdown(limits.pause_s)
        self.freeze = Countdown(limits.freeze_s)
        self.regain = Countdown(limits.regain_s)
        self.touched_at = 0.0  # the last act at law
        self.at = 0.0
        self.entries = 0
        self.entries_since_sum = 0
        self._bystanders: tuple[Bystander, ...] = ()  # of whom `_watching` has the identities
        self._watching: frozenset[str] = frozenset()
        self.lost_bystanders: set[str] = set()  # not back yet since the table was taken up again

    # --- reading ---

    @property
    def in_play(self) -> bool:
        """Whether a rubber is begun and not ended."""
        return self.rubber is not None and self.rubber.phase is not Phase.OVER and self.info.closed is None

    @property
    def hand_live(self) -> bool:
        """Whether cards are being declared, doubled or played."""
        return self.rubber is not None and self.rubber.phase in _LIVE

    @property
    def clocks_run(self) -> bool:
        """Whether the clocks of the play run."""
        return self.in_play and not self.info.paused and not self.frozen

    def seat_of(self, identity: str) -> Seat | None:
        """The seat of that identity."""
        for seat in SEATS:
            sitter = self.info.seats[seat]
            if sitter is not None and sitter.bot is None and sitter.identity == identity:
                return seat
        return None

    def watches(self, identity: str) -> bool:
        """Whether that identity is a bystander; of a crowd it is asked about everybody whenever something is shown."""
        if self.info.bystanders is not self._bystanders:
            self._bystanders = self.info.bystanders
            self._watching = frozenset(one.identity for one in self._bystanders)
        return identity in self._watching

    def is_here(self, seat: Seat) -> bool:
        """Whether the seat has an owner who is connected and has not stepped away."""
        sitter = self.info.seats[seat]
        return sitter is not None and sitter.bot is None and not sitter.away and not self.places[seat].gone

    def here(self) -> tuple[Seat, ...]:
        """The seats whose owners are connected: what keeps a table alive."""
        return tuple(seat for seat in SEATS if self.is_here(seat))

    def acts_for_itself(self, seat: Seat) -> bool:
        """Whether the seat's owner plays it, and no bot."""
        sitter = self.info.seats[seat]
        return sitter is not None and sitter.bot is None and sitter.substitute is None

    def pending_deal(self) -> FairDeal | None:
        """The deal that is being made."""
        deal = self.info.deal
        return deal if deal is not None and deal.hand == self.hands + 1 else None

    def other_pack(self, deal: FairDeal) -> FairDeal | None:
        """The other of the two packs offered for a deal, if any were (R19)."""
        other = self.info.other_pack
        return other if other is not None and other.hand == deal.hand else None

    def running(self) -> list[Countdown]:
        """Every countdown there is."""
        clocks = [place.absence for place in self.places]
        clocks += [wait.countdown for wait in self.waits if wait.countdown is not None]
        clocks += [clock for clock in (self.entropy_clock, self.cut_clock) if clock is not None]
        return [*clocks, self.pause, self.freeze, self.regain]

    # --- folding ---

    def fold(self, entry: Entry) -> None:
        """Take a stored entry in."""
        for step in entry.steps:
            self.take(step, entry.at)
        self.close(entry)

    def take(self, step: Step, at: float, *, event: TableEvent | None = None, verdict: Verdict | None = None) -> None:
        """Take one step in. `event` and `verdict` spare the live table reading its own step again."""
        match step:
            case Happened():
                read = cast("TableEvent", event_from_wire(step.event)) if event is None else event
                self._happened(step.event, read, at)
            case Acted():
                events, state = self._folded(step) if verdict is None else verdict
                self._acted(step, events, state, at)
            case _:
                self._marked(step, at)

    def _marked(self, mark: Mark, at: float) -> None:
        match mark:
            case Opened():
                self.opened = mark
            case Banned():
                self.banned[mark.identity] = None
                while len(self.banned) > self.limits.banned_max:
                    self.banned.popitem(last=False)
            case Found():
                self._found(mark.identity)
            case Frozen():
                self.frozen = True
            case Thawed():
                self.frozen = False
            case Regained():
                self._regained(at)
            case Stalled():
                for clock in self.running():
                    clock.shift(mark.seconds)
            case Summed():
                self._summed(mark)

    def _folded(self, step: Acted) -> Verdict:
        """The events of a stored act, and the rubber after them."""
        assert self.rubber is not None
        state = self.rubber
        events = tuple(cast("law.Event", event_from_wire(wire)) for wire in step.events)
        for event in events:
            state = evolve(state, event)
        return events, state

    def close(self, entry: Entry) -> None:
        """End an entry: its answer is remembered, prompts and clocks are settled."""
        if entry.id:
            self.answers[entry.who, entry.id] = entry.seat
            while len(self.answers) > self.limits.answers_per_table_max:
                self.answers.popitem(last=False)
        self.at = entry.at
        self.entries += 1
        self.entries_since_sum += 1
        seats = Seat.__members__
        acts = (step for step in entry.steps if isinstance(step, Acted) and step.actor in seats)
        self._settle(entry.at, acted=[(seats[step.actor], step.act["do"]) for step in acts])

    # --- events of the table ---

    def _happened(self, wire: Plain, event: TableEvent, at: float) -> None:
        self.info = info_after(self.info, event)
        match event:
            case happened.Sat():
                self.places[event.seat] = Place(self.info.clocks.absence_ms / 1000, vacated=not event.identity)
                if self.hand_live and event.bot is None:
                    self.hands_held.setdefault(event.identity, event.seat)
            case happened.WentAway():
                self.places[event.seat].asked = event.asked
                self.places[event.seat].gone = False
            case happened.CameBack():
                self.places[event.seat].asked = False
                self.places[event.seat].gone = False
            case happened.ClocksSet():
                for place in self.places:
                    place.absence.limit_s = event.clocks.absence_ms / 1000
            case happened.BystanderCame() | happened.BystanderLeft():
                self.lost_bystanders.discard(event.identity)
            case happened.SeatsChanged():
                self.places = [self.places[seat] for seat in event.before]
            case happened.Proposed():
                self.proposals = event.number
            case happened.PauseBegan():
                self.pause = Countdown(self.limits.pause_s)
            case _:
                self._play_happened(event, at)
        self._show_happened(wire, event)

    def _play_happened(self, event: TableEvent, at: float) -> None:
        """What concerns the rubber and its deals."""
        match event:
            case happened.RubberBegan():
                self.rubber = rubber(
                    code_named(event.code),
                    enforcement=event.enforcement,
                    dealer=event.dealer,
                    reasonable_time=event.reasonable_time,
                )
                owners = [one.identity for one in self.info.seats if one is not None and one.bot is None]
                self.played = {identity: self.played.get(identity, 0) + 1 for identity in owners}
            case happened.DealCommitted():
                self.entropy_clock = Countdown(event.entropy_ms / 1000)
                self.withheld = set()
            case happened.RevealsAsked():
                self.entropy_clock = Countdown(self.limits.reveal_s)
            case happened.SeatRevealed() if not event.entropy:
                self.withheld.add(event.seat)
            case happened.DealRevealed():
                self._opened(event, at)
            case _:
                pass

    def _found(self, identity: str) -> None:
        self.lost_bystanders.discard(identity)
        seat = self.seat_of(identity)
        if seat is not None:
            self.places[seat].gone = False

    def _summed(self, mark: Summed) -> None:
        if self.opened is None:  # the entries before are trimmed
            restore(self, mark.book)
        # The hand is over: what was spent of its decisions is of no more use, here or where it is not known.
        self.waits.forget_spent()
        self.entries_since_sum = 0

    def _regained(self, at: float) -> None:
        for clock in self.running():
            clock.shift(at - self.at)
        for seat in SEATS:
            self.places[seat].gone = self.is_here(seat)
        self.lost_bystanders = {one.identity for one in self.info.bystanders}
        self.regain = Countdown(self.limits.regain_s)

    def _show_happened(self, wire: Plain, event: TableEvent) -> None:
        for stream in self._hearers(event):
            self.streams.put(stream, wire, hand=self.hands, by=None)
        if isinstance(event, happened.Said) and event.channel == "bystanders":
            if self.words_are_held:
                self.held.append(wire)
                del self.held[: -self.limits.held_chats_max]
            else:
                self._show_seats(wire)

    @property
    def words_are_held(self) -> bool:
        """Whether bystanders' words wait: until the cards of the hand are cut, they reach no seat (R17)."""
        return self.rubber is not None and self.rubber.phase not in {Phase.TO_DEAL, Phase.OVER}

    def _hearers(self, event: TableEvent) -> Sequence[Stream]:
        if not isinstance(event, happened.Said) or event.channel == "table":
            return STREAMS
        if event.channel == "bystanders" or event.seat is None:
            return (BYSTANDER,)
        return (event.seat, (event.seat + 2) % 4)

    def _show_seats(self, wire: Plain) -> None:
        for stream in SEAT_STREAMS:
            self.streams.put(stream, wire, hand=self.hands, by=None)

    # --- acts of the laws ---

    def _acted(self, step: Acted, events: tuple[law.Event, ...], state: State, at: float) -> None:
        before = self.rubber
        assert before is not None
        for event, wire in zip(events, step.events, strict=True):
            if type(event) is law.HandDealt:
                self._dealt(before, at)
            self._show(event, wire, state, step.by)
        self.rubber = state
        self.touched_at = at
        if self.notes:
            notes = self.notes[-1]
            since_ms = int((at - notes.at) * 1000)
            notes.acts.append(ActLine(step.actor, step.act, step.events, since_ms, step.by))
            if before.phase is not Phase.TO_DEAL and state.phase in {Phase.TO_DEAL, Phase.OVER}:
                self._cut(notes, at)

    def _show(self, event: law.Event, wire: Plain, state: State, by: str | None) -> None:
        if seen_by(event, Watcher.BYSTANDER, enforcement=state.enforcement) is event:
            # What a bystander may know whole, everybody may.
            self.streams.put_all(wire, hand=self.hands, by=by)
            return
        for stream, viewer in zip(STREAMS, VIEWERS, strict=True):
            seen = seen_by(event, viewer, enforcement=state.enforcement)
            if seen is not None:
                shown = wire if seen is event else event_to_wire(seen)
                self.streams.put(stream, shown, hand=self.hands, by=by)

    def _dealt(self, before: State, at: float) -> None:
        self.hands += 1
        deal = self.info.deal
        assert deal is not None
        players = [None if one is None else Player(one.name, one.identity, one.bot) for one in self.info.seats]
        start = changed(before, hand=None)
        notes = Notes(hand=self.hands, at=at, start=start, deal=deal, players=players)
        notes.other = self.other_pack(deal)
        self.notes.append(notes)
        owners = ((one.identity, seat) for seat, one in zip(SEATS, self.info.seats, strict=True) if one and not one.bot)
        self.hands_held = dict(owners)
        self.entropy_clock = self.cut_clock = None
        self.waits.forget_spent()
        for place in self.places:
            place.absence.clear()

    def _cut(self, notes: Notes, at: float) -> None:
        """The hand is over: what bystanders said may be heard."""
        notes.over_at, self.hands_held = at, {}
        self.cut_clock = Countdown(self.limits.cut_to_deal_s)
        held, self.held = self.held, []
        for wire in held:
            self._show_seats(wire)

    def _opened(self, event: happened.DealRevealed, at: float) -> None:
        """The deal is opened: the record of the hand is complete, or the hand is given up."""
        for notes in self.notes:
            if notes.hand == event.hand:
                self.notes.remove(notes)
                self.finished.append(self._record(notes, event.secret, at))
                return

    def _record(self, notes: Notes, secret: str, at: float) -> HandRecord:
        assert self.rubber is not None
        assert self.opened is not None
        deal, start = notes.deal, notes.start
        ended = at if notes.over_at is None else notes.over_at
        hand = self.rubber.hand
        trump = None if hand is None or hand.trump is None else Suit(hand.trump).name
        return HandRecord(
            table=self.opened.table,
            hand=notes.hand,
            rubber=self.info.rubber,
            code=start.code.id,
            enforcement=start.enforcement.value,
            dealer=start.dealer.name,
            trump=trump,
            players=notes.players,
            dealt_ms=int(notes.at * 1000),
            ended_ms=int(ended * 1000),
            start=view_to_wire(start),
            acts=notes.acts,
            tricks=[0, 0] if hand is None else list(hand.taken),
            score=list(self.rubber.score),
            proof=Proof(
                hand_id=deal.hand_id,
                dealer=start.dealer.name,
                previous=deal.previous,
                commitment=deal.commitment,
                secret=secret,
                seat_commitments=[one or None for one in deal.commitments],
                entropies=list(deal.entropies),
            ),
            private=self.info.private,
            # Anybody may read a hand of an open table: who watched it is nobody's business.
            watchers=self._watchers(notes.players) if self.info.private else [],
            abandoned=notes.over_at is None,
        )

    def _watchers(self, players: list[Player | None]) -> list[str]:
        """Who saw the end of a hand and was not dealt it: bystanders, and whoever has taken a seat since."""
        dealt_to = {one.identity for one in players if one is not None}
        sitters = [one.identity for one in self.info.seats if one is not None and one.bot is None]
        return [one.identity for one in self.info.bystanders] + [one for one in sitters if one not in dealt_to]

    # --- prompts and clocks ---

    def _settle(self, now: float, *, acted: Sequence[tuple[Seat, str]]) -> None:
        state = self.rubber if self.in_play else None
        expected = () if state is None else awaits(state)
        self.waits.settle(expected, state, hand_no=self.hands, clocks=self.info.clocks, now=now, acted=acted)
        run = self.clocks_run
        for wait in self.waits:
            _run(wait.countdown, now, when=run)
        _run(self.entropy_clock, now, when=run)
        dealing = state is not None and state.phase is Phase.TO_DEAL
        _run(self.cut_clock, now, when=run and dealing)
        stopped = self.info.paused or self.frozen or self.info.closed is not None
        for seat in SEATS:
            _run(self.places[seat].absence, now, when=not stopped and self._is_missed(seat))
        _run(self.pause, now, when=self.info.paused and not self.frozen)
        self._settle_presence(now)

    def _is_missed(self, seat: Seat) -> bool:
        sitter: Sitter | None = self.info.seats[seat]
        if sitter is None or sitter.bot is not None or sitter.substitute is not None:
            return False
        place = self.places[seat]
        return place.absence.limit_s > 0 and not place.asked and (sitter.away or place.gone)

    def _settle_presence(self, now: float) -> None:
        deserted = self.in_play and not self.frozen and not self.here()
        if not deserted and self.freeze.is_running:
            self.freeze = Countdown(self.limits.freeze_s)
        _run(self.freeze, now, when=deserted)
        missing = bool(self.lost_bystanders) or any(place.gone for place in self.places)
        _run(self.regain, now, when=missing)


Verdict: TypeAlias = tuple[tuple[law.Event, ...], State]
_LIVE: Final = frozenset({Phase.DECLARING, Phase.DOUBLING, Phase.PLAYING})


def _run(clock: Countdown | None, now: float, *, when: bool) -> None:
    if clock is None:
        return
    if when:
        clock.go(now)
    else:
        clock.halt(now)
