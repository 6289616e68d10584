"""A table formed by cutting: who plays, who waits, who goes out and who deals, on a clock that the test moves."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from itertools import pairwise
from typing import Any

import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as t
from oddtrick_protocol.facts import event_from_wire
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.forming import CutAgain, cut_for_partners, cut_for_places, cut_rank
from oddtrick_rules.seats import PARTNER, SEATS, Seat
from oddtrick_rules.state import Phase
from oddtrick_sdk import Client
from oddtrick_server.entries import Happened
from oddtrick_server.person import Person
from support.house import open_house
from support.seated import options, until
from support.tables import ANNA, BEN, CLARA, DEV, Seated, people, person

EVE, FAY, GUS = [person(name) for name in ("Eve", "Fay", "Gus")]
EACH_CODE = pytest.mark.parametrize("code", list(CODES))


def events(table: Seated) -> list[object]:
    return [
        event_from_wire(step.event) for entry in table.entries() for step in entry.steps if isinstance(step, Happened)
    ]


def cuts(table: Seated, purpose: str) -> list[t.CardsCut]:
    return [event for event in events(table) if isinstance(event, t.CardsCut) and event.purpose == purpose]


def seated(table: Seated) -> dict[Seat, str]:
    seats = zip(SEATS, table.table.book.info.seats, strict=True)
    return {seat: sitter.identity for seat, sitter in seats if sitter is not None and sitter.bot is None}


def wait_for_places(table: Seated, *who: Person) -> None:
    for one in who:
        table.done(one, m.Watch)
        table.done(one, m.DeclareIn)


def six(chance: object = 1, **wish: Any) -> Seated:
    """Four have sat down, and two more wait."""
    table = Seated(chance=chance, forming="cut", **wish)
    table.sit_all()
    wait_for_places(table, EVE, FAY)
    return table


def away_with_the_rubber(table: Seated) -> None:
    """Let house bots play the rubber out while its players are away, and be back."""
    here = [one for one in (*people, EVE, FAY) if one.identity in seated(table).values()]
    for one in here[1:]:
        table.done(one, m.Away)
    for _ in range(20_000):
        if table.phase() is Phase.OVER:
            break
        table.wait(60)
    assert table.phase() is Phase.OVER
    for one in here[1:]:
        table.done(one, m.Back)


def again(table: Seated) -> None:
    for one in [one for one in (*people, EVE, FAY) if one.identity in seated(table).values()]:
        table.done(one, m.Again)


def chance_with(true: Callable[[Seated], bool]) -> Seated:
    """A table of six that has begun, of the first chance with which something is so."""
    for chance in range(400):
        table = six(chance)
        table.done(ANNA, m.Start)
        if true(table):
            return table
    raise AssertionError("no chance brings it about")


def rounds_of(made: Sequence[t.CardsCut]) -> list[dict[str, object]]:
    return [dict(zip(cut.identities, cut.cards, strict=True)) for cut in made]


@pytest.mark.law("english-1864", "13", "14", "16")
@pytest.mark.law("whist-1900", "4", "5", "8")
@pytest.mark.law("bridge-1904", "14", "15", "17")
@EACH_CODE
def test_four_cut_for_partners_and_the_deal(code: str) -> None:
    """The two lowest play together, the lowest deals from the seat he has, and everybody is shown the cards."""
    table = Seated(code=code, forming="cut")
    table.sit_all()
    before = seated(table)
    table.done(ANNA, m.Start)
    made = cuts(table, "partners")
    assert set(made[0].identities) == set(before.values())
    assert len(set(made[0].cards)) == 4
    assert set(CODES[code].cites(next(rule for rule in CODES[code].rules if rule.name == "CUTTING"))) <= set(
        made[0].cites
    )
    order = sorted(made[-1].identities, key=lambda who: cut_rank(rounds_of(made)[-1][who]))  # type: ignore[arg-type]
    dealer = next(event for event in events(table) if isinstance(event, t.RubberBegan)).dealer
    now = seated(table)
    assert set(now.values()) == set(before.values())
    assert now[dealer] == order[0] == before[dealer]
    if len(made) == 1:
        assert now[PARTNER[dealer]] == order[1]
    seen = [item.event["t"] for item in table.table.book.streams.after(4, 1) or []]
    assert "cards_cut" in seen
    assert "seats_changed" in seen


@pytest.mark.law("english-1864", "16", "17")
@pytest.mark.law("whist-1900", "7")
@pytest.mark.law("bridge-1904", "17", "18")
@EACH_CODE
def test_of_six_the_four_lowest_play_and_the_next_has_the_first_claim(code: str) -> None:
    """Six cut; those with the four lowest cards have the seats, the others wait, the lower before the higher."""
    table = six(code=code)
    table.done(ANNA, m.Start)
    ranks: dict[str, tuple[int, ...]] = {}
    for cut in cuts(table, "places"):
        for who, card in zip(cut.identities, cut.cards, strict=True):
            ranks[who] = (*ranks.get(who, ()), cut_rank(card))
    order = sorted(ranks, key=lambda who: ranks[who])
    assert len(order) == 6
    assert set(seated(table).values()) == set(order[:4])
    assert table.table.book.info.waiting == tuple(order[4:])
    assert {one.identity for one in table.table.book.info.bystanders} == set(order[4:])


@pytest.mark.law("english-1864", "18", "19")
@pytest.mark.law("whist-1900", "9", "10")
@pytest.mark.law("bridge-1904", "19", "20")
def test_equals_cut_again() -> None:
    """Whoever has cut alike where it matters, and nobody else, cuts again, and the table says by which law."""
    table = chance_with(lambda table: len(cuts(table, "partners")) > 1 and len(cuts(table, "places")) > 1)
    for purpose in ("partners", "places"):
        first, *more = cuts(table, purpose)
        rounds = rounds_of([first])
        tied = cut_for_partners(rounds) if purpose == "partners" else cut_for_places(rounds, places=4)  # type: ignore[arg-type]
        if purpose == "places" and not isinstance(tied, CutAgain):
            tied = cut_for_places(rounds, places=5)  # type: ignore[arg-type]
        assert isinstance(tied, CutAgain)
        assert more[0].identities == tied.players
        assert {"18", "19"} <= set(more[0].cites)
        assert not {"18", "19"} & set(first.cites)


@pytest.mark.law("english-1864", "17", "21")
@pytest.mark.law("whist-1900", "7", "12")
@pytest.mark.law("bridge-1904", "18", "22")
@EACH_CODE
def test_a_seventh_is_not_admitted(code: str) -> None:
    """Six complete the table, those who wait included; nobody declares in twice."""
    table = six(code=code)
    table.done(GUS, m.Watch)
    assert table.refused(GUS, m.DeclareIn) == "no_right"
    assert table.refused(EVE, m.DeclareIn) == "already_done"
    table.done(FAY, m.Leave)
    table.done(GUS, m.DeclareIn)
    assert table.table.book.info.waiting == (EVE.identity, GUS.identity)


@pytest.mark.law("english-1864", "20", "21")
@pytest.mark.law("whist-1900", "11", "12")
@pytest.mark.law("bridge-1904", "21", "22")
@EACH_CODE
def test_after_a_rubber_those_who_wait_come_in_for_those_who_cut_highest(code: str) -> None:
    """All four have played one rubber: they cut, the two highest go out and wait, the two who waited play."""
    table = six(code=code)
    table.done(ANNA, m.Start)
    waited, played = table.table.book.info.waiting, set(seated(table).values())
    away_with_the_rubber(table)
    again(table)
    made = cuts(table, "leaving")
    assert set(made[0].identities) == played
    out = set(table.table.book.info.waiting)
    assert len(out) == 2
    assert set(seated(table).values()) == (played - out) | set(waited)
    if len(made) == 1:
        rank = {who: cut_rank(card) for who, card in zip(made[0].identities, made[0].cards, strict=True)}
        assert min(rank[who] for who in out) > max(rank[who] for who in played - out)


@pytest.mark.law("english-1864", "20")
@pytest.mark.law("whist-1900", "11")
@pytest.mark.law("bridge-1904", "21")
@EACH_CODE
def test_who_has_played_the_most_in_a_row_goes_out_without_cutting(code: str) -> None:
    """After a second rubber the two who have played both make room, and no card is cut for it."""
    table = six(code=code)
    table.done(ANNA, m.Start)
    first = set(seated(table).values())
    away_with_the_rubber(table)
    again(table)
    both = first & set(seated(table).values())
    count = len(cuts(table, "leaving"))
    away_with_the_rubber(table)
    again(table)
    assert len(both) == 2
    assert set(table.table.book.info.waiting) == both
    assert len(cuts(table, "leaving")) == count


def test_a_house_bot_makes_room_first() -> None:
    """Where a bot plays for want of a person, one who waits has its place, and nobody goes out."""
    table = Seated(forming="cut", bots=1)
    table.sit_all(ANNA, BEN, CLARA)
    wait_for_places(table, EVE)
    table.done(ANNA, m.Start)
    assert set(seated(table).values()) == {one.identity for one in (ANNA, BEN, CLARA, EVE)}
    assert not table.table.book.info.waiting
    assert not cuts(table, "places")


def test_bots_fill_a_table_that_lacks_people() -> None:
    """With fewer than four the house fills the seats, and its bots cut for partners like everybody."""
    table = Seated(forming="cut")
    table.sit_all(ANNA)
    table.done(ANNA, m.Start)
    assert len(cuts(table, "partners")[0].identities) == 4
    assert Counter(sitter is not None and sitter.bot for sitter in table.table.book.info.seats)["courteous"] == 3


def test_nobody_sits_down_before_those_who_wait() -> None:
    """A seat that falls free between rubbers is theirs who have declared in, not a passer-by's."""
    table = six()
    table.done(DEV, m.Leave)
    assert table.refused(GUS, m.Sit) == "no_free_seat"
    table.done(ANNA, m.Start)
    assert set(seated(table).values()) | set(table.table.book.info.waiting) == {
        one.identity for one in (ANNA, BEN, CLARA, EVE, FAY)
    }


