"""Every act a seat may do now, so that a bot or a page never has to guess.

`dynamic` are the acts that the state of the table calls for or opens for a while; `standing` those that lie open through a whole
phase (a charge, a hand thrown down). Both are found by trying candidates on the judge, and neither tells a seat what it may not
know: at a `club` table `withdraws` is listed after each of the seat's renounces and refused if the renounce was true (R3), and to
name the trump card, once it is taken up, is listed to nobody but its holder (R14).

Not listed though accepted are: acts whose one effect is to lose a right (a demand that the offence does not carry, a word of
dummy's), several cards shown or put down at once, a wrong mark on the score sheet, a bet of more than one counter.
"""

from __future__ import annotations

from collections.abc import Iterator

from oddtrick_rules import commands as c
from oddtrick_rules.cards import SUITS, Suit, cards_in
from oddtrick_rules.commands import Command, Demand
from oddtrick_rules.decide import allowed
from oddtrick_rules.laws.calls import callable_by
from oddtrick_rules.laws.leads import can_object
from oddtrick_rules.laws.revoke import dummys_slip
from oddtrick_rules.laws.sheet import marked, owed
from oddtrick_rules.seats import OTHER_SIDE, PARTNER, SEATS_OF, SIDE, SIDES, Seat, Side
from oddtrick_rules.state import Enforcement, Hand, Phase, RevokeStage, Stage, State
from oddtrick_rules.turns import acting, asked_seats, card_turn, first_number, open_trick


def legal(state: State, seat: Seat) -> tuple[Command, ...]:
    """Return every act the seat may do now."""
    return (*dynamic(state, seat), *standing(state, seat))


def dynamic(state: State, seat: Seat) -> tuple[Command, ...]:
    """Return the acts the moment calls for: a card in turn, an answer, a choice, a correction, a trick to quit, the cut."""
    hand = state.hand
    if hand is None:
        return ()
    # Two rights may offer the same call.
    candidates = dict.fromkeys(_candidates(state, hand, seat))
    found = [command for command in candidates if allowed(state, seat, command)]
    if state.phase is Phase.PLAYING and _may_have_erred(state, hand, seat):
        found.append(c.Withdraw())
    return tuple(found)


def _candidates(state: State, hand: Hand, seat: Seat) -> Iterator[Command]:
    if state.phase is Phase.PLAYING:
        yield from _in_play(state, hand, seat)
    elif state.phase is Phase.CLAIMS:
        yield c.Search()
        yield from _elections(hand)
        yield from (c.BeReady(), c.Cut(), c.ClaimHonours(), c.ClaimGame(), c.TakePack(1), c.TakePack(2))
    elif state.phase in (Phase.DECLARING, Phase.DOUBLING):
        yield from _before_play(hand, seat)
    elif state.phase is Phase.TO_DEAL:
        yield c.ClaimHonours()


def _before_play(hand: Hand, seat: Seat) -> Iterator[Command]:
    """Words in turn, and the choice about one that was not."""
    if hand.declaring is seat:
        yield from (c.Declare(suit) for suit in (*SUITS, Suit.NT))
        yield c.LeaveIt()
    if hand.voice is seat:
        yield from (c.Double(), c.BeSatisfied(), c.AskToLead(), c.Agree())
    if any(seat in right.holders for right in hand.rights):
        yield from (c.Object(), c.Waive())


def _in_play(state: State, hand: Hand, seat: Seat) -> Iterator[Command]:
    yield from _cards(hand, seat)
    if state.code.turned_trump and seat is hand.dealer and hand.turned is not None:
        yield from (c.LeaveTrump(), c.TakeUp())
    if seat in asked_seats(hand):
        yield from (c.Answer(none=True), c.Answer(none=False))
    if any(one.seat is PARTNER[seat] and not one.asked for one in hand.renounces):
        yield c.Ask()
    if hand.tricks and hand.tricks[-1].stage is not Stage.QUITTED:
        yield from (c.Quit(), c.Gather())
    if hand.rights:
        yield from _choices(hand, seat)
    for other in callable_by(state, seat):
        yield from (c.Call(Demand.CARD, other, card=card) for card in cards_in(hand.exposed[other]))
    yield from _changes(hand, seat)
    if hand.offer is not None:
        yield from (c.Agree(), c.Decline())


def _changes(hand: Hand, seat: Seat) -> Iterator[Command]:
    changers = (seat, hand.dummy) if hand.dummy is not None and PARTNER[hand.dummy] is seat else (seat,)
    for trick in hand.tricks[-2:]:
        for changer in changers:
            if changer is not None and changer in trick.later:
                yield from (c.Change(card) for card in cards_in(hand.hands[changer]))


def _cards(hand: Hand, seat: Seat) -> Iterator[Command]:
    turn = card_turn(hand)
    if turn is None or acting(hand, turn) is not seat:
        return
    dummys = turn if turn is not seat else None
    yield from (c.Play(card, dummys) for card in cards_in(hand.hands[turn]))


