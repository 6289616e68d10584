"""Tables with deals that are known beforehand: opened by their seed, and worked out as the server works them out."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

from oddtrick_rules.cards import CARD_NAMES
from oddtrick_rules.shuffle import NO_ENTROPY, deal_hands, deal_order
from oddtrick_sdk.client import Client

SEATS = "NESW"


def dealer_of(seed: str, rubber: int = 1) -> str:
    """Who deals the first hand of a rubber at a table of that seed."""
    return SEATS[sha256(f"{seed}/dealer/{rubber}".encode()).digest()[0] % 4]


def hands_of(seed: str, dealer: str, hand: int = 1) -> dict[str, list[str]]:
    """The four hands of a deal at a table of that seed."""
    secret = sha256(f"{seed}/{hand}".encode()).digest()
    order = deal_order(secret, [NO_ENTROPY] * 4, hand_id=f"seed/{hand}", dealer=SEATS.index(dealer))
    dealt = deal_hands(order, SEATS.index(dealer))
    return {seat: [CARD_NAMES[card] for card in cards] for seat, cards in zip(SEATS, dealt.hands, strict=True)}


def open_table(url: str, seed: str | None, **wish: Any) -> str:
    """Open a table and leave it to whoever comes first; its name."""

    async def opened() -> str:
        async with Client(url.replace("http", "ws") + "/ws", name="Opener") as client:
            made = await client.create(**({"seed": seed} if seed else {}), **wish)
            assert made.table is not None
            return made.table

    # In a thread: Playwright has a loop of its own in this one.
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(lambda: asyncio.run(opened())).result()
