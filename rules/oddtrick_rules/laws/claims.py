"""Charging a revoke, proving it, paying for it (72, 75, 77-79, 81, 82 · 75, 79, 81-83, 85, 86 · 90, 93, 96, 97, 99, R8-R11, R26).

A charge may be made from the moment of the revoke until the pack is cut; the verdict is given when the hand is over and the tricks
are searched. Charges are judged in the order they were made, whoever searches, so that proved revokes are numbered in that order.
In `guided` the umpire announces at the end of the hand every revoke established, as if it had been charged (R3).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from oddtrick_rules import events as e
from oddtrick_rules.code import Rule
from oddtrick_rules.commands import ClaimRevoke, Elect, Mix, Penalty, PlayOut, Search
from oddtrick_rules.laws.common import Answer, Answers, Consequences, dealers_side, refuse, the_hand
from oddtrick_rules.laws.scoring import cap_cites, capped, game_value, owed_with, value_of_three
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.replay import replay
from oddtrick_rules.seats import OTHER_SIDE, SEATS_OF, SIDE, SIDES, Actor, Official, Seat, Side
from oddtrick_rules.state import Charge, Enforcement, Hand, Pair, Phase, Revoke, RevokeStage, State, Verdict
from oddtrick_rules.turns import first_number

# A revoke that has been proved, whatever has become of it since.
KNOWN = (RevokeStage.PROVED, RevokeStage.PAID, RevokeStage.CANCELLED, RevokeStage.FORFEITED)


def charge(state: State, actor: Actor, command: ClaimRevoke) -> Answer:
    """Charge an adversary with a revoke, in the trick of that number or in any."""
    code, hand = state.code, state.hand
    if hand is None or not isinstance(actor, Seat):
        return refuse(Why.NOT_NOW)
    if not code.has(Rule.CHARGE):
        return refuse(Why.NOT_IN_CODE)
    if hand.cut:
        return refuse(Why.TOO_LATE, code.cites(Rule.CUT_CLOSES))
    if state.phase not in (Phase.PLAYING, Phase.CLAIMS):
        return refuse(Why.NOT_NOW)
    cites = (*code.cites(Rule.CHARGE), "R8")
    if SIDE[command.seat] == SIDE[actor]:
        return refuse(Why.NOT_YOURS, cites)
    last = hand.tricks[-1].number if hand.tricks else 0
    if command.trick is not None and not first_number(hand) <= command.trick <= last:
        return refuse(Why.MALFORMED, cites)
    if actor is hand.dummy and code.has(Rule.DUMMY_SPEAKS):
        if (SIDE[actor], command.seat, command.trick) in hand.killed:
            return refuse(Why.ALREADY_DONE, code.cites(Rule.DUMMY_SPEAKS))
        return (e.ClaimKilled(actor, SIDE[actor], command.seat, command.trick, code.cites(Rule.DUMMY_SPEAKS)),)
    if _killed(hand, SIDE[actor], command):
        return refuse(Why.FORFEITED, code.cites(Rule.DUMMY_SPEAKS))
    same = [one for one in hand.charges if one.seat is command.seat and one.trick == command.trick]
    if any(SIDE[one.by] == SIDE[actor] for one in same):
        return refuse(Why.ALREADY_DONE, cites)
    return (e.RevokeCharged(len(hand.charges) + 1, actor, command.seat, command.trick, cites),)


def _killed(hand: Hand, side: Side, command: ClaimRevoke) -> bool:
    """A word that named no trick kills every claim against that player, one that named a trick the claim in it."""
    return any(
        killed_side == side and seat is command.seat and (trick is None or command.trick in (None, trick))
        for killed_side, seat, trick in hand.killed
    )


def search(state: State, actor: Actor, command: Search) -> Answer:
    """Examine the tricks once the hand is over: every charge is judged, in the order made."""
    hand, code = state.hand, state.code
    cites = (*code.cites(Rule.SEARCH), "R8")
    if state.phase is not Phase.CLAIMS or hand is None:
        late = hand is not None and hand.cut
        return refuse(Why.TOO_LATE, code.cites(Rule.CUT_CLOSES)) if late else refuse(Why.NOT_NOW, cites)
    if actor is Official.CLOCK:
        pending = next((one for one in hand.charges if one.verdict is Verdict.PENDING), None)
        return (e.Searched(pending.by, (*cites, "R32")),) if pending is not None else refuse(Why.NOT_NOW, cites)
    if not isinstance(actor, Seat):
        return refuse(Why.NOT_YOURS, cites)
    if actor is hand.dummy:
        return refuse(Why.NOT_YOURS, code.cites(Rule.DUMMY))
    if not any(SIDE[one.by] == SIDE[actor] for one in hand.charges):
        return refuse(Why.NO_RIGHT, cites)
    if not any(one.verdict is Verdict.PENDING for one in hand.charges):
        return refuse(Why.ALREADY_DONE, cites)
    return (e.Searched(actor, cites),)


def judge_charges(state: State, event: e.Searched) -> Iterable[e.Event]:
    """Give the verdicts; a revoke that was charged more than once is paid for once."""
    proved: list[Revoke] = []
    verdicts: list[e.Event] = []
    for one in the_hand(state).charges:
        if one.verdict is not Verdict.PENDING:
            continue
        found = _found(state, one)
        verdicts.append(e.ChargeJudged(one.number, bool(found), _verdict_cites(state, one)))
        fresh = [revoke for revoke in found if revoke.stage is RevokeStage.ESTABLISHED and revoke not in proved]
        verdicts.extend(_proved(state, fresh, before=proved))
        proved.extend(fresh)
    return with_what_follows(state, verdicts)


def _verdict_cites(state: State, one: Charge) -> tuple[str, ...]:
    code = state.code
    cites = (*code.cites(Rule.SEARCH), "R8")
    if any(the_hand(state).mixed) and code.has(Rule.MIXING_BEFORE):
        return (*cites, *code.cites(Rule.MIXING_BEFORE))
    if one.seat is the_hand(state).dummy:
        return (*cites, *code.cites(Rule.DUMMY_REVOKES))
    return cites


def _found(state: State, one: Charge) -> list[Revoke]:
    """Return the revokes a search for that charge finds, those proved already too; but see R26 and the words of dummy (63).

    Once the tricks are mixed, only a charge that named the trick finds anything.
    """
    hand = the_hand(state)
    if one.trick is None and any(hand.mixed) and state.code.has(Rule.MIXING_BEFORE):
        return []
    found = [
        revoke
        for revoke in hand.revokes
        if revoke.seat is one.seat
        and (revoke.stage is RevokeStage.ESTABLISHED or revoke.stage in KNOWN)
        and one.trick in (None, revoke.trick)
        and not _killed(hand, SIDE[one.by], ClaimRevoke(one.seat, revoke.trick))
    ]
    return sorted(found, key=lambda revoke: revoke.trick)


def _proved(state: State, revokes: Iterable[Revoke], *, before: Collection[Revoke] = ()) -> list[e.Event]:
    """Prove revokes, numbered after those proved already; the first of the second side is a case of both (81 · 85 · 99)."""
    code, hand = state.code, the_hand(state)
    sides = revoking_sides(hand) | {SIDE[revoke.seat] for revoke in before}
    proved: list[e.Event] = []
    for number, revoke in enumerate(revokes, hand.proved + len(before) + 1):
        cites = code.cites(Rule.DISOBEDIENCE if revoke.demand is not None else Rule.REVOKE)
        if OTHER_SIDE[SIDE[revoke.seat]] in sides:
            cites = (*cites, *code.cites(Rule.BOTH_REVOKE))
        sides.add(SIDE[revoke.seat])
        proved.append(e.RevokeProved(number, revoke.seat, revoke.trick, revoke.suit, revoke.card, revoke.demand, cites))
    return proved


def announce(state: State, event: e.HandEnded) -> Iterable[e.Event]:
    """In `guided` the umpire announces the established revokes when the hand is over (R3)."""
    hand = the_hand(state)
    if state.enforcement is not Enforcement.GUIDED:
        return ()
    # What a general throw-down establishes (revoke.py) is on its way, not yet recorded.
    by_claim = Rule.ESTABLISHED_BY_CLAIM, Rule.ESTABLISHED_BY_GENERAL_THROW_DOWN
    stages = [RevokeStage.ESTABLISHED]
    if event.thrown_in and any(state.code.has(rule) for rule in by_claim):
        stages.append(RevokeStage.MADE)
    established = [revoke for revoke in hand.revokes if revoke.stage in stages]
    established.sort(key=lambda revoke: revoke.trick)
    return with_what_follows(state, _proved(state, established))


def mix(state: State, actor: Actor, command: Mix) -> Answer:
    """Mix the tricks (77 · 81 · 96): after a charge, by the accused side, it establishes; before any it hampers the proof."""
    hand, code = state.hand, state.code
    if state.phase is not Phase.CLAIMS or hand is None or not isinstance(actor, Seat):
        return refuse(Why.NOT_NOW)
    if state.enforcement is not Enforcement.CLUB:
        return refuse(Why.IRREGULAR, (*code.cites(Rule.MIXING), "R26"))
    pending = [one for one in hand.charges if one.verdict is Verdict.PENDING and SIDE[one.seat] == SIDE[actor]]
    if pending and code.has(Rule.MIXING):
        return (e.Mixed(actor, code.cites(Rule.MIXING)),)
    return (e.Mixed(actor, (*code.cites(Rule.MIXING_BEFORE), "R26")),)


def established_by_mixing(state: State, event: e.Mixed) -> Iterable[e.Event]:
    """Mixed by the accused after the charge: the penalty is open without a search."""
    hand, code = the_hand(state), state.code
    if not code.has(Rule.MIXING) or event.cites != code.cites(Rule.MIXING):
        return ()
    number = hand.proved
    verdicts: list[e.Event] = []
    for one in hand.charges:
        if one.verdict is not Verdict.PENDING or SIDE[one.seat] != SIDE[event.seat]:
            continue
        if one.seat is hand.dummy or _killed(hand, SIDE[one.by], ClaimRevoke(one.seat, one.trick)):
            continue
        cites = code.cites(Rule.MIXING)
        number += 1
        verdicts.append(e.ChargeJudged(one.number, proved=True, cites=cites))
        verdicts.append(e.RevokeProved(number, one.seat, one.trick or 0, None, None, None, cites))
    return with_what_follows(state, verdicts)


def play_out(state: State, actor: Actor, command: PlayOut) -> Answer:
    """Require the hand in which one's side is charged with a revoke to be played out (79 · 83)."""
    code, hand = state.code, state.hand
    if not code.has(Rule.PLAY_OUT):
        return refuse(Why.NOT_IN_CODE)
    if state.phase is not Phase.PLAYING or hand is None or not isinstance(actor, Seat):
        return refuse(Why.NOT_NOW)
    cites = code.cites(Rule.PLAY_OUT)
    if not any(SIDE[one.seat] == SIDE[actor] for one in hand.charges):
        return refuse(Why.NO_RIGHT, cites)
    if hand.play_out:
        return refuse(Why.ALREADY_DONE, cites)
    return (e.PlayOutRequired(actor, cites),)


