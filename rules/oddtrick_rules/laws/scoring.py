"""Counting the hand, the game and the rubber (1-12 · 46-57 · 1-13, R10).

The order is revoke penalties (elected before the cut, `claims.py`), tricks, honours. The side that revoked stops at four (28), by
whatever route; a side that stood higher keeps what it had.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from oddtrick_rules import events as e
from oddtrick_rules.cards import FULL_PACK, RANK_OF, SUIT_MASK, Mask, Suit, cards_in
from oddtrick_rules.code import Cites, Rule
from oddtrick_rules.commands import ClaimHonours
from oddtrick_rules.laws.common import Answer, Answers, Consequences, refuse, the_hand
from oddtrick_rules.records import changed
from oddtrick_rules.refusals import Why
from oddtrick_rules.seats import OTHER_SIDE, SEATS_OF, SIDE, SIDES, Actor, Seat, Side
from oddtrick_rules.state import Enforcement, Hand, Pair, Phase, RevokeStage, State

TRICK_VALUE: Final = {Suit.S: 2, Suit.C: 4, Suit.D: 6, Suit.H: 8, Suit.NT: 12}
TRICK_POINTS_MAX: Final = 100
WHIST_HONOURS_RANK_MIN: Final = 9  # the knave
BRIDGE_HONOURS_RANK_MIN: Final = 8  # the ten
ACE_RANK: Final = 12


def trick_points(hand: Hand, trump: Suit) -> int:
    """Return what a trick is worth at bridge, doubled as it is and never more than a hundred (4, 53, 58, R27)."""
    return min(TRICK_VALUE[trump] * hand.multiplier, TRICK_POINTS_MAX)


def value_of_three(state: State) -> int:
    """Return what a revoke costs in points: three, or at bridge three tricks at their doubled value (90)."""
    hand = the_hand(state)
    if not state.code.dummy or hand.trump is None:
        return state.code.revoke_points
    return 3 * trick_points(hand, hand.trump)


def has_revoked(hand: Hand, side: Side) -> bool:
    """Tell whether a revoke has been proved against the side in this hand."""
    known = (RevokeStage.PROVED, RevokeStage.PAID, RevokeStage.CANCELLED, RevokeStage.FORFEITED)
    return any(SIDE[revoke.seat] == side and revoke.stage in known for revoke in hand.revokes)


def capped(state: State, side: Side, before: int, points: int) -> int:
    """Return the side's score with the points added: at most the cap if it has revoked, game at whist otherwise (72-III)."""
    code = state.code
    total = before + points
    if has_revoked(the_hand(state), side) and code.has(Rule.CAP):
        return max(before, min(total, code.cap_points))
    return total if code.has(Rule.ENTERED_IN_FULL) else min(total, code.game_points)


def owed_with(state: State, side: Side, points: int) -> Pair | None:
    """Return what the score ought to be with those points, where it was marked wrongly; None where it was not."""
    right = state.slips.score
    if right is None:
        return None
    new = capped(state, side, right[side], points) if points >= 0 else max(0, right[side] + points)
    return (new, right[1]) if side is Side.NS else (right[0], new)


def cap_cites(state: State, side: Side, *, short: bool) -> Cites:
    """Return what holds a side's score back, when it fell `short` of its points because it has revoked (81, 82)."""
    if not short or not has_revoked(the_hand(state), side):
        return ()
    both = has_revoked(the_hand(state), OTHER_SIDE[side])
    return (*state.code.cites(Rule.CAP), *(state.code.cites(Rule.BOTH_REVOKE) if both else ()))


def game_value(state: State, losers: int) -> int:
    """Return what a game is worth: treble, double or single by the losers' score (8 · 53); at bridge simply one."""
    if state.code.dummy or not state.code.has(Rule.GAME_VALUE):
        return 1
    return 3 if losers == 0 else 2 if losers <= 2 else 1


def honours_held(hand: Hand, side: Side) -> int:
    """Return how many of ace, king, queen and knave of trumps were dealt to the side (3)."""
    if hand.trump is None:
        return 0
    cards = SUIT_MASK[hand.trump]
    return sum(
        RANK_OF[card] >= WHIST_HONOURS_RANK_MIN
        for seat in SEATS_OF[side]
        for card in cards_in(hand.dealt[seat] & cards)
    )


def honour_points(count: int) -> int:
    """Return the points for that many honours: four by honours, two, or none."""
    return {4: 4, 3: 2}.get(count, 0)


