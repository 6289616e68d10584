"""What the players agree on about a bystander: a substitute, a remark he pays for, a referee of fact."""

import asyncio
from typing import Any

import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol import table_events as t
from oddtrick_protocol.facts import event_from_wire, event_to_wire
from oddtrick_protocol.limits import ACCOUNTS_MAX
from oddtrick_protocol.table_info import Account, Proposal
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import Bet, BetOn, TakeBet
from oddtrick_rules.seats import Seat, Side
from oddtrick_rules.state import Phase
from oddtrick_rules.views import Watcher, view
from oddtrick_server.entries import Happened
from oddtrick_server.person import Person
from support.house import open_house
from support.seated import sit_down
from support.tables import ANNA, BEN, CLARA, DEV, Seated, people, person

EVE, FAY = person("Eve"), person("Fay")
EACH_CODE = pytest.mark.parametrize("code", list(CODES))


def playing(**wish: Any) -> Seated:
    """Anna, Ben, Clara and Dev play; Eve and Fay watch."""
    table = Seated(**wish)
    table.done(EVE, m.Watch)
    table.done(FAY, m.Watch)
    table.play_on()
    return table


def proposal(table: Seated) -> Proposal | None:
    return table.table.book.info.proposal


def cited(table: Seated, kind: type) -> tuple[str, ...]:
    """The laws that the last event of that kind rests on."""
    steps = [step for entry in table.entries() for step in entry.steps if isinstance(step, Happened)]
    last = [event for step in steps if isinstance(event := event_from_wire(step.event), kind)][-1]
    return tuple(event_to_wire(last)["cites"])


def consents(table: Seated, *who: Person) -> None:
    now = proposal(table)
    assert now is not None
    for one in who:
        table.done(one, m.Consent, proposal=now.number)


def owner_of(table: Seated, seat: Seat) -> str:
    sitter = table.table.book.info.seats[seat]
    assert sitter is not None
    return sitter.identity


def played_out(table: Seated, *away: Person) -> None:
    """Let house bots finish the rubber for these; one of the others stays, so that the clocks run."""
    for one in away:
        table.done(one, m.Away)
    for _ in range(20_000):
        if table.phase() is Phase.OVER:
            return
        table.wait(60)
    raise AssertionError("the rubber does not end")


# --- a substitute ---


@pytest.mark.law("english-1864", "23", "R20")
@pytest.mark.law("whist-1900", "14", "R20")
@pytest.mark.law("bridge-1904", "24", "R20")
@EACH_CODE
def test_a_named_substitute_sits_when_the_three_and_he_agree(code: str) -> None:
    """A player names a bystander; when his three companions agree and the named is willing, he has the seat and the hand."""
    table = playing(code=code)
    dealt = table.state.hand
    table.done(BEN, m.Propose, what="substitute", who=EVE.identity)
    consents(table, ANNA, CLARA, EVE)
    assert owner_of(table, Seat.E) == BEN.identity
    consents(table, DEV)
    assert owner_of(table, Seat.E) == EVE.identity
    assert proposal(table) is None
    assert [one.identity for one in table.table.book.info.bystanders] == [FAY.identity, BEN.identity]
    assert table.state.hand == dealt
    assert set(CODES[code].cites(next(rule for rule in CODES[code].rules if rule.name == "SUBSTITUTE"))) <= set(
        cited(table, t.SubstituteNamed)
    )
    assert table.refused(BEN, m.Act, act={"do": "place"}) == "not_seated"


@pytest.mark.law("english-1864", "23")
@pytest.mark.law("whist-1900", "14")
@pytest.mark.law("bridge-1904", "24")
def test_no_substitute_sits_against_the_will_of_anyone() -> None:
    """One of the three who says no ends it, and so does the named himself; nothing has changed."""
    for one in (ANNA, EVE):
        table = playing()
        table.done(BEN, m.Propose, what="substitute", who=EVE.identity)
        consents(table, CLARA, DEV)
        now = proposal(table)
        assert now is not None
        table.done(one, m.Consent, proposal=now.number, agreed=False)
        assert proposal(table) is None
        assert owner_of(table, Seat.E) == BEN.identity


@pytest.mark.law("english-1864", "23")
@pytest.mark.law("whist-1900", "14")
@pytest.mark.law("bridge-1904", "24")
def test_a_substitute_plays_for_that_rubber() -> None:
    """When the rubber is over the seat is its owner's again, if he still watches; else it is free."""
    for owner_stays in (True, False):
        table = playing()
        table.done(BEN, m.Propose, what="substitute", who=EVE.identity)
        consents(table, ANNA, CLARA, DEV, EVE)
        if not owner_stays:
            table.done(BEN, m.Leave)
        played_out(table, EVE, CLARA, DEV)
        if owner_stays:
            assert owner_of(table, Seat.E) == BEN.identity
        else:
            assert table.table.book.info.seats[Seat.E] is None
        assert table.table.book.watches(EVE.identity)


