"""A rubber by the law of 1864, at a club table, on a real server: the players err, mend, pay, drop out and come back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from oddtrick_rules import commands as c
from oddtrick_rules.cards import BIT, SUIT_MASK, Card
from oddtrick_rules.commands import Demand, Penalty
from oddtrick_rules.legal import legal
from oddtrick_rules.seats import ADVERSARIES, LEFT, PARTNER, SEATS, SIDE, Seat
from oddtrick_rules.state import Charge, Hand, Phase, Revoke, RevokeStage, Stage, State, Verdict
from oddtrick_rules.turns import card_turn, led_suit, open_trick, playable, winning
from oddtrick_rules.views import Watcher, view
from oddtrick_sdk import Client, Happened, Refused, Table
from support.house import House, open_house
from support.seated import Seated, lowest, options, sit_down
from support.stored import log_of, replayed

CLOCKS = {"turn_ms": 600_000, "absence_ms": 60_000}


@pytest.fixture
async def house(tmp_path: Path, seed: int) -> AsyncIterator[House]:
    async with open_house(store=f"sqlite:{tmp_path / 'tables.db'}", seed=seed) as running:
        yield running


# --- what a script waits for ---


def renounce_open(state: State) -> tuple[Seat, Card] | None:
    """Who could revoke now by a card that is neither of the suit led nor a trump, and with which."""
    hand = state.hand
    if state.phase is not Phase.PLAYING or hand is None:
        return None
    seat, trick = card_turn(hand), open_trick(hand)
    if seat is None or trick is None or not trick.plays or hand.tricks[-1].stage is not Stage.OPEN:
        return None
    suit = SUIT_MASK[led_suit(trick)]
    assert hand.trump is not None
    others = hand.hands[seat] & ~suit & ~SUIT_MASK[hand.trump]
    if not hand.hands[seat] & suit or not others:
        return None
    return seat, lowest(others)


def partner_wins(state: State) -> bool:
    """Whether the last to play could revoke while his partner has the trick."""
    hand = state.hand
    if renounce_open(state) is None or hand is None:
        return False
    trick, seat = hand.tricks[-1], card_turn(hand)
    assert seat is not None
    return len(trick.plays) == 3 and winning(trick, hand.trump)[0] is PARTNER[seat]


def revoke_of(hand: Hand, seat: Seat, trick: int) -> Revoke | None:
    return next((one for one in hand.revokes if one.seat is seat and one.trick == trick), None)


def stage_of(hand: Hand, seat: Seat, trick: int) -> RevokeStage | None:
    revoke = revoke_of(hand, seat, trick)
    return None if revoke is None else revoke.stage


def charge_of(hand: Hand, seat: Seat) -> Charge:
    return next(one for one in hand.charges if one.seat is seat)


# --- the scenes ---


async def a_revoke_is_asked_and_corrected(seated: Seated) -> tuple[Seat, Card]:
    """A player renounces in error, his partner asks, he takes the card back; the adversaries waive, so that it lies callable."""
    await seated.play_on(lambda state: renounce_open(state) is not None)
    found = renounce_open(seated.state)
    assert found is not None
    offender, wrong = found
    trick = seated.hand.tricks[-1]
    await seated.do(offender, c.Play(wrong))
    assert stage_of(seated.hand, offender, trick.number) is RevokeStage.MADE
    await seated.do(PARTNER[offender], c.Ask())
    asked = seated.at(offender).mirror.asked
    assert asked is not None
    assert asked.kind == "question"
    await seated.do(offender, c.Answer(none=False))
    await seated.do(offender, c.Withdraw())
    with pytest.raises(Refused, match=r"."):
        await seated.do(offender, c.Play(lowest(seated.hand.hands[offender] & SUIT_MASK[led_suit(trick)])))
    await seated.do(ADVERSARIES[offender][0], c.Waive())
    await seated.do(offender, c.Play(lowest(seated.hand.hands[offender] & SUIT_MASK[led_suit(trick)])))
    assert stage_of(seated.hand, offender, trick.number) is RevokeStage.CORRECTED
    assert seated.hand.exposed[offender] == BIT[wrong]
    return offender, wrong


async def the_wrong_card_is_called(seated: Seated, offender: Seat, wrong: Card) -> None:
    """When the card can be played, an adversary calls it, and no other is taken."""
    caller = ADVERSARIES[offender][1]
    call = c.Call(Demand.CARD, offender, card=wrong)

    def can_be_called(state: State) -> bool:
        assert state.hand is not None
        return (
            card_turn(state.hand) is offender
            and bool(playable(state, offender) & BIT[wrong])
            and state.hand.tricks[-1].stage in {Stage.OPEN, Stage.QUITTED}
            and call in legal(state, caller)
        )

    await seated.play_on(can_be_called)
    assert call in seated.at(caller).mirror.acts
    await seated.do(caller, call)
    asked = seated.at(offender).mirror.asked
    assert asked is not None
    assert asked.playable == (wrong,)
    other = lowest(seated.hand.hands[offender], but=BIT[wrong])
    if other != wrong:
        with pytest.raises(Refused) as refused:
            await seated.do(offender, c.Play(other))
        assert refused.value.code == "must_obey"
    await seated.do(offender, c.Play(wrong))
    assert not seated.hand.exposed[offender]


async def a_revoke_is_established_by_a_lead(seated: Seated) -> tuple[Seat, int]:
    """The last to play revokes, his partner has the trick and leads on before it is turned; an adversary charges him."""
    await seated.play_on(partner_wins)
    found = renounce_open(seated.state)
    assert found is not None
    offender, wrong = found
    number = seated.hand.tricks[-1].number
    await seated.do(offender, c.Play(wrong))
    assert stage_of(seated.hand, offender, number) is RevokeStage.MADE
    partner = PARTNER[offender]
    await seated.do(partner, c.Play(lowest(seated.hand.hands[partner])))
    assert stage_of(seated.hand, offender, number) is RevokeStage.ESTABLISHED
    for one in (*SEATS, None):
        mirror = (seated.watcher.table(seated.id) if one is None else seated.at(one)).mirror
        assert mirror.state is not None
        assert mirror.state.hand is not None
        assert revoke_of(mirror.state.hand, offender, number) is None, "nobody is told of it (R4)"
    await seated.do(LEFT[offender], c.ClaimRevoke(offender, number))
    return offender, number


async def it_is_proved_and_paid(seated: Seated, offender: Seat, number: int) -> None:
    """After the last trick the charge is searched, proved, and three tricks go over."""
    claimant = LEFT[offender]
    await seated.play_on(lambda state: state.phase is Phase.CLAIMS)
    taken = seated.hand.taken
    await seated.do(claimant, c.Search())
    assert charge_of(seated.hand, offender).verdict is Verdict.PROVED
    revoke = revoke_of(seated.hand, offender, number)
    assert revoke is not None
    await seated.do(claimant, c.Elect(Penalty.TRICKS, revoke.number))
    over = min(3, taken[SIDE[offender]])
    assert seated.hand.taken[SIDE[claimant]] == taken[SIDE[claimant]] + over
    assert seated.hand.taken[SIDE[offender]] == taken[SIDE[offender]] - over


async def a_charge_after_the_cut_is_refused(seated: Seated) -> None:
    """A revoke that nobody charges in time costs nothing: once the pack is cut it is too late."""
    await seated.play_on(lambda state: renounce_open(state) is not None)
    found = renounce_open(seated.state)
    assert found is not None
    offender, wrong = found
    number = seated.hand.tricks[-1].number
    await seated.do(offender, c.Play(wrong))
    await seated.play_on(lambda state: state.hand is not None and state.hand.cut)
    assert stage_of(seated.hand, offender, number) is RevokeStage.BARRED
    before = seated.state
    with pytest.raises(Refused) as refused:
        await seated.do(LEFT[offender], c.ClaimRevoke(offender, number))
    assert refused.value.code == "too_late"
    assert "78" in refused.value.cites
    assert seated.state == before


async def a_seat_is_dropped_and_resumes(seated: Seated) -> None:
    """A line breaks in the middle of a trick; the others play on, and he comes back to the same trick and card."""
    await seated.play_on(lambda state: state.hand is not None and len(state.hand.tricks[-1:]) == 1 and mid_trick(state))
    last = SEATS[(seated.hand.tricks[-1].leader + 3) % 4]
    seen = seated.at(last).mirror.seq
    unread = drain(seated.at(last))
    await seated.drop(last)
    await seated.play_on(lambda state: state.hand is not None and card_turn(state.hand) is last)
    await seated.restore(last)
    mirror = seated.at(last).mirror
    assert mirror.state == view(seated.state, last)
    assert mirror.asked is not None
    assert mirror.asked.kind == "turn"
    seqs = [told.seq for told in drain(seated.at(last)) if isinstance(told, Happened)]
    assert seqs == list(range(seen + 1, mirror.seq + 1)), "the missing run, once and in order"
    assert unread
    await seated.step()


def mid_trick(state: State) -> bool:
    hand = state.hand
    return (
        hand is not None and state.phase is Phase.PLAYING and len(hand.tricks) > 1 and len(hand.tricks[-1].plays) == 1
    )


def drain(table: Table) -> list[object]:
    """All that is unread of a table."""
    updates = table.client.updates_of(table.id)
    found: list[object] = []
    while (told := updates.get_nowait()) is not None:
        found.append(told)
    return found


async def a_seat_is_abandoned(seated: Seated) -> tuple[Seat, str]:
    """A player goes for good; after the time for it a substitute plays his cards."""
    await seated.play_on(lambda state: state.phase is Phase.PLAYING and mid_trick(state))
    seat = card_turn(seated.hand)
    assert seat is not None
    token = await seated.abandon(seat)
    held = seated.hand.held[seat]
    await seated.tick(CLOCKS["absence_ms"] / 1000)
    sitter = seated.house.table(seated.id).book.info.seats[seat]
    assert sitter is not None
    assert sitter.substitute == "courteous"
    await seated.play_on(lambda state: state.hand is not None and state.hand.held[seat] < held)
    return seat, token


async def its_owner_comes_back(seated: Seated, seat: Seat, token: str) -> Client:
    """The owner returns by his token, and between tricks the seat is his again."""
    name = f"Player {seat.name}"
    client = await Client(seated.house.url, name=name, token=token, options=options(f"{name} again")).__aenter__()
    await seated.come_back(seat, client)

    def is_his(_: State) -> bool:
        sitter = seated.house.table(seated.id).book.info.seats[seat]
        return sitter is not None and sitter.substitute is None

    await seated.play_on(is_his)
    return client


async def test_four_clients_and_a_bystander_through_a_rubber(house: House) -> None:
    """A rubber with every accident of the table ends as the engine's replay of its log ends, and everybody saw just his part."""
    async with sit_down(house, code="english-1864", enforcement="club", clocks=CLOCKS) as seated:
        offender, wrong = await a_revoke_is_asked_and_corrected(seated)
        await the_wrong_card_is_called(seated, offender, wrong)
        debtor, number = await a_revoke_is_established_by_a_lead(seated)
        await it_is_proved_and_paid(seated, debtor, number)
        await a_charge_after_the_cut_is_refused(seated)
        await a_seat_is_dropped_and_resumes(seated)
        seat, token = await a_seat_is_abandoned(seated)
        client = await its_owner_comes_back(seated, seat, token)
        try:
            await seated.play_on(lambda state: state.phase is Phase.OVER)
            await everything_agrees(seated)
        finally:
            await client.__aexit__(None, None, None)


async def everything_agrees(seated: Seated) -> None:
    """The log, judged again, comes to the server's rubber, and its views are what the clients hold."""
    replay = replayed(await log_of(seated.house.store, seated.id))
    assert replay.state is not None
    assert replay.state == seated.state
    for seat in SEATS:
        assert seated.at(seat).mirror.state == view(replay.state, seat)
        assert seated.at(seat).mirror.info == seated.house.table(seated.id).book.info
    watched = seated.watcher.table(seated.id).mirror
    assert watched.state == view(replay.state, Watcher.BYSTANDER)
    assert watched.info == seated.house.table(seated.id).book.info