def test_who_loses_his_line_waits_no_longer() -> None:
    """A place in the queue is kept by being there."""
    table = six()
    table.lose(EVE)
    assert table.table.book.info.waiting == (FAY.identity,)


def test_a_table_of_seats_takes_no_declarations() -> None:
    """Where places are taken by sitting down, there is no queue."""
    table = Seated()
    table.sit_all()
    table.done(EVE, m.Watch)
    assert table.refused(EVE, m.DeclareIn) == "not_ready"
    table.done(ANNA, m.Start)
    assert not cuts(table, "partners")


def test_the_cuts_are_the_same_for_the_same_seed_and_other_for_another() -> None:
    """A seeded table can be formed again; without a seed the cards follow the server's own chance."""
    made = []
    for chance, seed in ((1, "x"), (2, "x"), (1, "y"), (1, None), (2, None)):
        table = six(chance, seed=seed)
        table.done(ANNA, m.Start)
        made.append([cut.cards for cut in cuts(table, "places")])
    assert made[0] == made[1]
    assert all(one != other for one, other in pairwise(made[1:]))


def test_a_crash_forgets_neither_queue_nor_rubbers() -> None:
    """A table taken up from its log has the same queue, and lets the same players go out."""
    table = six()
    table.done(ANNA, m.Start)
    away_with_the_rubber(table)
    waiting, played = table.table.book.info.waiting, dict(table.table.book.played)
    table.crash()
    assert table.table.book.info.waiting == waiting
    assert table.table.book.played == played == dict.fromkeys(seated(table).values(), 1)


