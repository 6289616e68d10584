"""Five people at a recorded table who do at random what the table waits for, what it forbids, and what makes no sense."""

import random
from typing import Any, Final

from oddtrick_protocol.facts import command_to_wire
from oddtrick_rules.awaits import AwaitKind, awaits
from oddtrick_rules.commands import Command
from oddtrick_rules.seats import Seat
from oddtrick_rules.views import Viewer, Watcher
from oddtrick_server.waits import ANSWERS
from support.driver import Game, awaited_act, wild_act
from support.recorder import VIEWERS, Recorder
from support.wire import Plain

PROBES: Final = 0.06  # of all steps: questions that no laws are about
STALE: Final = 0.02  # of all acts: with the prompt of another moment


async def step(table: Recorder, chance: random.Random, *, wildness: float) -> None:
    """Do one thing."""
    if chance.random() < PROBES:
        await probe(table, chance)
        return
    state = table.state
    waiting = awaits(state)
    game = Game(state, chance)
    lead = waiting and chance.random() >= wildness
    if waiting and waiting[0].kind is AwaitKind.DEAL:
        await table.tick()
        return
    actor, command = awaited_act(game, chance.choice(waiting), lawful=False) if lead else wild_act(game)
    if isinstance(actor, Seat):
        await act(table, actor, command, chance)
    elif lead:
        await table.tick()


async def act(table: Recorder, seat: Seat, command: Command, chance: random.Random) -> None:
    """Send an act with the prompt it answers, as a rule; an accepted answer may not leave the prompt as it was."""
    since = len(table.peers[seat].got)
    fields: Plain = {"t": "act", "table": table.id, "act": command_to_wire(command)}
    wait = table.table.book.waits.of(seat)
    names = wait is not None and isinstance(command, ANSWERS.get(wait.kind, ()))
    if wait is not None and names:
        fields["prompt"] = wait.id
    if chance.random() < STALE:
        fields["prompt"] = f"p{chance.randint(1, 9)}"
        names = False
    answer = await table.send(seat, **fields)
    if names and answer["t"] == "ok":
        told = [message["t"] for message in table.fresh(seat, since)]
        assert "prompt" in told, (
            f"{fields} was accepted, and the prompt stands as if it had not been: {table.fresh(seat, since)}"
        )


async def probe(table: Recorder, chance: random.Random) -> None:
    """Ask something that is refused, or tells what the asker may know anyway."""
    viewer: Viewer = chance.choice(VIEWERS)
    hand = table.table.book.hands
    head = table.mirrors[viewer].seq
    fields: dict[str, Any] = chance.choice(
        [
            *[{"t": "resume", "seq": 0}] * 4,
            {"t": "resume", "seq": chance.randint(1, max(1, head))},
            {"t": "resume", "seq": head + 5},
            {"t": "record", "hand": hand, "format": chance.choice(("whist", "jsonl", "pbn"))},
            {"t": "record", "hand": max(0, hand - 1), "format": chance.choice(("whist", "jsonl", "pbn"))},
            {"t": "hands"},
            {"t": "act", "act": {"do": "play", "card": "Z9"}},
            {"t": "act", "act": {"do": "deal", "hands": []}},
            {"t": "act", "act": {"do": "show", "cards": ["SA"]}, "prompt": "p0"},
            {"t": "chat", "channel": chance.choice(("table", "partner", "bystanders")), "text": "well"},
            {"t": "phrase", "phrase": chance.choice(("sorry", "nonsense"))},
            {"t": "commit", "hand": hand, "commitment": "ab" * 32},
            {"t": "kick", "who": "X"},
            {"t": "watch"} if viewer is Watcher.BYSTANDER else {"t": "sit"},
        ]
    )
    await table.send(viewer, table=table.id, **fields)