def claim_honours(state: State, actor: Actor, command: ClaimHonours) -> Answer:
    """Call one's side's honours, from the end of the hand until the next trump card is turned up (6, 7 · 51, 52, R13)."""
    hand, code = state.hand, state.code
    cites = code.cites(Rule.HONOURS_CALLED)
    if code.has(Rule.ABOVE_THE_LINE):
        return _claim_above(state, actor, command)
    if not code.has(Rule.HONOURS_CALLED):
        return refuse(Why.NOT_IN_CODE)
    if hand is None or not isinstance(actor, Seat) or not hand.ended:
        return refuse(Why.TOO_LATE if state.hands_dealt > 1 else Why.NOT_NOW, code.cites(Rule.HONOURS_LOST))
    if state.enforcement is not Enforcement.CLUB or hand.size < 13 or state.phase is Phase.OVER:
        return refuse(Why.NOT_NOW, (*cites, "R13"))
    side = SIDE[actor]
    if hand.honours[side]:
        return refuse(Why.ALREADY_DONE, cites)
    held = honours_held(hand, side)
    if honour_points(held) == 0 or command.count not in (None, held):
        return refuse(Why.NO_RIGHT, code.cites(Rule.HONOURS))
    return (e.HonoursCalled(actor, side, held, cites),)


def _claim_above(state: State, actor: Actor, command: ClaimHonours) -> Answer:
    """Claim honours at bridge, where no law asks for it: they are entered at the cut all the same (5-7, 10)."""
    hand, cites = state.hand, (*state.code.cites(Rule.ABOVE_THE_LINE), "R13")
    if hand is None or not isinstance(actor, Seat) or not hand.ended or hand.size < 13 or hand.trump is None:
        return refuse(Why.NOT_NOW, cites)
    side = SIDE[actor]
    if hand.cut or hand.honours[side]:
        return refuse(Why.ALREADY_DONE, cites)
    if state.enforcement is not Enforcement.CLUB:
        return refuse(Why.NOT_NOW, cites)
    rank = ACE_RANK if hand.trump is Suit.NT else BRIDGE_HONOURS_RANK_MIN
    suit = FULL_PACK if hand.trump is Suit.NT else SUIT_MASK[hand.trump]
    held = sum(RANK_OF[card] >= rank for seat in SEATS_OF[side] for card in cards_in(hand.dealt[seat] & suit))
    rule = _honours_rule(hand)
    if not bridge_honours(hand, side) or command.count not in (None, held):
        return refuse(Why.NO_RIGHT, state.code.cites(rule))
    return (e.HonoursCalled(actor, side, held, (*state.code.cites(rule), *cites)),)


def _honours_rule(hand: Hand) -> Rule:
    return Rule.ACES if hand.trump is Suit.NT else Rule.HONOURS


def game_said(state: State, actor: Actor) -> Answer:
    """Say `game` when the hand is over: a call of the honours, if these with the tricks make the game (7 · 52)."""
    hand, code = state.hand, state.code
    cites = code.cites(Rule.HONOURS_CALLED)
    if hand is None or not isinstance(actor, Seat):
        return refuse(Why.NOT_NOW)
    side = SIDE[actor]
    tricks = 0 if hand.cut else max(0, hand.taken[side] - 6)
    if state.score[side] + tricks + honour_points(honours_held(hand, side)) < code.game_points:
        return refuse(Why.NO_RIGHT, cites)
    return claim_honours(state, actor, ClaimHonours())


def late_honours(state: State, event: e.HonoursCalled) -> list[e.Event]:
    """Honours called after the cut are marked at once, while the game goes on."""
    if event.seat is None or state.phase is not Phase.TO_DEAL or state.code.has(Rule.ABOVE_THE_LINE):
        return []
    if the_hand(state).game_won:
        return []
    return Marking(state).honours(event.side).close()


