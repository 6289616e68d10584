"""Bridge before the first card, where words and cards come out of turn (49-51, 57-59, 70, 71), and dummy's hints (64).

At a `club` table such a word opens a choice to the one whom the law names: `objects` exacts it (a new deal, no more doubling),
`waives` passes it over. A suggestion by his partner kills it (103), and so does dummy's (63). At the other tables nobody
can speak before his turn, and the refusal names the law.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from oddtrick_rules import events as e
from oddtrick_rules.cards import BIT, SUIT_OF, mask_of
from oddtrick_rules.code import Cites, Rule
from oddtrick_rules.commands import (
    Consult,
    Declare,
    Demand,
    Double,
    LeaveIt,
    NameCard,
    Object,
    Play,
    Show,
    Waive,
)
from oddtrick_rules.laws import calls, declaring, exposed, leads
from oddtrick_rules.laws.common import Answer, Answers, Consequences, irregular, open_right, refuse, the_hand
from oddtrick_rules.laws.play import play
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import PARTNER, SEATS_OF, SIDE, Actor, Seat
from oddtrick_rules.state import Enforcement, Hand, Phase, Right, RightKind, State
from oddtrick_rules.turns import card_turn

BEFORE_PLAY: Final = (Phase.DECLARING, Phase.DOUBLING)
# What `objects` exacts for each: a new deal, or (of a double) that nobody doubles any more.
EXACTED_BY_OBJECTING: Final = (
    RightKind.UNASKED,
    RightKind.PASSED_BACK,
    RightKind.NOT_HIS,
    RightKind.DOUBLED_EARLY,
    RightKind.CONSULTED,
    RightKind.SHOWN_EARLY,
)


def _open(state: State, kind: RightKind, rule: Rule, *, offender: Seat, to: Seat, holds: bool) -> e.RightOpened:
    return open_right(state, kind, rule, offender=offender, trick=0, options=(), entitled=(to,), holds=holds)


def held(state: State) -> Right | None:
    """Return the choice that holds up all words before the play, if one does."""
    hand = state.hand
    if hand is None or state.phase not in BEFORE_PLAY:
        return None
    return next((right for right in hand.rights if right.holds and right.kind in EXACTED_BY_OBJECTING), None)


def _not_yet(state: State, rule: Rule) -> Refusal | None:
    """Refuse a word out of turn where the table orders the words, or while another is being judged."""
    if (no := irregular(state, rule)) is not None:
        return no
    right = held(state)
    return refuse(Why.PENDING_CHOICE, right.cites) if right is not None else None


# --- declaring ---


def declare(state: State, actor: Actor, command: Declare) -> Answer:
    """Name the trump in turn (47), unasked as the dealer's partner (49), or as an adversary, who may not (51)."""
    hand, code = state.hand, state.code
    if state.phase is not Phase.DECLARING or hand is None or not isinstance(actor, Seat):
        return declaring.declare(state, actor, command)
    if (right := held(state)) is not None:
        return refuse(Why.PENDING_CHOICE, right.cites)
    if actor is hand.declaring:
        return declaring.declare(state, actor, command)
    partner = actor is PARTNER[hand.dealer]
    rule = Rule.UNASKED_DECLARATION if partner else Rule.ADVERSARY_DECLARES
    if not code.has(rule) or actor is hand.dealer:
        return declaring.declare(state, actor, command)
    if (no := _not_yet(state, rule)) is not None:
        return no
    cites = code.cites(rule)
    if partner:
        unasked = _open(state, RightKind.UNASKED, rule, offender=actor, to=hand.leader, holds=False)
        return (e.TrumpDeclared(actor, command.trump, cites), unasked)
    spoken = e.SpokenOutOfTurn(actor, e.Word.DECLARES, command.trump, cites)
    return (spoken, _open(state, RightKind.NOT_HIS, rule, offender=actor, to=hand.dealer, holds=True))