def test_house_bots_consent_and_so_do_bots_of_who_is_away() -> None:
    """Where bots play, only people are waited for."""
    table = Seated(bots=2)
    table.sit_all(ANNA, BEN)
    table.done(EVE, m.Watch)
    table.done(ANNA, m.Start)
    table.done(BEN, m.Away)
    table.done(ANNA, m.Propose, what="substitute", who=EVE.identity)
    now = proposal(table)
    assert now is not None
    assert set(now.given) == {Seat.E, Seat.S, Seat.W}
    assert not now.willing
    consents(table, EVE)
    assert owner_of(table, Seat.N) == EVE.identity


def test_what_is_proposed_dies_with_those_it_is_about() -> None:
    """It ends when its proposer gives up the seat, or the bystander goes; one who sits down anew is asked himself."""
    table = playing()
    table.done(BEN, m.Propose, what="substitute", who=EVE.identity)
    table.lose(EVE)
    assert proposal(table) is None
    table.done(BEN, m.Propose, what="substitute", who=FAY.identity)
    consents(table, ANNA)
    table.done(CLARA, m.Stand)
    now = proposal(table)
    assert now is not None
    assert set(now.given) == {Seat.N, Seat.S}  # Clara's seat is a bot's now
    table.done(BEN, m.Stand)
    assert proposal(table) is None


def test_who_has_a_say() -> None:
    """He who leaves does not consent to it, nor does a bystander who is not named, nor anybody twice or to something else."""
    table = playing()
    assert table.refused(ANNA, m.Consent, proposal=1) == "superseded"
    assert table.refused(BEN, m.Propose, what="substitute", who=CLARA.identity) == "no_such_person"
    table.done(BEN, m.Propose, what="substitute", who=EVE.identity)
    assert table.refused(ANNA, m.Propose, what="referee", who=FAY.identity) == "not_ready"
    assert table.refused(BEN, m.Consent, proposal=1) == "not_yours"
    assert table.refused(FAY, m.Consent, proposal=1) == "forbidden"
    assert table.refused(FAY, m.Consent, proposal=1, agreed=False) == "forbidden"
    assert table.refused(ANNA, m.Consent, proposal=2) == "superseded"
    consents(table, ANNA)
    assert table.refused(ANNA, m.Consent, proposal=1) == "already_done"
    table.done(BEN, m.Consent, proposal=1, agreed=False)
    assert proposal(table) is None


def test_outside_a_rubber_there_is_nothing_to_agree_on() -> None:
    """Before the first rubber nothing is proposed; what is open when a rubber ends is closed with it."""
    table = Seated()
    table.sit_all()
    table.done(EVE, m.Watch)
    for what in ("substitute", "remark", "referee"):
        assert table.refused(ANNA, m.Propose, what=what, who=EVE.identity) == "not_ready"
    table.done(ANNA, m.Start)
    table.done(ANNA, m.Propose, what="remark", who=EVE.identity)
    played_out(table, BEN, CLARA)
    assert proposal(table) is None
    assert not table.table.book.info.owed


# --- a remark, and a referee ---


@pytest.mark.law("english-1864", "88", "R17", "R18")
@pytest.mark.law("whist-1900", "92", "R17", "R18")
@pytest.mark.law("bridge-1904", "105", "R17", "R18")
@EACH_CODE
def test_a_bystander_pays_for_his_remark_when_all_four_say_so(code: str) -> None:
    """A charge all four agree on costs the bystander the stakes and the bets that stand, each time."""
    table = playing(code=code, stakes=5)
    table.act(Seat.N, Bet(3, BetOn.SCORE, Side.NS), prompt=None)
    table.act(Seat.E, TakeBet(1), prompt=None)
    table.act(Seat.N, Bet(7, BetOn.SCORE, Side.NS), prompt=None)
    assert [bet.taker for bet in table.state.bets] == [Seat.E, None]
    table.done(ANNA, m.Propose, what="remark", who=EVE.identity)
    consents(table, BEN, CLARA)
    assert not table.table.book.info.owed
    consents(table, DEV)
    assert table.table.book.info.owed == (Account(EVE.identity, "Eve", 5 + 3),)
    assert "R18" in cited(table, t.CountersOwed)
    table.done(DEV, m.Propose, what="remark", who=EVE.identity)
    consents(table, ANNA, BEN, CLARA)
    assert table.table.book.info.owed == (Account(EVE.identity, "Eve", 2 * (5 + 3)),)


