"""What any honest player does without having to think: answer truly, take back his own revoke, charge what is proved.

Everything here reads only what its seat may know. It is what the house bots do, and what a `Bot` does where its
author is silent.
"""

from __future__ import annotations

from collections.abc import Iterator

from oddtrick_rules.cards import RANK_OF, SUIT_MASK, SUIT_OF, Card, Suit, cards_in
from oddtrick_rules.commands import (
    Agree,
    Answer,
    Ask,
    AskToLead,
    BeReady,
    BeSatisfied,
    Call,
    ClaimHonours,
    ClaimRevoke,
    Command,
    Cut,
    Declare,
    Decline,
    Demand,
    Elect,
    LeaveIt,
    Penalty,
    Play,
    Quit,
    Search,
    TakePack,
    Waive,
    Withdraw,
)
from oddtrick_rules.seats import OTHER_SIDE, PARTNER, SEATS_OF, SIDE, Seat
from oddtrick_rules.state import Hand, Phase, Renounce, Stage, Verdict
from oddtrick_rules.turns import playable
from oddtrick_sdk.bots.brain import Moment, by_rank

HONOURS = 4  # ranks A K Q J


def lowest_play(moment: Moment) -> Play | None:
    """Return the lowest lawful card of the seat whose turn it is; None if there is no card to play."""
    cards = by_rank(playable(moment.view, moment.playing))
    if not cards:
        return None
    return play_of(moment, cards[0])


def play_of(moment: Moment, card: Card) -> Play:
    """Return the play of a card, from dummy's hand when it is dummy's."""
    return Play(card, None if moment.playing == moment.seat else moment.playing)


def holds(hand: Hand, seat: Seat, suit: Suit) -> bool:
    """Tell whether one's own seat still has a card of the suit."""
    return bool(hand.hands[seat] & SUIT_MASK[suit])


def last_renounce(hand: Hand, seat: Seat) -> Renounce | None:
    """Return that seat's latest renounce."""
    return next((renounce for renounce in reversed(hand.renounces) if renounce.seat == seat), None)


def answer(moment: Moment) -> Command | None:
    """Return the true answer to the partner's question: `none` if one has no card of the suit renounced."""
    renounce = last_renounce(moment.hand, moment.seat)
    if renounce is None:
        return None
    none = not holds(moment.hand, moment.seat, renounce.suit)
    return next((act for act in moment.all_of(Answer) if act.none == none), None)


def withdraw(moment: Moment) -> Command | None:
    """Take back one's own card if one sees that it was a revoke: the suit is still in one's hand."""
    act = moment.first_of(Withdraw)
    renounce = last_renounce(moment.hand, moment.seat)
    if act is None or renounce is None or not holds(moment.hand, moment.seat, renounce.suit):
        return None
    return act


def ask(moment: Moment) -> Command | None:
    """Ask one's partner whether he has none, whenever that is possible."""
    return moment.first_of(Ask)


def proved_revokes(hand: Hand, seat: Seat) -> Iterator[tuple[Seat, int]]:
    """Return adversaries' revokes that cards seen since have proved: the suit came out of that hand later."""
    for renounce in hand.renounces:
        if SIDE[renounce.seat] == SIDE[seat] or _corrected(hand, renounce):
            continue
        if _showed_later(hand, renounce):
            yield renounce.seat, renounce.trick


def _corrected(hand: Hand, renounce: Renounce) -> bool:
    """Tell whether the card of the renounce no longer lies in its trick."""
    for trick in hand.tricks:
        if trick.number == renounce.trick:
            return (renounce.seat, renounce.card) not in trick.plays
    return True


def _showed_later(hand: Hand, renounce: Renounce) -> bool:
    suit = SUIT_MASK[renounce.suit]
    if hand.seen[renounce.seat] & suit:
        return True
    return any(
        seat == renounce.seat and suit >> card & 1
        for trick in hand.tricks
        if trick.number > renounce.trick
        for seat, card in trick.plays
    )


def claim_revoke(moment: Moment) -> Command | None:
    """Charge an adversary with a revoke that the cards have proved, once."""
    if moment.view.phase not in {Phase.PLAYING, Phase.CLAIMS}:
        return None
    hand = moment.hand
    if moment.seat == hand.dummy:
        return None
    charged = {(charge.seat, charge.trick) for charge in hand.charges}
    known = {(revoke.seat, revoke.trick) for revoke in hand.revokes}
    for seat, trick in proved_revokes(hand, moment.seat):
        lost = _claim_lost(hand, moment.seat, seat, trick)
        if (seat, trick) not in charged and (seat, trick) not in known and not lost:
            return ClaimRevoke(seat, trick)
    return None


def _claim_lost(hand: Hand, claimant: Seat, seat: Seat, trick: int) -> bool:
    """Tell whether the claim was lost to the claimant's side by a word of dummy's."""
    return any(side == SIDE[claimant] and who == seat and number in {None, trick} for side, who, number in hand.killed)


def search(moment: Moment) -> Command | None:
    """Search the tricks if a charge of one's own side waits for its verdict."""
    act = moment.first_of(Search)
    if act is None:
        return None
    ours = any(
        charge.verdict is Verdict.PENDING and SIDE[charge.by] == SIDE[moment.seat] for charge in moment.hand.charges
    )
    return act if ours else None