def proved_revokes(hand: Hand, against: Side) -> tuple[Revoke, ...]:
    """Return the proved revokes of that side that are still to be paid for."""
    return tuple(r for r in hand.revokes if r.stage is RevokeStage.PROVED and SIDE[r.seat] == against)


def may_elect(state: State, seat: Seat, revoke: Revoke) -> bool:
    """Tell whether that seat may exact the penalty: an adversary; at bridge the dealer alone for his side (62, R9)."""
    hand = the_hand(state)
    if SIDE[seat] == SIDE[revoke.seat]:
        return False
    return not dealers_side(hand, seat) or seat is hand.dealer


def elect(state: State, actor: Actor, command: Elect) -> Answer:
    """Exact the penalty for a proved revoke: three tricks, or points off or on (72 · 75 · 90)."""
    hand, code = state.hand, state.code
    cites = code.cites(Rule.PENALTY)
    if not code.has(Rule.PENALTY):
        return refuse(Why.NOT_IN_CODE)
    if hand is None or state.phase is not Phase.CLAIMS:
        late = hand is not None and hand.cut
        return refuse(Why.TOO_LATE, code.cites(Rule.CUT_CLOSES)) if late else refuse(Why.NOT_NOW, cites)
    revoke = next((one for one in hand.revokes if one.number == command.revoke and one.number), None)
    if revoke is None:
        return refuse(Why.NO_RIGHT, cites)
    if revoke.stage is RevokeStage.CANCELLED:
        return refuse(Why.NO_RIGHT, code.cites(Rule.BOTH_REVOKE))
    if isinstance(actor, Seat) and not may_elect(state, actor, revoke):
        dealers = SIDE[actor] != SIDE[revoke.seat]
        return refuse(Why.NOT_YOURS, (*cites, *(code.cites(Rule.DUMMY) if dealers else ())))
    if actor is Official.HOUSE:
        return refuse(Why.NOT_YOURS, cites)
    if revoke.stage is not RevokeStage.PROVED:
        return refuse(Why.ALREADY_DONE, (*cites, "R9"))
    without = hand.thrown_in and code.general_throw_down_without_tricks
    if command.penalty is Penalty.TRICKS and without and code.has(Rule.WRONG_DEMAND) and isinstance(actor, Seat):
        # A demand that the law does not give loses the penalty (88, R16).
        return (e.PenaltyForfeited(revoke.number, actor, code.cites(Rule.WRONG_DEMAND)),)
    if command.penalty is Penalty.TRICKS and without:
        return refuse(Why.WRONG_DEMAND, (*code.cites(Rule.ALL_THROWN_DOWN), "R22"))
    return _exact(state, actor if isinstance(actor, Seat) else None, command, revoke)