@pytest.mark.law("english-1864", "88")
@pytest.mark.law("whist-1900", "92")
@pytest.mark.law("bridge-1904", "105")
@EACH_CODE
def test_after_the_rubber_no_remark_costs_anything(code: str) -> None:
    """The stakes are paid when the rubber is over; a charge then comes too late, by the law."""
    table = playing(code=code)
    played_out(table, BEN, CLARA, DEV)
    assert table.refused(ANNA, m.Propose, what="remark", who=EVE.identity) == "too_late"


@pytest.mark.law("english-1864", "89", "R17")
@pytest.mark.law("whist-1900", "93", "R17")
@pytest.mark.law("bridge-1904", "106", "R17")
@EACH_CODE
def test_all_four_make_a_bystander_referee(code: str) -> None:
    """A bystander is referee of fact by the consent of all four, shown to everybody, until he goes."""
    table = playing(code=code)
    table.done(CLARA, m.Propose, what="referee", who=FAY.identity)
    consents(table, ANNA, BEN)
    assert not table.table.book.info.referee
    consents(table, DEV)
    assert table.table.book.info.referee == FAY.identity
    assert set(CODES[code].cites(next(rule for rule in CODES[code].rules if rule.name == "REFEREE"))) <= set(
        cited(table, t.RefereeChosen)
    )
    table.done(FAY, m.Leave)
    assert not table.table.book.info.referee


def test_a_table_keeps_so_many_accounts_and_no_more() -> None:
    """When the accounts are full nobody else is charged; one who has an account still can be."""
    table = Seated(bots=3)
    table.done(ANNA, m.Sit)
    table.done(EVE, m.Watch)
    table.done(ANNA, m.Start)
    for number in range(ACCOUNTS_MAX):
        one = person(f"B{number}")
        table.done(one, m.Watch)
        table.done(ANNA, m.Propose, what="remark", who=one.identity)
    assert len(table.table.book.info.owed) == ACCOUNTS_MAX
    assert table.refused(ANNA, m.Propose, what="remark", who=EVE.identity) == "not_ready"
    table.done(ANNA, m.Propose, what="remark", who="id-b7")


def test_a_crash_forgets_nothing_that_was_agreed_on() -> None:
    """What is proposed, consented, owed and whose seat is lent stands after the table is taken up again."""
    table = playing()
    table.done(ANNA, m.Propose, what="remark", who=FAY.identity)
    consents(table, BEN, CLARA, DEV)
    table.done(BEN, m.Propose, what="substitute", who=EVE.identity)
    consents(table, ANNA, CLARA, DEV, EVE)
    table.done(CLARA, m.Propose, what="referee", who=FAY.identity)
    consents(table, ANNA)
    info = table.table.book.info
    table.crash()
    assert table.table.book.info == info
    for one in (*people, EVE, FAY):
        table.arrive(one)
    table.done(DEV, m.Consent, proposal=3)
    assert table.table.book.info.proposal == Proposal(
        3,
        "referee",
        Seat.S,
        FAY.identity,
        "Fay",
        (Seat.N, Seat.E, Seat.S, Seat.W),
        (Seat.S, Seat.N, Seat.W),
        willing=True,
    )


# --- over sockets ---


async def test_a_substitute_takes_over_on_the_wire() -> None:
    """The bystander's client is shown the hand and may play it; the one who left watches, and sees no hand."""
    async with open_house() as house, sit_down(house) as company:
        await company.play_on(lambda state: state.hand is not None and bool(state.hand.tricks))
        watcher, east = company.watcher, company.clients[Seat.E]
        await east.table(company.id).ask(m.Propose, what="substitute", who=watcher.identity)
        for client in (*(company.clients[seat] for seat in (Seat.N, Seat.S, Seat.W)), watcher):
            await client.table(company.id).ask(m.Consent, proposal=1)
        await asyncio.gather(*(client.ping() for client in (*company.clients.values(), watcher)))
        mirror, left = watcher.table(company.id).mirror, east.table(company.id).mirror
        assert mirror.seat is Seat.E
        assert mirror.state is not None
        assert mirror.state.hand is not None
        assert mirror.state.hand.hands[Seat.E] == company.hand.hands[Seat.E]
        assert left.seat is None
        assert left.state is not None
        assert left.state == view(company.state, Watcher.BYSTANDER)
        assert mirror.info == left.info == house.table(company.id).book.info