def leave_it(state: State, actor: Actor, command: LeaveIt) -> Answer:
    """Leave the declaration to one's partner (48), who cannot pass it back (50)."""
    hand, rule = state.hand, Rule.PASSED_BACK
    if (right := held(state)) is not None:
        return refuse(Why.PENDING_CHOICE, right.cites)
    back = hand is not None and hand.left and actor is hand.declaring and state.phase is Phase.DECLARING
    if not back or hand is None or not isinstance(actor, Seat) or not state.code.has(rule):
        return declaring.leave_it(state, actor, command)
    if (no := _not_yet(state, rule)) is not None:
        return no
    spoken = e.SpokenOutOfTurn(actor, e.Word.LEAVES_IT, None, state.code.cites(rule))
    return (spoken, _open(state, RightKind.PASSED_BACK, rule, offender=actor, to=hand.leader, holds=True))


# --- doubling ---


def double(state: State, actor: Actor, command: Double) -> Answer:
    """Double in turn (54-56), before one is asked (57), out of turn (58), or for a partner who has led already (59)."""
    hand = state.hand
    if state.phase is not Phase.DOUBLING or hand is None or not isinstance(actor, Seat) or held(state) is not None:
        return declaring.double(state, actor, command)
    found = _out_of_turn(hand, actor)
    if found is None or not state.code.has(found[0]):
        return declaring.double(state, actor, command)
    rule, judge = found
    if actor in hand.barred:
        return refuse(Why.FORFEITED, state.code.cites(Rule.SHOWN_BEFORE_LEAD))
    if (no := _not_yet(state, rule)) is not None:
        return no
    spoken = e.SpokenOutOfTurn(actor, e.Word.DOUBLES, None, state.code.cites(rule))
    return (spoken, _open(state, RightKind.DOUBLED_EARLY, rule, offender=actor, to=judge, holds=True))


def _out_of_turn(hand: Hand, actor: Seat) -> tuple[Rule, Seat] | None:
    """Return the law that a double by this seat comes under if it is not in turn, and who decides on it."""
    third, last = PARTNER[hand.leader], hand.doubled_by
    if actor is hand.voice:
        return (Rule.EARLY_LEAD, last) if hand.led_early is not None and actor is third and last is not None else None
    if last is None:
        maker = hand.maker
        unasked = actor is third and not hand.asked_to_lead and maker is not None
        return (Rule.DOUBLED_UNASKED, maker) if unasked and maker is not None else None
    return (Rule.DOUBLED_OUT_OF_TURN, last) if SIDE[actor] != SIDE[last] else None


def consult(state: State, actor: Actor, command: Consult) -> Answer:
    """Consult one's partner: on doubling it gives the maker of the trump, or the eldest hand, a new deal (58)."""
    hand, rule = state.hand, Rule.CONSULTED_ON_DOUBLING
    if state.phase is not Phase.DOUBLING or hand is None or not isinstance(actor, Seat) or not state.code.has(rule):
        return calls.consult(state, actor, command)
    if (no := _not_yet(state, rule)) is not None:
        return no
    assert hand.maker is not None
    to = hand.maker if SIDE[actor] != SIDE[hand.dealer] else hand.leader
    opened = _open(state, RightKind.CONSULTED, rule, offender=actor, to=to, holds=True)
    return (e.Consulted(actor, state.code.cites(rule)), opened)


def lead_early(state: State, event: e.Satisfied | e.Doubled) -> tuple[e.Event, ...]:
    """The doubling over, the card that the eldest hand led too early is played (59)."""
    hand = the_hand(state)
    if state.phase is not Phase.PLAYING or hand.led_early is None or hand.tricks:
        return ()
    return (e.CardPlayed(hand.leader, hand.led_early, 1, state.code.cites(Rule.EARLY_LEAD)),)


# --- cards shown before the lead ---


def show(state: State, actor: Actor, command: Show) -> Answer:
    """Let cards be seen: before the declaration (70) and before the lead (71) it costs more than the card."""
    hand, code = state.hand, state.code
    before_lead = hand is not None and code.dummy and hand.dummy is None and not hand.tricks
    if not before_lead or hand is None or not isinstance(actor, Seat) or state.phase in (Phase.CLAIMS, Phase.OVER):
        return exposed.show(state, actor, command)
    ours = SIDE[actor] == SIDE[hand.dealer]
    first = ours and state.phase is Phase.DECLARING
    rule = Rule.SHOWN_BEFORE_DECLARING if first else Rule.SHOWN_BEFORE_LEAD
    if not code.has(rule):
        return exposed.show(state, actor, command) if state.phase is Phase.PLAYING else refuse(Why.NOT_NOW)
    if (no := _not_yet(state, rule)) is not None:
        return no
    mask = mask_of(command.cards)
    if not command.cards or mask.bit_count() != len(command.cards) or mask & ~hand.hands[actor]:
        return refuse(Why.NO_SUCH_CARD)
    cites = code.cites(rule)
    lying: e.Event = (
        e.CardsShown(actor, command.cards, (*cites, *code.cites(Rule.DEALER_EXPOSES)))
        if ours
        else e.CardsExposed(actor, command.cards, (*code.cites(Rule.EXPOSED), *cites))
    )
    return (lying, *_shown_too_early(state, hand, actor, command, first=first))