def _exact(state: State, by: Seat | None, command: Elect, revoke: Revoke) -> tuple[e.Event, ...]:
    hand, code = the_hand(state), state.code
    cites = (*code.cites(Rule.PENALTY), "R9") if by is not None else (*code.cites(Rule.PENALTY), "R9", "R32")
    offender = SIDE[revoke.seat]
    side = OTHER_SIDE[offender]
    tricks = min(3, hand.taken[offender]) if command.penalty is Penalty.TRICKS else 0
    exacted = e.PenaltyExacted(revoke.number, by, side, command.penalty, tricks, cites)
    points = value_of_three(state)
    score = [*state.score]
    if command.penalty is Penalty.TRICKS or hand.reached is not None:
        return (exacted,)
    if command.penalty is Penalty.DEDUCT:
        taken_off = min(points, score[offender])
        score[offender] -= taken_off
        owed = owed_with(state, offender, -points)
        return (exacted, e.Scored(offender, e.Score.REVOKE, -taken_off, (score[0], score[1]), cites, owed))
    before = score[side]
    score[side] = capped(state, side, before, points)
    held_back = cap_cites(state, side, short=score[side] < before + points)
    new = (score[0], score[1])
    scored = e.Scored(
        side, e.Score.REVOKE, score[side] - before, new, (*cites, *held_back), owed_with(state, side, points)
    )
    if score[side] < code.game_points or code.has(Rule.ENTERED_IN_FULL):
        return (exacted, scored)
    value = game_value(state, score[offender])
    return (exacted, scored, e.GameReached(side, value, (*cites, *code.cites(Rule.GAME_VALUE))))


