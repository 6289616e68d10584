"""What happens at a table besides the play: who sits, who is away, what was said, how the deal was fixed.

These share one sequence with the events of the rules, and are mapped by `facts.py` in the same way. `TableInfo` is
what they come to: `info_after(info, event)` folds one in, exactly as `evolve` folds an event of the rules into a
view, so that a snapshot's `info` and the sum of the events before it are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from oddtrick_rules.cards import Card
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import Enforcement


@dataclass(frozen=True, slots=True)
class ClockLimits:
    """The limits of a table in milliseconds (R32); 0 is a clock switched off."""

    linger_ms: int = 3_000
    linger_min_ms: int = 1_000
    turn_ms: int = 45_000
    question_ms: int = 15_000
    choice_ms: int = 20_000
    election_ms: int = 30_000
    claims_ms: int = 20_000
    absence_ms: int = 60_000


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The table is opened. The first event of every table."""

    code: str
    enforcement: Enforcement
    clocks: ClockLimits
    private: bool
    watch: str
    open_hands: bool
    reasonable_time: bool
    forming: str = "seats"
    stakes: int = 1


@dataclass(frozen=True, slots=True)
class Sat:
    """Somebody took a seat; `bot` is the kind of a house bot, None for a player who came by himself."""

    seat: Seat
    identity: str
    name: str
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class Stood:
    """A seat was given up, or its player sent away (`kicked`)."""

    seat: Seat
    kicked: bool = False


@dataclass(frozen=True, slots=True)
class WentAway:
    """A player is away: his line is lost, or he said so (`asked`). After `absence_ms` a substitute sits."""

    seat: Seat
    asked: bool
    absence_ms: int | None


@dataclass(frozen=True, slots=True)
class CameBack:
    """A player is back; if a substitute has his seat, it is his again between tricks."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SubstituteSat:
    """A substitute plays the seat (R20)."""

    seat: Seat
    bot: str


@dataclass(frozen=True, slots=True)
class SubstituteStood:
    """The seat is its owner's again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HostMoved:
    """Somebody is now the host; the empty string: nobody."""

    identity: str
    name: str


@dataclass(frozen=True, slots=True)
class ClocksSet:
    """The host set the limits."""

    clocks: ClockLimits


@dataclass(frozen=True, slots=True)
class PauseAsked:
    """A seat asked for a pause, or consented to one."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PauseBegan:
    """Every seated person consented: the clocks stand."""


@dataclass(frozen=True, slots=True)
class UnpauseAsked:
    """A seat is for going on."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PauseEnded:
    """The clocks run again (or the pause asked for did not come about)."""


@dataclass(frozen=True, slots=True)
class AgainAsked:
    """A seat is for another rubber."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RubberBegan:
    """A rubber begins: `oddtrick_rules.start.rubber` of these values is its first state."""

    rubber: int
    code: str
    enforcement: Enforcement
    dealer: Seat
    reasonable_time: bool


@dataclass(frozen=True, slots=True)
class Said:
    """Free words, on a channel their reader may hear; `seat` is None for a bystander's."""

    channel: str
    name: str
    text: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Phrased:
    """A set phrase (R31)."""

    seat: Seat
    phrase: str


@dataclass(frozen=True, slots=True)
class BystanderCame:
    """Somebody watches."""

    identity: str
    name: str


@dataclass(frozen=True, slots=True)
class BystanderLeft:
    """Somebody watches no longer."""

    identity: str
    name: str


@dataclass(frozen=True, slots=True)
class DeclaredIn:
    """A bystander asked for a place, and is the last of those who wait for one."""

    identity: str
    name: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardsCut:
    """Each of these took one card from one pack, for `places`, for `leaving` or for `partners`; equals cut again."""

    purpose: str
    identities: tuple[str, ...]
    names: tuple[str, ...]
    cards: tuple[Card, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueueFormed:
    """Who waits for a place from now on, in the order of their right to one."""

    identities: tuple[str, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatsChanged:
    """The four sit as they have cut: N, E, S and W are now those who had the seats of `before`."""

    before: tuple[Seat, Seat, Seat, Seat]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposed:
    """A seat proposes something about a bystander: it takes all of `asked`; `given` have agreed by proposing it.

    `what` is `substitute` (and he must be willing himself), `remark` or `referee`.
    """

    number: int
    what: str
    seat: Seat
    identity: str
    name: str
    asked: tuple[Seat, ...]
    given: tuple[Seat, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consented:
    """A seat has agreed to what is proposed, or (no seat) the substitute is willing."""

    number: int
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class ProposalClosed:
    """What was proposed is done, or (not `agreed`) will not be."""

    number: int
    agreed: bool


@dataclass(frozen=True, slots=True)
class SubstituteNamed:
    """Who has sat down there plays for that owner of the seat until the rubber ends."""

    seat: Seat
    owner: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CountersOwed:
    """Somebody owes so many counters more; they have no money value (R18)."""

    identity: str
    name: str
    counters: int
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RefereeChosen:
    """The four leave questions of fact to a bystander, as long as he watches."""

    identity: str
    name: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealCommitted:
    """The server has bound itself to its secret for the next deal; seats may commit until `entropy_ms` have passed."""

    hand: int
    hand_id: str
    commitment: str
    previous: str
    entropy_ms: int = 0


@dataclass(frozen=True, slots=True)
class SeatCommitted:
    """A seat has bound itself to its entropy."""

    hand: int
    seat: Seat
    commitment: str


@dataclass(frozen=True, slots=True)
class RevealsAsked:
    """The commitments are in: every committed seat reveals."""

    hand: int


@dataclass(frozen=True, slots=True)
class SeatRevealed:
    """A seat's entropy; the empty string for one that committed and did not reveal."""

    hand: int
    seat: Seat
    entropy: str


@dataclass(frozen=True, slots=True)
class DealRevealed:
    """The server's secret of a hand that is over: with the entropies, anyone can work the deal out again."""

    hand: int
    secret: str


@dataclass(frozen=True, slots=True)
class PackOffered:
    """New cards were called for: this deal, sealed as well, is pack 2; pack 1 is the one sealed before (R19)."""

    hand: int
    hand_id: str
    commitment: str
    previous: str


@dataclass(frozen=True, slots=True)
class PackOpened:
    """The secret of the pack that was offered for a hand and not taken."""

    hand: int
    hand_id: str
    commitment: str
    previous: str
    secret: str


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table is no more."""

    reason: str


TableEvent: TypeAlias = (
    TableOpened
    | Sat
    | Stood
    | WentAway
    | CameBack
    | SubstituteSat
    | SubstituteStood
    | HostMoved
    | ClocksSet
    | PauseAsked
    | PauseBegan
    | UnpauseAsked
    | PauseEnded
    | AgainAsked
    | RubberBegan
    | Said
    | Phrased
    | BystanderCame
    | BystanderLeft
    | DeclaredIn
    | CardsCut
    | QueueFormed
    | SeatsChanged
    | Proposed
    | Consented
    | ProposalClosed
    | SubstituteNamed
    | CountersOwed
    | RefereeChosen
    | DealCommitted
    | SeatCommitted
    | RevealsAsked
    | SeatRevealed
    | DealRevealed
    | PackOffered
    | PackOpened
    | TableClosed
)