class Marking:
    """The score sheet while one hand is entered: each step marks points and notes whether the game is won."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.hand = the_hand(state)
        self.events: list[e.Event] = []
        self.over = False

    def _mark(self, side: Side, what: e.Score, points: int, cites: Cites) -> None:
        state = self.state
        score = [*state.score]
        before = score[side]
        score[side] = capped(state, side, before, points)
        cites = (*cites, *cap_cites(state, side, short=score[side] < before + points))
        owed = owed_with(state, side, points)
        if score[side] == before and owed == state.slips.score:
            return
        new = (score[0], score[1])
        self.events.append(e.Scored(side, what, score[side] - before, new, cites, None if owed == new else owed))
        self.state = changed(state, score=new, slips=replace(state.slips, score=None if owed == new else owed))
        self.game(side)

    def game(self, side: Side) -> None:
        """Note the game if the side has reached it."""
        state = self.state
        if self.over or state.score[side] < state.code.game_points:
            return
        self.over = True
        value = game_value(state, state.score[OTHER_SIDE[side]])
        self.events.append(e.GameWon(side, value, state.code.cites(Rule.GAME_VALUE)))

    def reached(self) -> Marking:
        """Enter a game won by an added penalty; nothing else in the hand then counts (72-V · 75-V)."""
        hand, state = self.hand, self.state
        if hand.reached is not None:
            self.over = True
            value = game_value(state, state.score[OTHER_SIDE[hand.reached]])
            self.events.append(e.GameWon(hand.reached, value, state.code.cites(Rule.GAME_VALUE)))
        return self

    def tricks(self) -> Marking:
        """Mark one point for each trick above six (at bridge at the value of the trump)."""
        hand, code = self.hand, self.state.code
        if self.over or not code.has(Rule.TRICKS):
            return self
        for side in SIDES:
            above = hand.taken[side] - 6
            if above > 0:
                self._mark(side, e.Score.TRICKS, above * self._trick_points(), code.cites(Rule.TRICKS))
        return self

    def _trick_points(self) -> int:
        trump = self.hand.trump
        if not self.state.code.dummy or trump is None:
            return 1
        return trick_points(self.hand, trump)

    def honours(self, side: Side) -> Marking:
        """Mark the side's honours, if called, unless it stood at four when the deal began (4 · 49)."""
        hand, code = self.hand, self.state.code
        if self.over or not hand.honours[side] or not code.has(Rule.HONOURS):
            return self
        if code.has(Rule.HONOURS_BARRED) and hand.score_before[side] == code.honours_barred_at:
            return self
        points = honour_points(honours_held(hand, side))
        self._mark(side, e.Score.HONOURS, points, (*code.cites(Rule.HONOURS), *code.cites(Rule.ORDER)))
        return self

    def close(self) -> list[e.Event]:
        """Return the events."""
        return self.events


def call_for_them(state: State, event: e.PackCut) -> list[e.Event]:
    """In `strict` and `guided` the table calls the honours (R13)."""
    hand, code = the_hand(state), state.code
    left_to_players = state.enforcement is Enforcement.CLUB and code.has(Rule.HONOURS_LOST)
    if left_to_players or hand.size < 13 or not code.has(Rule.HONOURS_CALLED):
        return []
    cites = (*code.cites(Rule.HONOURS_CALLED), "R13")
    return [
        e.HonoursCalled(None, side, count, cites)
        for side in SIDES
        if not hand.honours[side] and honour_points(count := honours_held(hand, side))
    ]


def count(state: State, event: e.PackCut) -> list[e.Event]:
    """Count the hand at the cut (R13)."""
    if state.code.dummy:
        return _count_bridge(state)
    called = call_for_them(state, event)
    hand = the_hand(state)
    flags = [*hand.honours]
    for one in called:
        assert isinstance(one, e.HonoursCalled)
        flags[one.side] = True
    hand = changed(hand, honours=(flags[0], flags[1]))
    marking = Marking(changed(state, hand=hand)).reached()
    if state.code.has(Rule.ORDER):
        marking.tricks()
    for side in SIDES:
        marking.honours(side)
    if not state.code.has(Rule.ORDER):
        marking.tricks()
    return [*called, *marking.close()]


def win_rubber(state: State, event: e.GameWon) -> list[e.Event]:
    """Two games win the rubber (1 · 46): the games' values, two more, less the losers' game (8-10 · 53-55)."""
    code = state.code
    mine = state.games[event.side]
    theirs = state.games[OTHER_SIDE[event.side]]
    if len(mine) < 2 or not code.has(Rule.RUBBER):
        return []
    if code.dummy:
        return _bridge_rubber(state, event.side)
    bonus = 2 if code.has(Rule.RUBBER_POINTS) else 0
    lost = sum(theirs) if code.has(Rule.RUBBER_OF_THREE) else 0
    cites = (*code.cites(Rule.RUBBER), *code.cites(Rule.RUBBER_POINTS))
    if theirs:
        cites = (*cites, *code.cites(Rule.RUBBER_OF_THREE))
    return [e.RubberWon(event.side, sum(mine) + bonus - lost, cites)]


