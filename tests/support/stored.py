"""A table's log as a store has it: read, judged again from the first act, and counted."""

from dataclasses import dataclass, field

from oddtrick_protocol.facts import command_from_wire, event_from_wire, event_to_wire
from oddtrick_protocol.table_events import RubberBegan
from oddtrick_rules.codes.registry import code_named
from oddtrick_rules.commands import Command
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.evolve import evolve
from oddtrick_rules.seats import Actor, Official, Seat
from oddtrick_rules.start import rubber
from oddtrick_rules.state import State
from oddtrick_server.entries import Acted, Entry, Happened, decode_entry
from oddtrick_server.store.interface import Store


async def log_of(store: Store, table_id: str) -> list[Entry]:
    """All entries of a table's log."""
    return [decode_entry(one.body, f"entry {one.seq}") for one in await store.read(table_id)]


@dataclass
class Replayed:
    """What a log comes to: the rubber now, and all rubbers at their ends before it."""

    state: State | None = None
    acts: list[tuple[Actor, Command]] = field(default_factory=list)
    rubbers: int = 0


def replayed(entries: list[Entry]) -> Replayed:
    """Judge every act of a log again; what the laws make of it must be what the log says, and so must the fold of its events."""
    result = Replayed()
    for entry in entries:
        for step in entry.steps:
            match step:
                case Happened():
                    _began(result, step)
                case Acted():
                    _judged(result, step)
                case _:
                    pass
    return result


def _began(result: Replayed, step: Happened) -> None:
    event = event_from_wire(step.event)
    if isinstance(event, RubberBegan):
        result.rubbers += 1
        result.state = rubber(
            code_named(event.code),
            enforcement=event.enforcement,
            dealer=event.dealer,
            reasonable_time=event.reasonable_time,
        )


def _judged(result: Replayed, step: Acted) -> None:
    assert result.state is not None
    actor = Seat[step.actor] if step.actor in Seat.__members__ else Official(step.actor)
    command = command_from_wire(step.act, official=True)
    verdict = judge(result.state, actor, command)
    assert isinstance(verdict, Verdict), f"the log has {actor} {command}, which is refused: {verdict}"
    assert [event_to_wire(event) for event in verdict.events] == step.events
    folded = result.state
    for event in verdict.events:
        folded = evolve(folded, event)
    assert folded == verdict.state
    result.state = verdict.state
    result.acts.append((actor, command))


def acts_by_id(entries: list[Entry], identity: str) -> dict[str, list[Acted]]:
    """The acts that somebody's own messages brought, by the message's id; an id may stand in one entry only."""
    found: dict[str, list[Acted]] = {}
    for entry in entries:
        if entry.who != identity or not entry.id:
            continue
        acts = [step for step in entry.steps if isinstance(step, Acted) and step.actor in Seat.__members__]
        assert entry.id not in found, f"{entry.id} was done twice"
        found[entry.id] = acts
    return found
