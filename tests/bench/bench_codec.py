"""Messages encoded and decoded per second on one core: MessagePack by its two packers, and JSON.

Run with the project's interpreter: `python tests/bench/bench_codec.py [MESSAGES]`. It prints figures and decides nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

from oddtrick_protocol.codec import Codec, JsonCodec, MsgpackCodec
from oddtrick_protocol.facts import command_from_wire, event_from_wire, event_to_wire
from oddtrick_protocol.messages import Act, Events, Item
from oddtrick_rules.cards import PACK
from oddtrick_rules.events import CardPlayed, TrickCompleted
from oddtrick_rules.seats import Seat

MESSAGES_DEFAULT = 100_000
EVENTS = (CardPlayed(Seat.N, PACK[12], 1, ("73",)), TrickCompleted(1, Seat.N, ("R1",)))
PLAIN = [event_to_wire(event) for event in EVENTS]
SHOWN = Events(table="k4tq7bca", events=[Item(seq=at, event=plain, hand=1) for at, plain in enumerate(PLAIN, 100)])
ACT = Act(id="7f3a9c-118", table="k4tq7bca", act={"do": "play", "card": "SA"}, prompt="p118")


def per_second(work: Callable[[], object], times: int) -> int:
    """How often a second the work is done."""
    start = time.perf_counter()
    for _ in range(times):
        work()
    return round(times / (time.perf_counter() - start))


def main(times: int) -> None:
    """Print every figure."""
    codecs: dict[str, Codec] = {"msgpack": MsgpackCodec(), "msgspec": MsgpackCodec(hot_path=True), "JSON": JsonCodec()}
    for name, codec in codecs.items():
        shown, act = codec.encode(SHOWN), codec.encode(ACT)
        print(f"{name:8} encode a run of events  {per_second(partial(codec.encode, SHOWN), times):>10,}/s")
        print(f"{name:8} decode an act           {per_second(partial(codec.decode_client, act), times):>10,}/s")
        print(f"{name:8} decode a run of events  {per_second(partial(codec.decode_server, shown), times):>10,}/s")
    print(f"{'facts':8} an event to the wire    {per_second(partial(event_to_wire, EVENTS[0]), times):>10,}/s")
    print(f"{'facts':8} an event from the wire  {per_second(partial(event_from_wire, PLAIN[0]), times):>10,}/s")
    print(f"{'facts':8} an act from the wire    {per_second(partial(command_from_wire, ACT.act), times):>10,}/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MESSAGES_DEFAULT)
