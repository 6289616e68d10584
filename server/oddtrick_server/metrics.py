"""What the server counts: the name and meaning of every figure, in one place.

The counts are plain numbers, so that counting costs next to nothing where plays are judged. Only when an operator asks are they put
into the form that Prometheus reads (`exposition`), by the library for it, which servers without an admin port need not have.
Nothing here names a player, an address or a card.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from oddtrick_protocol.closing import CLOSE_CODES

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

    from oddtrick_server.hand_record import HandRecord

PREFIX: Final = "oddtrick_"
# From a play's arrival to its being written to everybody, in seconds.
ACT_BOUNDS_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
LAG_BOUNDS_S: Final = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)
# Events of the laws that are counted when a hand is over, and as what.
REVOKE_STAGES: Final = {
    "revoke_made": "made",
    "revoke_corrected": "corrected",
    "revoke_established": "established",
    "revoke_proved": "proved",
    "penalty_exacted": "paid",
}


class Histogram:
    """How often a time fell into each of some ranges."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    def buckets(self) -> Iterator[tuple[str, float]]:
        """The counts as Prometheus has them: up to each bound, and up to any."""
        so_far = 0
        for bound, count in zip((*map(str, self.bounds), "+Inf"), self.counts, strict=True):
            so_far += count
            yield bound, so_far


@dataclass(slots=True)
class Metrics:
    """What one server has counted since it began."""

    messages: int = 0
    malformed: int = 0
    refusals: Counter[str] = field(default_factory=Counter)  # by code
    closes: Counter[str] = field(default_factory=Counter)  # of connections, by close code, or `other`
    turned_away: Counter[str] = field(default_factory=Counter)  # upgrades, by HTTP status
    guests: int = 0
    tables_opened: int = 0
    tables_lost: int = 0
    hands: Counter[str] = field(default_factory=Counter)  # by code of laws
    revokes: Counter[str] = field(default_factory=Counter)  # by what became of them
    store_waits: int = 0
    acts: Histogram = field(default_factory=lambda: Histogram(ACT_BOUNDS_S))
    lag: Histogram = field(default_factory=lambda: Histogram(LAG_BOUNDS_S))

    def line_closed(self, code: int) -> None:
        """Count a closed connection. A client may close with a code of its own, which must not make a figure of its own."""
        self.closes[str(code) if code in CLOSE_CODES else "other"] += 1

    def hand_over(self, record: HandRecord) -> None:
        """Count a finished hand and the revokes in it."""
        self.hands[record.code] += 1
        for act in record.acts:
            for event in act.events:
                stage = REVOKE_STAGES.get(event["t"])
                if stage is not None:
                    self.revokes[stage] += 1


@dataclass(frozen=True, slots=True)
class Now:
    """How things stand at this moment."""

    connections: int
    lines: int
    sessions: int
    outbox_bytes: int
    tables: dict[str, int]  # by state: playing, waiting, frozen
    live_tables: int
    people: dict[str, int]  # by role: seat, bystander, bot
    ready: bool


def families(metrics: Metrics, now: Now, *, build: str) -> list[Metric]:
    """Every figure there is, with its name and its help."""
    from prometheus_client.metrics_core import (  # noqa: PLC0415 -- only an operator's question needs it
        CounterMetricFamily,
        GaugeMetricFamily,
        HistogramMetricFamily,
        InfoMetricFamily,
    )

    def gauge(name: str, says: str, values: float | dict[str, int], label: str = "") -> Metric:
        return _labelled(GaugeMetricFamily, name, says, values, label)

    def counter(name: str, says: str, values: float | dict[str, int], label: str = "") -> Metric:
        return _labelled(CounterMetricFamily, name, says, values, label)

    def histogram(name: str, says: str, of: Histogram) -> Metric:
        return HistogramMetricFamily(PREFIX + name, says, buckets=list(of.buckets()), sum_value=of.total)

    m = metrics
    return [
        InfoMetricFamily(PREFIX + "build", "The version that runs.", {"version": build}),
        gauge("ready", "1 if new clients are welcome.", now.ready),
        gauge("connections", "WebSockets that are open.", now.connections),
        gauge("lines", "TCP lines that are open, upgraded or not.", now.lines),
        gauge("sessions", "Identities that are here, or were a moment ago.", now.sessions),
        gauge("outbox_bytes", "Bytes that clients have not read yet.", now.outbox_bytes),
        gauge("tables", "Tables in memory that this server has, by state.", now.tables, "state"),
        gauge("live_tables", "Those of them at which somebody sits and is connected.", now.live_tables),
        gauge(
            "people", "Players and bystanders with a line to this server, house bots at its tables.", now.people, "role"
        ),
        counter("messages", "Messages from clients.", m.messages),
        counter("malformed", "Messages of a wrong shape.", m.malformed),
        counter("refusals", "Messages refused, by code.", m.refusals, "code"),
        counter("closes", "Connections closed, by close code; those of no meaning here are `other`.", m.closes, "code"),
        counter("turned_away", "Upgrades refused, by HTTP status.", m.turned_away, "status"),
        counter("guests", "New identities.", m.guests),
        counter("tables_opened", "Tables opened.", m.tables_opened),
        counter("tables_lost", "Tables given up because their log could not be written.", m.tables_lost),
        counter("hands", "Hands finished, by code of laws.", m.hands, "code"),
        counter("revokes", "Revokes in finished hands, by what became of them.", m.revokes, "stage"),
        counter("store_waits", "Times that a table waited for the store.", m.store_waits),
        histogram("act_seconds", "From an act's arrival to its being written to all.", m.acts),
        histogram("loop_lag_seconds", "How late the loop was.", m.lag),
    ]


def exposition(found: Iterable[Metric]) -> bytes:
    """The figures as Prometheus reads them, with those of the process itself."""
    from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest  # noqa: PLC0415

    class Found:
        def collect(self) -> Iterable[Metric]:
            return found

    registry = CollectorRegistry()
    registry.register(Found())
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return generate_latest(registry)


def _labelled(kind: Any, name: str, says: str, values: float | dict[str, int], label: str) -> Metric:
    if not isinstance(values, dict):
        return kind(PREFIX + name, says, value=values)  # type: ignore[no-any-return]
    family = kind(PREFIX + name, says, labels=[label])
    for key in sorted(values):
        family.add_metric([key], values[key])
    return family  # type: ignore[no-any-return]