def elect(moment: Moment) -> Command | None:
    """Choose for a revoke: what makes the game, else three tricks if they have them, else what hurts most."""
    elections = moment.all_of(Elect)
    if not elections:
        return None
    side = SIDE[moment.seat]
    score, taken = moment.view.score, moment.hand.taken
    wanted = Penalty.TRICKS
    if score[side] + moment.view.code.revoke_points >= moment.view.code.game_points or taken[OTHER_SIDE[side]] < 3:
        wanted = Penalty.ADD
    return next((act for act in elections if act.penalty is wanted), elections[0])


def choose(moment: Moment) -> Command | None:
    """Choose a penalty: the lowest card of one who plays again, the suit we are strongest in, else what comes first."""
    calls = moment.all_of(Call)
    if moment.right is not None:
        on = next((right for right in moment.hand.rights if right.id == moment.right), None)
        if on is not None:
            calls = [call for call in calls if call.demand in on.options] or calls
    for demand in (Demand.LOWEST, Demand.HIGHEST):
        wanted = next((call for call in calls if call.demand is demand), None)
        if wanted is not None:
            return wanted
    suits = [call for call in calls if call.demand is Demand.SUIT and call.suit is not None]
    if suits:
        return max(suits, key=lambda call: strength(moment.hand, moment.seat, call.suit))
    return calls[0] if calls else moment.first_of(Waive)


def strength(hand: Hand, seat: Seat, suit: Suit | None) -> int:
    """Return how strong a suit of one's own is: its length, and its honours."""
    if suit is None:
        return 0
    cards = cards_in(hand.hands[seat] & SUIT_MASK[suit])
    return len(cards) + sum(max(0, RANK_OF[card] - 8) for card in cards)


def honours(moment: Moment) -> Command | None:
    """Call one's side's honours where the cards show that it held three or four."""
    act = next((act for act in moment.all_of(ClaimHonours) if act.count is None), moment.first_of(ClaimHonours))
    if act is None or moment.hand.honours[SIDE[moment.seat]]:
        return None
    return act if honours_held(moment.hand, moment.seat) >= 3 else None


def honours_held(hand: Hand, seat: Seat) -> int:
    """Return how many of ace, king, queen and knave of trumps one knows one's side to have held."""
    if hand.trump is None or hand.trump is Suit.NT:
        return 0
    top = 0xF << (13 * hand.trump + 9)
    held = hand.dealt[seat] | hand.hands[seat] | hand.hands[PARTNER[seat]]
    for trick in hand.tricks:
        for player, card in trick.plays:
            if player in SEATS_OF[SIDE[seat]]:
                held |= 1 << card
    return (held & top).bit_count()


def after_hand(moment: Moment) -> Command | None:
    """Between the last trick and the cut: charge what is proved, search, elect, call honours, be ready."""
    for wish in (claim_revoke, search, elect, honours):
        act = wish(moment)
        if act is not None:
            return act
    return moment.first_of(BeReady)


def cut(moment: Moment) -> Command | None:
    """Cut, when all are ready."""
    return claim_revoke(moment) or moment.first_of(Cut)


def linger(moment: Moment) -> Command | None:
    """Let the whole linger run; where there is no clock for it, quit the trick one has won oneself."""
    if not moment.linger_by_hand or moment.view.hand is None:
        return None
    act = moment.first_of(Quit)
    if act is None:
        return None
    lying = next((trick for trick in moment.hand.tricks if trick.stage in {Stage.COMPLETE, Stage.GATHERED}), None)
    mine = {moment.seat, PARTNER[moment.seat]} if moment.hand.dummy == PARTNER[moment.seat] else {moment.seat}
    return act if lying is not None and lying.winner in mine else None


def offer(moment: Moment) -> Command | None:
    """Agree to end the hand only if one could not win a trick any more, which nobody can know: decline.

    Leave to lead: yes.
    """
    return moment.first_of(Decline) or moment.first_of(Agree)


def declare(moment: Moment) -> Command | None:
    """Name the suit one is strongest in; as the dealer with a poor hand leave it to one's partner."""
    leave = moment.first_of(LeaveIt)
    declarations = [act for act in moment.all_of(Declare) if act.trump is not Suit.NT]
    if not declarations:
        return leave
    best = max(declarations, key=lambda act: strength(moment.hand, moment.seat, act.trump))
    if leave is not None and strength(moment.hand, moment.seat, best.trump) < 7:
        return leave
    return best


def double(moment: Moment) -> Command | None:
    """Leave the value of a trick as it stands, and ask for leave to lead."""
    return moment.first_of(BeSatisfied) or moment.first_of(AskToLead) or moment.first_of(Agree)


def take_pack(moment: Moment) -> Command | None:
    """Take the first of the packs offered."""
    return moment.first_of(TakePack)


ANSWERS = {
    "turn": lowest_play,
    "question": answer,
    "choice": choose,
    "election": elect,
    "search": search,
    "claims": after_hand,
    "cut": cut,
    "linger": linger,
    "declare": declare,
    "double": double,
    "offer": offer,
    "new cards": take_pack,
}
"""What to do for each kind of prompt."""


def free_act(moment: Moment) -> Command | None:
    """What an honest player does unasked: put his own revoke right, ask his partner, charge what is proved, quit."""
    if moment.view.hand is None:
        return None
    return withdraw(moment) or ask(moment) or claim_revoke(moment) or linger(moment)


def suits_of(cards: int) -> set[Suit]:
    """Return the suits of a set of cards."""
    return {SUIT_OF[card] for card in cards_in(cards)}
