"""`oddtrick bot` against `oddtrick serve`, as two programs: whole rubbers, their results and their records."""

import asyncio
import re
from pathlib import Path
from typing import Final

from oddtrick_sdk import Client
from support.processes import Finished, ServerProcess, run, serving

RESULT: Final = re.compile(r"table (\w+): rubber (\d) to (?:NS|EW) by -?(\d+) points? in (\d+) hands?")
# Each is a table of its own: what four bots are started with. They play at once, since a bot mostly waits.
TABLES: Final = (
    ("courteous", "--rubbers", "3"),
    ("random", "--irregular", "0.1", "--enforcement", "club"),
    ("random", "--irregular", "0.1", "--enforcement", "guided", "--code", "whist-1900"),
    ("courteous", "--enforcement", "strict", "--code", "bridge-1904"),
)


async def test_four_bots_play_rubbers_to_the_end(tmp_path: Path, seed: int) -> None:
    """Four bots play rubbers at a table of their own, print each result and exit 0; every hand's record and deal holds."""
    async with serving(tmp_path, options=["--log-level", "warning"]) as server:
        common = ["--url", server.url, "--count", "4", "--seed", str(seed)]
        ended = await asyncio.gather(*(run("bot", *options, *common, folder=tmp_path) for options in TABLES))
        tables = [results(done) for done in ended]
        assert [[number for _, number, _ in played] for played in tables] == [[1, 2, 3], [1], [1], [1]]
        records: list[str] = []
        chains: list[list[str]] = []
        for played in tables:
            assert len({table for table, _, _ in played}) == 1, "rubbers of one table"
            kept = await keep_records(server, played[0][0], sum(hands for _, _, hands in played))
            records += kept[0]
            chains.append(kept[1])
        last = await run("record", tables[-1][0][0], "--url", server.url, folder=tmp_path)
        assert last.out == (tmp_path / records[-1]).read_text(encoding="utf-8"), last.text
    checked = await run("check", *records, folder=tmp_path)
    assert checked.out.splitlines() == [f"ok {name}" for name in records], checked.text
    assert checked.code == 0
    for events in chains:
        verified = await run("verify", *events, folder=tmp_path)
        assert verified.code == 0, verified.text
        assert len(re.findall(r"^ok ", verified.out, re.MULTILINE)) == len(events)


def results(done: Finished) -> list[tuple[str, int, int]]:
    """Table, number and hands of each rubber printed; nothing else may be printed."""
    assert done.code == 0, done.text
    found = [RESULT.fullmatch(line) for line in done.out.splitlines()]
    assert all(found), done.text
    return [(match[1], int(match[2]), int(match[4])) for match in found if match]


async def keep_records(server: ServerProcess, table: str, hands: int) -> tuple[list[str], list[str]]:
    """Have every hand of a table as a record and as JSON Lines; the names of the files."""
    records, events = [], []
    async with Client(server.url, name="Reader") as client:
        assert [line.hand for line in await client.hands(table)] == list(range(1, hands + 1))
        for number in range(1, hands + 1):
            records.append(f"{table}-{number:02}.whist")
            events.append(f"{table}-{number:02}.jsonl")
            text = await client.record(table, number, "whist")
            (server.folder / records[-1]).write_text(text, encoding="utf-8")
            text = await client.record(table, number, "jsonl")
            (server.folder / events[-1]).write_text(text, encoding="utf-8")
    return records, events
