"""Events in plain English, one sentence each, for terminals and records; a page has its own catalogue of words.

`tell` says nothing an event does not hold, so a sentence about what a viewer was shown is safe to show him.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from oddtrick_rules import events as e
from oddtrick_rules.cards import RANK_OF, RANKS, SUIT_OF, Card, Suit
from oddtrick_rules.code import Cites
from oddtrick_rules.commands import Demand, Penalty, Sheet
from oddtrick_rules.seats import SIDES, Seat, Side

SEAT_WORDS: Final = {Seat.N: "North", Seat.E: "East", Seat.S: "South", Seat.W: "West"}
SIDE_WORDS: Final = {Side.NS: "North and South", Side.EW: "East and West"}
SUIT_WORDS: Final = {Suit.S: "spade", Suit.H: "heart", Suit.D: "diamond", Suit.C: "club", Suit.NT: "no trump"}
RANK_WORDS: Final = {"J": "knave", "Q": "queen", "K": "king", "A": "ace", "T": "ten"}
_NUMBER_WORDS: Final = {"2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight"}
_GAME_WORDS: Final = {1: "a single", 2: "a double", 3: "a treble"}


def card_words(card: Card) -> str:
    """Return `the knave of spades`."""
    rank = RANKS[RANK_OF[card]]
    word = RANK_WORDS.get(rank) or _NUMBER_WORDS.get(rank) or "nine"
    return f"the {word} of {suit_words(SUIT_OF[card])}"


def suit_words(suit: Suit) -> str:
    """Return `spades`, or `no trumps`."""
    return SUIT_WORDS[suit] + "s"


def cards_words(cards: Iterable[Card]) -> str:
    """Return the cards as a phrase: `the ace of spades and the king of hearts`."""
    words = [card_words(card) for card in cards]
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words) or "no card"


def law_words(cites: Cites) -> str:
    """Return `law 73, R5`, or nothing for no citation."""
    laws = [cite for cite in cites if not cite.startswith("R")]
    rulings = [cite for cite in cites if cite.startswith("R")]
    named = [f"{'laws' if len(laws) > 1 else 'law'} {', '.join(laws)}"] if laws else []
    return ", ".join((*named, *rulings))


def tell(event: e.Event) -> str:
    """Return one sentence about the event, without its citation."""
    return _TELL[event.__class__](event)


def tell_with_law(event: e.Event) -> str:
    """Return the sentence, with the laws and rulings it rests on in brackets."""
    law = law_words(event.cites)
    return f"{tell(event)} ({law})" if law else tell(event)


def _who(seat: Seat | None) -> str:
    return "The clock" if seat is None else SEAT_WORDS[seat]


def _seats(seats: Iterable[Seat]) -> str:
    return " or ".join(SEAT_WORDS[seat] for seat in seats)


def _dealt(event: e.HandDealt) -> str:
    turned = f"; {card_words(event.turned)} is turned up" if event.turned is not None else ""
    return f"{_who(event.dealer)} has dealt hand {event.number}{turned}."


def _withdrawn(event: e.CardWithdrawn) -> str:
    return f"{_who(event.seat)} takes back {card_words(event.card)} from trick {event.trick}."


def _demand(demand: Demand, card: Card | None, suit: Suit | None) -> str:
    if demand is Demand.CARD and card is not None:
        return card_words(card)
    if demand is Demand.SUIT and suit is not None:
        return f"a {SUIT_WORDS[suit]} lead"
    if demand is Demand.NOT_SUIT and suit is not None:
        return f"another lead than a {SUIT_WORDS[suit]}"
    if demand is Demand.NOT_CARD and card is not None:
        return f"another card than {card_words(card)}"
    if demand in (Demand.WIN, Demand.LOSE):
        return "a winning card" if demand is Demand.WIN else "a losing card"
    if demand in (Demand.TRUMP_HIGHEST, Demand.TRUMP_LOWEST):
        return f"the {demand.removeprefix('trump ')} trump"
    return f"the {demand} {SUIT_WORDS[suit]}" if suit is not None else f"the {demand} card"


def _called(event: e.Called) -> str:
    return f"{_who(event.by)} calls {_demand(event.demand, event.card, event.suit)} from {_seats(event.seats)}."


def _right(event: e.RightOpened) -> str:
    right = event.right
    offers = ", ".join(right.options) or "to exact it or to waive it"
    return f"{_seats(right.holders)} may choose a penalty for {right.kind} by {_who(right.offender)}: {offers}."


def _closed(event: e.RightClosed) -> str:
    if event.how == "waived" and event.by is not None:
        return f"{_who(event.by)} waives the choice."
    return f"The choice is {event.how}."


def _asked(event: e.Asked) -> str:
    return f"{_who(event.seat)} asks {_who(event.of)} whether he has none."


def _answered(event: e.Answered) -> str:
    return f"{_who(event.seat)} answers: {'none' if event.none else 'I have one'}."


def _renounced(event: e.Renounced) -> str:
    if SUIT_OF[event.card] is event.suit:
        return f"{_who(event.seat)} has played {card_words(event.card)} under a call."
    return f"{_who(event.seat)} has played {card_words(event.card)} to a {SUIT_WORDS[event.suit]}."


def _revoke(event: e.RevokeMade) -> str:
    how = f"does not play {event.demand} as called" if event.demand is not None else f"holds a {SUIT_WORDS[event.suit]}"
    return f"{_who(event.seat)} has revoked in trick {event.trick} with {card_words(event.card)}: he {how}."


def _charged(event: e.RevokeCharged) -> str:
    where = f" in trick {event.trick}" if event.trick is not None else ""
    return f"{_who(event.by)} charges {_who(event.seat)} with a revoke{where}."


def _proved(event: e.RevokeProved) -> str:
    where = f" in trick {event.trick}" if event.trick else ""
    return f"Revoke {event.number}, {_who(event.seat)}'s{where}, is proved."


def _exacted(event: e.PenaltyExacted) -> str:
    what = {
        Penalty.TRICKS: f"take {event.tricks} tricks",
        Penalty.DEDUCT: "deduct from their adversaries' score",
        Penalty.ADD: "add to their score",
    }[event.penalty]
    return f"{SIDE_WORDS[event.side]} {what} for revoke {event.number}."


def _ended(event: e.HandEnded) -> str:
    if not event.thrown_in:
        return "The hand has been played out."
    awards = [f"{SIDE_WORDS[side]} get {event.awarded[side]}" for side in SIDES if event.awarded[side]]
    return f"The hand is thrown in; of the unplayed tricks {' and '.join(awards) or 'nobody gets any'}."


def _scored(event: e.Scored) -> str:
    verb = f"mark {event.points}" if event.points >= 0 else f"lose {-event.points}"
    return f"{SIDE_WORDS[event.side]} {verb} for {event.what}: {event.score[0]} to {event.score[1]}."


def _marked(event: e.ScoreMarked) -> str:
    where = {Sheet.SCORE: "", Sheet.ABOVE: " above the line", Sheet.GAME: " as the value of their game"}[event.sheet]
    return f"{_who(event.seat)} marks {event.points} for {SIDE_WORDS[event.side]}{where}."


def _spoken(event: e.SpokenOutOfTurn) -> str:
    trump = f" {suit_words(event.trump)}" if event.trump is not None else ""
    return f"{_who(event.seat)} {event.word}{trump} out of his turn."


def _honours(event: e.HonoursCalled) -> str:
    return f"{SIDE_WORDS[event.side]} have {event.count} honours."


def _named_cards(verb: str) -> Callable[[Any], str]:
    return lambda event: f"{_who(event.seat)} {verb} {cards_words(event.cards)}."


def _one_card(verb: str) -> Callable[[Any], str]:
    return lambda event: f"{_who(event.seat)} {verb} {card_words(event.card)}."


def _said(words: str) -> Callable[[Any], str]:
    return lambda event: f"{_who(event.seat)} {words}."


def _plain(words: str) -> Callable[[Any], str]:
    return lambda _event: words


def _doubled(event: e.Doubled) -> str:
    return f"{_who(event.seat)} doubles: a trick counts {event.multiplier} times."


_TELL: Final[dict[type, Callable[[Any], str]]] = {
    e.HandDealt: _dealt,
    e.CardPlayed: _one_card("plays"),
    e.LedOutOfTurn: lambda x: f"{_who(x.seat)} leads {card_words(x.card)}; it was {_who(x.rightful)}'s lead.",
    e.LeadCondoned: _plain("The lead out of turn stands."),
    e.CardReturned: lambda x: f"{card_words(x.card).capitalize()} goes back to {_who(x.seat)}'s hand.",
    e.Renounced: _renounced,
    e.RevokeMade: _revoke,
    e.RevokeLifted: lambda x: f"{_who(x.seat)}'s change of card has taken his revoke away.",
    e.RevokeEstablished: lambda x: f"{_who(x.seat)}'s revoke in trick {x.trick} is established.",
    e.RevokeBarred: lambda x: f"{_who(x.seat)}'s revoke in trick {x.trick} can be claimed no more.",
    e.TrickCompleted: lambda x: f"{_who(x.winner)} wins trick {x.trick}.",
    e.TrickGathered: lambda x: f"{_who(x.seat)} gathers trick {x.trick}.",
    e.TrickQuitted: lambda x: (
        f"Trick {x.trick} is turned and quitted{f' by {_who(x.seat)}' if x.seat is not None else ''}."
    ),
    e.Asked: _asked,
    e.Answered: _answered,
    e.QuestionLapsed: _said("has not answered"),
    e.CardWithdrawn: _withdrawn,
    e.RevokeCorrected: lambda x: f"{_who(x.seat)} has corrected his revoke in trick {x.trick}.",
    e.CardChanged: lambda x: f"{_who(x.seat)} changes {card_words(x.old)} for {card_words(x.card)}.",
    e.CardsExposed: lambda x: f"{_who(x.seat)}'s {cards_words(x.cards).replace('the ', '')} may be called.",
    e.CardsShown: _named_cards("lets be seen"),
    e.CardsPickedUp: _named_cards("picks up"),
    e.LedOn: _one_card("leads on, before the trick is complete, with"),
    e.LedTogether: _one_card("leads together with his partner"),
    e.LaidTogether: _named_cards("puts down at once"),
    e.RightOpened: _right,
    e.RightKept: lambda x: f"The same may be called again: {', '.join(x.options)}.",
    e.RightClosed: _closed,
    e.Called: _called,
    e.DutyEnded: lambda x: f"{_seats(x.seats)} is bound by the call no longer.",
    e.CallLost: lambda x: (
        f"{_who(x.by)} has called {_who(x.seat)}'s card too early; it cannot be called to this trick."
    ),
    e.CallsRestored: _plain("Cards called too early may be called again."),
    e.Placed: _said("has the cards placed"),
    e.Reviewed: lambda x: f"{_who(x.seat)} looks at trick {x.trick} again.",
    e.SaidMine: _said("says that the trick is his"),
    e.CardNamed: _one_card("names"),
    e.TrumpForgotten: _said("does not remember the trump card"),
    e.TrumpTakenUp: _said("takes up the trump card"),
    e.TrumpLeft: _said("leaves the trump card lying"),
    e.ThrewDown: _said("throws down his hand"),
    e.GameClaimed: _said("claims the game"),
    e.RestClaimed: _said("claims the rest"),
    e.OfferMade: lambda x: f"{_who(x.seat)} offers to end the hand: {x.kind}.",
    e.OfferAgreed: _said("agrees"),
    e.OfferClosed: _plain("The offer stands no longer."),
    e.RevokeCharged: _charged,
    e.ClaimKilled: lambda x: f"{_who(x.by)} had no voice in it: {SIDE_WORDS[x.side]} lose their claim.",
    e.Searched: _said("searches the tricks"),
    e.ChargeJudged: lambda x: f"Charge {x.number} is {'proved' if x.proved else 'not proved'}.",
    e.RevokeProved: _proved,
    e.RevokesCancelled: _plain("Revokes on both sides cancel each other."),
    e.Mixed: _said("mixes the tricks"),
    e.PlayOutRequired: _said("requires the hand to be played out"),
    e.PenaltyExacted: _exacted,
    e.PenaltyForfeited: lambda x: (
        f"{_who(x.seat)} demands what the law does not give: revoke {x.number} costs nothing."
    ),
    e.Consulted: _said("consults his partner"),
    e.HandEnded: _ended,
    e.BecameReady: _said("is ready"),
    e.HonoursCalled: _honours,
    e.PackCut: lambda x: f"{_who(x.seat)} cuts; {_who(x.dealer)} deals next.",
    e.Scored: _scored,
    e.ScoredAbove: lambda x: f"{SIDE_WORDS[x.side]} mark {x.points} above the line for {x.what}.",
    e.GameReached: lambda x: f"{SIDE_WORDS[x.side]} reach the game: {_GAME_WORDS.get(x.value, 'a game')}.",
    e.GameUndone: lambda x: f"{SIDE_WORDS[x.side]} have revoked too: they cannot win the game by this hand.",
    e.GameWon: lambda x: f"{SIDE_WORDS[x.side]} win the game: {_GAME_WORDS.get(x.value, 'a game')}.",
    e.ScoreMarked: _marked,
    e.GameAnnulled: lambda x: f"{SIDE_WORDS[x.side]}'s game was marked in error: {x.score[0]} to {x.score[1]}.",
    e.RubberWon: lambda x: f"{SIDE_WORDS[x.side]} win the rubber by {x.points}.",
    e.TrumpDeclared: lambda x: f"{_who(x.seat)} declares {suit_words(x.trump)}.",
    e.DeclarationLeft: _said("leaves it to his partner"),
    e.Doubled: _doubled,
    e.LeadAsked: _said("asks: may I lead?"),
    e.Satisfied: _said("is satisfied"),
    e.SpokenOutOfTurn: _spoken,
    e.DoublingLost: _said("may no longer double"),
    e.LedEarly: _one_card("leads, before the doubling is over,"),
    e.DealVoided: _said("has a new deal: the hand counts for nothing"),
    e.DummyLaid: _said("lays down his hand as dummy"),
    e.BetOffered: lambda x: f"{_who(x.seat)} bets {x.counters} on {SIDE_WORDS[x.side]} for the {x.on}.",
    e.BetTaken: lambda x: f"{_who(x.seat)} takes bet {x.number}.",
    e.BetSettled: lambda x: f"Bet {x.number} is {'off' if x.winner is None else 'won by ' + _who(x.winner)}.",
    e.NewCardsCalled: _said("calls for new cards"),
    e.PackTaken: lambda x: f"{_who(x.seat)} takes pack {x.pack}.",
}