def _shown_too_early(state: State, hand: Hand, actor: Seat, command: Show, *, first: bool) -> tuple[e.Event, ...]:
    """The partner doubles no more; the eldest hand may have a new deal, or the dealer a suit that is not led."""
    rule, partner = Rule.SHOWN_BEFORE_LEAD, PARTNER[actor]
    found: list[e.Event] = []
    if state.code.has(rule) and partner not in hand.barred:
        found.append(e.DoublingLost(partner, state.code.cites(rule)))
    kinds = {right.kind for right in hand.rights}
    if first and RightKind.SHOWN_EARLY not in kinds:
        law = Rule.SHOWN_BEFORE_DECLARING
        found.append(_open(state, RightKind.SHOWN_EARLY, law, offender=actor, to=hand.leader, holds=False))
    elif partner is hand.leader and RightKind.SHOWN_BY_THIRD not in kinds and hand.led_early is None:
        opened = open_right(
            state,
            RightKind.SHOWN_BY_THIRD,
            rule,
            offender=actor,
            trick=1,
            options=(Demand.NOT_SUIT,),
            on=partner,
            cards=command.cards,
            holds=state.reasonable_time,
            suit=SUIT_OF[command.cards[0]],
            entitled=(hand.dealer,),
        )
        found.append(opened)
    return tuple(found)


# --- the choice ---


def object_(state: State, actor: Actor, command: Object) -> Answer:
    """Exact what the word out of turn costs; in play, stop a lead out of turn."""
    hand, code = state.hand, state.code
    if hand is None or not isinstance(actor, Seat) or state.phase not in (*BEFORE_PLAY, Phase.PLAYING):
        return leads.object_to_lead(state, actor, command)
    if state.phase is Phase.PLAYING:
        killed = _dummy_objects(state, hand, actor)
        return killed if killed is not None else leads.object_to_lead(state, actor, command)
    right = next((one for one in reversed(hand.rights) if one.kind in EXACTED_BY_OBJECTING), None)
    if right is None or SIDE[actor] != right.side:
        return refuse(Why.NO_RIGHT)
    if actor not in right.holders:
        if not code.has(Rule.PARTNER_SUGGESTS):
            return refuse(Why.NOT_YOURS, right.cites)
        return _stands(state, right, actor, how="forfeited", cites=code.cites(Rule.PARTNER_SUGGESTS))
    closed = e.RightClosed(right.id, "used", actor, right.cites)
    if right.kind is RightKind.DOUBLED_EARLY:
        # Not accepted, there is no further doubling in that hand (58).
        return (closed, e.Satisfied(actor, None, right.cites))
    return (closed, e.DealVoided(actor, right.cites))


def _dummy_objects(state: State, hand: Hand, actor: Seat) -> Answer | None:
    """Dummy has no word about a lead out of turn: by it the penalty is gone (63)."""
    if actor is not hand.dummy or not state.code.has(Rule.DUMMY_SPEAKS):
        return None
    for right in reversed(hand.rights):
        if right.kind is RightKind.LEAD and right.side == SIDE[actor] and leads.lying(hand, right) is not None:
            return calls.forfeit(state, right, actor, state.code.cites(Rule.DUMMY_SPEAKS))
    return None


def waive(state: State, actor: Actor, command: Waive) -> Answer:
    """Let a word out of turn stand, or pass it over; in play, give up any other choice."""
    hand = state.hand
    if state.phase not in BEFORE_PLAY or hand is None or not isinstance(actor, Seat):
        return calls.waive(state, actor, command)
    mine = [right for right in reversed(hand.rights) if actor in right.holders]
    mine.sort(key=lambda right: not right.holds)
    return let_stand(state, mine[0], actor) if mine else refuse(Why.NO_RIGHT)