def test_a_deal_under_way_is_committed_to_anew_by_who_now_sits_there() -> None:
    """After a rubber the seats change; what their players had committed to the next deal is asked of them again."""
    table = Seated(forming="cut")
    table.sit_all()
    table.done(ANNA, m.Start)
    away_with_the_rubber(table)
    pending = table.table.book.pending_deal()
    assert pending is not None
    again(table)
    after = table.table.book.pending_deal()
    assert after is not None
    assert (after.commitment, after.hand) == (pending.commitment, pending.hand)
    assert after.revealing or not any(after.commitments)


async def test_six_clients_form_a_table() -> None:
    """Over sockets six clients agree on who plays where; the four add their own chance to the deal, wherever they now sit."""
    async with open_house() as house, AsyncExitStack() as stack:
        names = ("Anna", "Ben", "Clara", "Dev", "Eve", "Fay")
        clients = [
            await stack.enter_async_context(Client(house.url, name=name, options=options(name))) for name in names
        ]
        made = (await clients[0].create(forming="cut")).table
        assert made is not None
        for client in clients[:4]:
            await client.sit(made)
        for client in clients[4:]:
            await client.watch(made)
            await client.table(made).ask(m.DeclareIn)
        await clients[0].table(made).ask(m.Start)
        await until(lambda: house.state(made).hand is not None)
        for client in clients:
            await client.ping()
        info = house.table(made).book.info
        assert [client.table(made).mirror.info for client in clients] == [info] * 6
        assert info.deal is not None
        assert all(info.deal.entropies)
        for client in clients:
            mirror = client.table(made).mirror
            sitter = None if mirror.seat is None else info.seats[mirror.seat]
            waits = client.identity in info.waiting
            assert waits is (sitter is None)
            assert sitter is None or sitter.identity == client.identity