def _choices(hand: Hand, seat: Seat) -> Iterator[Command]:
    if can_object(hand, seat):
        yield c.Object()
    mine = [right for right in hand.rights if seat in right.holders]
    for right in mine:
        for demand in right.options:
            if demand is Demand.SUIT:
                for other in SEATS_OF[SIDE[right.offender]]:
                    yield from (c.Call(Demand.SUIT, other, suit=suit) for suit in SUITS)
            elif demand is Demand.NOT_SUIT and right.on is not None:
                yield c.Call(Demand.NOT_SUIT, right.on, suit=right.suit)
            elif demand in (Demand.CARD, Demand.NOT_CARD):
                yield from (c.Call(demand, right.offender, card=card) for card in right.cards)
            elif right.on is not None:
                yield c.Call(demand, right.on)
    if mine:
        yield c.Waive()


def _elections(hand: Hand) -> Iterator[Command]:
    for revoke in hand.revokes:
        if revoke.stage is RevokeStage.PROVED:
            yield from (c.Elect(penalty, revoke.number) for penalty in c.Penalty)


def _may_have_erred(state: State, hand: Hand, seat: Seat) -> bool:
    """Tell whether `withdraws` is to be listed: at a `guided` table for a revoke, at a `club` table after any renounce."""
    if hand.mending is not None:
        return False
    if dummys_slip(hand, seat) is not None:
        return True
    if state.enforcement is not Enforcement.CLUB:
        return any(one.seat is seat and one.stage is RevokeStage.MADE for one in hand.revokes)
    last = hand.tricks[-1].number if hand.tricks else 0
    side = SIDE[seat]
    for one in hand.renounces:
        if one.seat is not seat or one.trick < last - 1:
            continue
        trick = hand.tricks[one.trick - first_number(hand)]
        later = [play for play in hand.tricks if play.number > one.trick]
        played_on = any(SIDE[who] == side for other in later for who, _ in other.plays)
        shield = one.asked and one.answer != "none"
        if not played_on and (trick.stage is not Stage.QUITTED or shield):
            return True
    return False


def standing(state: State, seat: Seat) -> tuple[Command, ...]:
    """Return the acts that lie open to the seat while the phase lasts."""
    hand = state.hand
    if hand is None:
        return ()
    return tuple(command for command in _standing(state, hand, seat) if allowed(state, seat, command))


def _standing(state: State, hand: Hand, seat: Seat) -> Iterator[Command]:
    others = SEATS_OF[OTHER_SIDE[SIDE[seat]]]
    yield from (c.ClaimRevoke(other) for other in others)
    for trick in hand.tricks:
        yield from (c.ClaimRevoke(other, trick.number) for other in others)
    yield from (c.Place(), c.Review(), c.ThrowDown(), c.ClaimRest(), c.PlayOut(), c.Consult())
    if state.phase is Phase.PLAYING:  # the hand over, it is a call of honours, for which the moment calls
        yield c.ClaimGame()
    yield from (c.Mix(), c.CallNewCards())
    yield from (c.TakeBet(bet.number) for bet in state.bets)
    yield from (c.Bet(1, on, side) for on in c.BetOn for side in (Side.NS, Side.EW))
    if state.enforcement is not Enforcement.CLUB:
        return
    yield from _corrections(state)
    if state.phase in (Phase.DECLARING, Phase.DOUBLING):
        yield from _out_of_turn(hand, seat)
    if state.phase is not Phase.PLAYING:
        return
    yield from (c.SayMine(), c.Forget())
    yield from _before_all(hand, seat)


def _before_all(hand: Hand, seat: Seat) -> Iterator[Command]:
    """Cards put down out of turn, shown or named; the dealer has dummy's to play and to name besides his own."""
    turn = card_turn(hand)
    own = () if seat is hand.dummy else (seat,)
    hands = (seat, hand.dummy) if hand.dummy is not None and PARTNER[hand.dummy] is seat else own
    for each in hands:
        if each is not turn:
            dummys = each if each is not seat else None
            yield from (c.Play(card, dummys) for card in cards_in(hand.hands[each]))
    for each in own:
        yield from (c.Show((card,)) for card in cards_in(hand.hands[each]))
    for each in hands or (seat,):
        yield from (c.NameCard(card) for card in cards_in(hand.hands[each]))
    trick = open_trick(hand)
    yield from (c.NameCard(card) for who, card in (trick.plays if trick is not None else ()) if who is seat)


def _out_of_turn(hand: Hand, seat: Seat) -> Iterator[Command]:
    """Words and cards before their time, at bridge."""
    if hand.declaring is not None and hand.declaring is not seat:
        yield from (c.Declare(suit) for suit in (*SUITS, Suit.NT))
    if hand.voice is not None and hand.voice is not seat:
        yield c.Double()
    held = cards_in(hand.hands[seat])
    yield from (c.Show((card,)) for card in held)
    if seat is hand.leader:
        yield from (c.Play(card) for card in held)


def _corrections(state: State) -> Iterator[Command]:
    """The marks that would put a wrong score right; of wrong ones there is no end."""
    for sheet in c.Sheet:
        stands, ought = marked(state, sheet), owed(state, sheet)
        yield from (c.Mark(sheet, side, ought[side]) for side in SIDES if stands[side] != ought[side])