def let_stand(state: State, right: Right, by: Seat | None) -> tuple[e.Event, ...]:
    """Return what follows when the choice is given up, by the clock when `by` is None."""
    return _stands(state, right, by, how="waived", cites=right.cites)


def _stands(state: State, right: Right, by: Seat | None, *, how: str, cites: Cites) -> tuple[e.Event, ...]:
    closed = e.RightClosed(right.id, how, by, cites)
    if right.kind is not RightKind.DOUBLED_EARLY:
        return (closed,)
    return (closed, declaring.raised(state, right.offender, right.cites))


_LAPSES: Final[Mapping[type, tuple[RightKind, ...]]] = MappingProxyType(
    {
        e.TrumpDeclared: (RightKind.SHOWN_EARLY,),
        e.Doubled: (RightKind.UNASKED,),
        e.LeadAsked: (RightKind.UNASKED,),
        e.Satisfied: (RightKind.UNASKED,),
    }
)


def lapse(state: State, event: e.TrumpDeclared | e.Doubled | e.LeadAsked | e.Satisfied) -> tuple[e.Event, ...]:
    """A declaration made unasked stands when anybody speaks on doubling (49), a card shown when the trump is named (70)."""
    kinds = _LAPSES[event.__class__]
    return tuple(
        e.RightClosed(right.id, "lapsed", None, right.cites) for right in the_hand(state).rights if right.kind in kinds
    )


# --- cards named in play ---


def name_card(state: State, actor: Actor, command: NameCard) -> Answer:
    """Name a card: as dummy it is a hint (64), as the dealer, in turn, it is a card played (66)."""
    hand, code = state.hand, state.code
    if state.phase is not Phase.PLAYING or hand is None or not isinstance(actor, Seat) or hand.dummy is None:
        return exposed.name_card(state, actor, command)
    if actor is hand.dummy and code.has(Rule.DUMMY_SUGGESTS):
        return _suggest(state, hand, actor, command)
    seat = card_turn(hand)
    his = seat is not None and PARTNER[hand.dummy] is actor and seat in (actor, hand.dummy)
    if not his or seat is None or not code.has(Rule.PLAYED_CARD) or not hand.hands[seat] & BIT[command.card]:
        return exposed.name_card(state, actor, command)
    if (no := irregular(state, Rule.PLAYED_CARD)) is not None:
        return no
    answer = play(state, actor, Play(command.card, hand=seat))
    if isinstance(answer, Refusal):
        return answer
    return (e.CardNamed(actor, command.card, code.cites(Rule.PLAYED_CARD)), *answer)


def _suggest(state: State, hand: Hand, dummy: Seat, command: NameCard) -> Answer:
    """Dummy hints at one of his cards: either adversary may have it played, or not played (64)."""
    rule = Rule.DUMMY_SUGGESTS
    cites = state.code.cites(rule)
    if state.enforcement is not Enforcement.CLUB:
        return refuse(Why.IRREGULAR, (*cites, "R3"))
    if not hand.hands[dummy] & BIT[command.card]:
        return refuse(Why.NO_SUCH_CARD)
    if any(right.kind is RightKind.SUGGESTED for right in hand.rights):
        return refuse(Why.ALREADY_DONE, cites)
    opened = open_right(
        state,
        RightKind.SUGGESTED,
        rule,
        offender=dummy,
        trick=0,
        options=(Demand.CARD, Demand.NOT_CARD),
        on=dummy,
        cards=(command.card,),
        holds=state.reasonable_time,
        entitled=SEATS_OF[1 - SIDE[dummy]],
    )
    return (e.CardNamed(dummy, command.card, cites), opened)


ANSWERS: Answers = {
    Declare: declare,
    LeaveIt: leave_it,
    Double: double,
    Consult: consult,
    Show: show,
    Object: object_,
    Waive: waive,
    NameCard: name_card,
}
CONSEQUENCES: Consequences = {
    e.TrumpDeclared: (lapse,),
    e.LeadAsked: (lapse,),
    e.Doubled: (lapse, lead_early),
    e.Satisfied: (lapse, lead_early),
}