def with_what_follows(state: State, verdicts: list[e.Event]) -> list[e.Event]:
    """Add what follows from the revokes proved: of both sides, they cancel in the code of 1900, and neither has game (R11)."""
    if not any(isinstance(event, e.RevokeProved) for event in verdicts):
        return verdicts
    code, after = state.code, replay(state, verdicts)
    hand = the_hand(after)
    before, owed_before = _stood(after)
    if len(revoking_sides(hand)) == 2 and code.both_sides_cancel and code.has(Rule.BOTH_REVOKE):
        cites = code.cites(Rule.BOTH_REVOKE)
        return [*verdicts, e.RevokesCancelled(_taken_by_cards(hand), before, cites, owed_before)]
    for side in SIDES:
        added = any(one.penalty is Penalty.ADD and SIDE[one.seat] != side for one in hand.revokes)
        if not code.has(Rule.CAP) or side not in revoking_sides(hand) or not added:
            continue
        # What was added for the other side's revokes was not held back by the cap (82 · 86 · 90).
        score = _penalised(after, before)
        owed = None if owed_before is None else _penalised(after, owed_before)
        cites = code.cites(Rule.CAP)
        if hand.reached is side:
            return [*verdicts, e.GameUndone(side, score, cites, owed)]
        if score != after.score:
            points = score[side] - after.score[side]
            return [*verdicts, e.Scored(side, e.Score.REVOKE, points, score, cites, owed)]
    return verdicts


