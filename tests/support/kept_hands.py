"""Finished hands as a store keeps them, made up: who played and who watched is all that matters of them."""

from collections.abc import Sequence

from oddtrick_server.hand_record import HandRecord, Player, Proof


def hand_of(
    *players: Player, number: int = 1, ended_ms: int = 1, private: bool = False, watchers: Sequence[str] = ()
) -> HandRecord:
    """A hand of table `t` that they played, from North on; nobody sits on the other seats."""
    return HandRecord(
        table="t",
        hand=number,
        rubber=1,
        code="english-1864",
        enforcement="guided",
        dealer="N",
        players=[*players, *[None] * (4 - len(players))],
        dealt_ms=0,
        ended_ms=ended_ms,
        start={},
        acts=[],
        tricks=[7, 6],
        score=[1, 0],
        proof=Proof(f"t/{number}", "N", "", "", "", [None] * 4, [""] * 4),
        private=private,
        watchers=list(watchers),
    )
