"""A storm of broken frames as a process of its own: `python -m support.storm PORT TABLE SEED`, until it is told to stop.

It comes from a loopback address of its own, so that a server which bounds what one address may do tells it from its players.
At the end it prints how many frames it sent, over how many lines.
"""

import asyncio
import contextlib
import signal
import sys
from random import Random
from typing import Final

from support.attacker import Attacker, Plain, hostile_frame

SOURCE: Final = "127.0.0.2"
LINES, BATCH = 6, 6
HELLO: Final[Plain] = {"t": "hello", "name": "Mallory", "protocol": 1}


async def storm(port: int, table: str, chance: Random) -> str:
    """Send broken frames until the process is told to stop; what was sent, in words."""
    over = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, over.set)
    messages: list[Plain] = [
        HELLO,
        {"t": "act", "table": table, "act": {"do": "play", "card": "SA"}, "prompt": "p1"},
        {"t": "watch", "table": table},
        {"t": "record", "table": table, "hand": 1},
        {"t": "tables"},
    ]
    attackers = [Attacker(port, (HELLO,) if number % 2 else (), source=SOURCE) for number in range(LINES)]
    while not over.is_set():
        for attacker in attackers:
            # Turned away, or cut off in the middle: come again.
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                for _ in range(BATCH):
                    await attacker.send(hostile_frame(chance, messages))
                await attacker.drain()
            await asyncio.sleep(0)
    for attacker in attackers:
        await attacker.close()
    return f"{sum(one.sent for one in attackers)} broken frames over {sum(one.lines for one in attackers)} lines"


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(storm(int(sys.argv[1]), sys.argv[2], Random(sys.argv[3]))) + "\n")