def _stood(state: State) -> tuple[Pair, Pair | None]:
    """Return the score before any penalty of this hand, and what it ought to have been if it stands wrongly still."""
    hand = the_hand(state)
    if hand.owed_before is not None and state.slips.score is None:
        return hand.owed_before, None
    return hand.score_before, hand.owed_before


def _penalised(state: State, before: Pair) -> Pair:
    """Return that score with the penalties of this hand added and deducted, in the order elected."""
    hand, points = the_hand(state), value_of_three(state)
    score = [*before]
    for number, _ in hand.taken_for:
        revoke = next(one for one in hand.revokes if one.number == number)
        offender = SIDE[revoke.seat]
        if revoke.penalty is Penalty.DEDUCT:
            score[offender] = max(0, score[offender] - points)
        elif revoke.penalty is Penalty.ADD:
            score[OTHER_SIDE[offender]] = capped(state, OTHER_SIDE[offender], score[OTHER_SIDE[offender]], points)
    return (score[0], score[1])


def _taken_by_cards(hand: Hand) -> tuple[int, int]:
    """Return the tricks as they were won, without any that went over for a revoke."""
    paid = [0, 0]
    for revoke in hand.revokes:
        paid[SIDE[revoke.seat]] += sum(count for number, count in hand.taken_for if number == revoke.number)
    ns = hand.taken[0] + paid[0] - paid[1]
    return (ns, 13 - ns) if hand.ended else (ns, hand.taken[1] + paid[1] - paid[0])


def revoking_sides(hand: Hand) -> set[Side]:
    """Return the sides that a revoke has been proved against."""
    return {SIDE[revoke.seat] for revoke in hand.revokes if revoke.stage in KNOWN}


def bar(state: State, event: e.PackCut) -> Iterable[e.Event]:
    """The cut closes every claim not yet proved (78 · 82 · 97)."""
    hand, code = the_hand(state), state.code
    if not code.has(Rule.CUT_CLOSES):
        return ()
    open_stages = (RevokeStage.MADE, RevokeStage.ESTABLISHED)
    cites = code.cites(Rule.CUT_CLOSES)
    return [e.RevokeBarred(r.seat, r.trick, cites) for r in hand.revokes if r.stage in open_stages]


def pending(hand: Hand) -> bool:
    """Tell whether a charge is unjudged or a proved revoke unpaid."""
    return any(one.verdict is Verdict.PENDING for one in hand.charges) or any(
        one.stage is RevokeStage.PROVED for one in hand.revokes
    )


def settle_by_clock(state: State) -> Answer:
    """What the clock does when the time to search or to elect has run out: search; then three tricks, or three added (R9)."""
    hand = the_hand(state)
    if any(one.verdict is Verdict.PENDING for one in hand.charges):
        return search(state, Official.CLOCK, Search())
    unpaid = sorted((r for r in hand.revokes if r.stage is RevokeStage.PROVED), key=lambda r: r.number)
    if not unpaid:
        return Refusal(Why.NOT_NOW)
    without = hand.thrown_in and state.code.general_throw_down_without_tricks
    penalty = Penalty.ADD if without else Penalty.TRICKS
    return elect(state, Official.CLOCK, Elect(penalty, unpaid[0].number))


def claimants(state: State, revoke: Revoke) -> tuple[Seat, ...]:
    """Return the seats that may exact the penalty for that revoke."""
    side = OTHER_SIDE[SIDE[revoke.seat]]
    return tuple(seat for seat in SEATS_OF[side] if may_elect(state, seat, revoke))


ANSWERS: Answers = {ClaimRevoke: charge, Search: search, Mix: mix, PlayOut: play_out, Elect: elect}
CONSEQUENCES: Consequences = {
    e.Searched: (judge_charges,),
    e.HandEnded: (announce,),
    e.Mixed: (established_by_mixing,),
    e.PackCut: (bar,),
}