def _bridge_rubber(state: State, side: Side) -> list[e.Event]:
    """Everything is added up, a hundred goes to the winners, the difference is the result (11)."""
    code = state.code
    other = OTHER_SIDE[side]
    totals = [state.above[one] + state.below[one] + state.score[one] for one in SIDES]
    totals[side] += 100
    return [
        e.RubberWon(side, totals[side] - totals[other], (*code.cites(Rule.RUBBER), *code.cites(Rule.RUBBER_POINTS)))
    ]


def _count_bridge(state: State) -> list[e.Event]:
    """Tricks below the line; honours, chicane and slam above it (2-10)."""
    marking = Marking(state)
    if not state.code.has(Rule.ENTERED_IN_FULL):
        marking.reached()
    marking.tricks()
    for side in SIDES:
        marking.game(side)  # an added penalty may have brought it to thirty
    above: list[e.Event] = []
    sheet = [*state.above]
    for side, what, points, cites in _above_the_line(state):
        if points:
            sheet[side] += points
            above.append(e.ScoredAbove(side, what, points, (sheet[0], sheet[1]), cites))
    won = [one for one in marking.events if isinstance(one, e.GameWon)]
    marked = [one for one in marking.events if not isinstance(one, e.GameWon)]
    return [*marked, *above, *won]


def _above_the_line(state: State) -> list[tuple[Side, e.Score, int, Cites]]:
    hand, code = the_hand(state), state.code
    marks: list[tuple[Side, e.Score, int, Cites]] = []
    if not code.has(Rule.ABOVE_THE_LINE):
        return marks
    line, rule = code.cites(Rule.ABOVE_THE_LINE), _honours_rule(hand)
    for side in SIDES:
        if hand.size == 13 and code.has(rule):
            marks.append((side, e.Score.HONOURS, bridge_honours(hand, side), (*code.cites(rule), *line)))
        if hand.size == 13:
            marks.append((side, e.Score.CHICANE, _chicane(state, side), (*code.cites(Rule.CHICANE), *line)))
        marks.append((side, e.Score.SLAM, _slam(state, side), (*code.cites(Rule.SLAM), *line)))
    return marks


def bridge_honours(hand: Hand, side: Side) -> int:
    """Return the value of the side's honours, at the undoubled value of a trick (5-7)."""
    trump = hand.trump
    if trump is None:
        return 0
    if trump is Suit.NT:
        aces = [_count_rank(hand.dealt[seat], ACE_RANK) for seat in SEATS_OF[side]]
        return 100 if max(aces) == 4 else {4: 40, 3: 30}.get(sum(aces), 0)
    value = TRICK_VALUE[trump]
    held = [
        sum(RANK_OF[card] >= BRIDGE_HONOURS_RANK_MIN for card in cards_in(hand.dealt[seat] & SUIT_MASK[trump]))
        for seat in SEATS_OF[side]
    ]
    total, most = sum(held), max(held)
    if most == 5:
        return 10 * value
    if most == 4:
        return (9 if total == 5 else 8) * value
    return {5: 5, 4: 4, 3: 2}.get(total, 0) * value


def _count_rank(mask: Mask, rank: int) -> int:
    return sum(RANK_OF[card] == rank for card in cards_in(mask))


def _chicane(state: State, side: Side) -> int:
    hand = the_hand(state)
    if hand.trump is None or hand.trump is Suit.NT or not state.code.has(Rule.CHICANE):
        return 0
    void = sum(not hand.dealt[seat] & SUIT_MASK[hand.trump] for seat in SEATS_OF[side])
    return 2 * TRICK_VALUE[hand.trump] * void


def _slam(state: State, side: Side) -> int:
    """Return forty for all the tricks, twenty for all but one: won by cards, and not by a side that revoked (9, 90-V)."""
    hand, code = the_hand(state), state.code
    if not code.has(Rule.SLAM) or has_revoked(hand, side):
        return 0
    won = hand.taken[side] - sum(_tricks_taken(hand, one.number) for one in hand.revokes if SIDE[one.seat] != side)
    return {13: 40, 12: 20}.get(won, 0)


def _tricks_taken(hand: Hand, number: int) -> int:
    return sum(count for taken_for, count in hand.taken_for if taken_for == number)


ANSWERS: Answers = {ClaimHonours: claim_honours}
CONSEQUENCES: Consequences = {
    e.PackCut: (count,),
    e.HonoursCalled: (late_honours,),
    e.GameWon: (win_rubber,),
}
