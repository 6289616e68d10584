"""The network of a simulation keeps what TCP promises."""

import asyncio
from random import Random

import pytest

from oddtrick_cli.simulation.loop import SimLoop
from oddtrick_cli.simulation.network import Network


class Reader(asyncio.Protocol):
    """Keeps what arrives."""

    def __init__(self) -> None:
        self.data = b""

    def data_received(self, data: bytes) -> None:
        self.data += data


@pytest.mark.parametrize("seed", range(20))
def test_bytes_keep_their_order_whenever_the_hosts_are_parted(seed: int) -> None:
    """What was on its way when the line was held up still arrives before what was written meanwhile."""
    chance, reader = Random(seed), Reader()
    network = Network(Random(seed))
    loop = SimLoop(network)

    async def talk() -> bytes:
        await loop.create_server(lambda: reader, port=1)
        out, _ = await loop.create_connection(asyncio.Protocol, port=1)
        written = b""
        for number in range(100):
            word = b"%d " % number
            written += word
            out.write(word)
            if chance.random() < 0.3:
                (network.part if chance.random() < 0.5 else network.join)("world", "world")
            await asyncio.sleep(chance.uniform(0.0, 0.02))
        network.join("world", "world")
        await asyncio.sleep(1.0)
        return written

    assert loop.run_until_complete(talk()) == reader.data
    loop.close()
