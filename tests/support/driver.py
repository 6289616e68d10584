"""Random tables: deals and endings of all codes, and acts at them, lawful and not, by players, clock and house."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from oddtrick_rules import commands as c
from oddtrick_rules.awaits import Await, AwaitKind, awaits
from oddtrick_rules.cards import PACK, SUITS, Card, Suit, cards_in, mask_of
from oddtrick_rules.code import Code
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import BetOn, Command, Demand, Penalty
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.events import Event
from oddtrick_rules.legal import dynamic
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import LEFT, PARTNER, SEATS, SIDES, Actor, Official, Seat
from oddtrick_rules.start import position, rubber
from oddtrick_rules.state import Enforcement, Hand, Phase, Right, State
from oddtrick_rules.turns import playable

Act = tuple[Actor, Command]

# More acts than any rubber of a test needs: past it something does not end.
ACTS_MAX: Final = 20_000


@dataclass
class Game:
    """A table under way: where it began, what was done, what was refused, what happened."""

    state: State
    chance: random.Random
    start: State = field(init=False)
    log: list[Event] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    watchers: list[Callable[["Game", State, Act, Verdict | Refusal], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start = self.state

    @property
    def hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand

    def do(self, actor: Actor, command: Command) -> Verdict | Refusal:
        """Do an act, remember it and what came of it, and let the watchers look."""
        before = self.state
        result = judge(before, actor, command)
        self.acts.append((actor, command))
        assert len(self.acts) <= ACTS_MAX
        if isinstance(result, Verdict):
            self.state = result.state
            self.log.extend(result.events)
        for watcher in self.watchers:
            watcher(self, before, (actor, command), result)
        return result


# --- where tables begin ---


def fresh(chance: random.Random, code: Code, enforcement: Enforcement) -> State:
    """A rubber about to be dealt, or an ending of any length, anywhere in a rubber."""
    timed = chance.random() < 0.3
    if chance.random() < 0.5:
        return rubber(code, enforcement=enforcement, dealer=chance.choice(SEATS), reasonable_time=timed)
    return ending(chance, code, enforcement, size=chance.randint(1, 13), reasonable_time=timed)


def ending(
    chance: random.Random, code: Code, enforcement: Enforcement, *, size: int, reasonable_time: bool = False
) -> State:
    """Hands of that many cards, anywhere in a rubber."""
    cards = chance.sample(PACK, 4 * size)
    n, e, s, w = (mask_of(cards[size * seat : size * (seat + 1)]) for seat in SEATS)
    ns = chance.randint(0, 13 - size)
    dealer = chance.choice(SEATS)
    turned = None
    trump: Suit | None = chance.choice([*Suit] if code.dummy else SUITS)
    if code.turned_trump and (size == 13 or chance.random() < 0.3):
        turned = chance.choice(cards_in((n, e, s, w)[dealer]))
    if code.dummy and size == 13 and chance.random() < 0.5:
        trump = None
    points = code.game_points
    return position(
        code,
        enforcement=enforcement,
        dealer=dealer,
        hands=(n, e, s, w),
        trump=trump,
        turned=turned,
        leader=LEFT[dealer] if size == 13 else chance.choice(SEATS),
        tricks=(ns, 13 - size - ns),
        score=(chance.randrange(points), chance.randrange(points)),
        games=chance.choice((((), ()), ((1,), ()), ((), (1,)), ((1,), (1,)))),
        multiplier=chance.choice((1, 2, 4, 8)) if code.dummy else 1,
        reasonable_time=reasonable_time,
    )


def dealt(chance: random.Random, state: State) -> c.Deal:
    """A whole deal by the house."""
    pack = [*PACK]
    chance.shuffle(pack)
    n, e, s, w = (tuple(pack[seat::4]) for seat in SEATS)
    turned = chance.choice((n, e, s, w)[state.dealer]) if state.code.turned_trump else None
    return c.Deal((n, e, s, w), turned)


def tables(chance: random.Random) -> Iterator[tuple[Code, Enforcement]]:
    """Every code in every enforcement, again and again; most at the club, where everything can happen."""
    kinds = [(code, mode) for code in CODES.values() for mode in (*Enforcement, Enforcement.CLUB)]
    while True:
        chance.shuffle(kinds)
        yield from kinds


# --- what is waited for ---


def awaited_act(game: Game, one: Await, *, lawful: bool) -> Act:
    """An act that answers what the table waits for; a lawful one keeps every law and leaves choices to the clock."""
    chance, hand = game.chance, game.hand if game.state.hand is not None else None
    if one.kind is AwaitKind.DEAL:
        return Official.HOUSE, dealt(chance, game.state)
    assert hand is not None
    if one.kind is AwaitKind.LINGER:
        return _quitting(game, hand, one, lawful=lawful)
    if one.kind is AwaitKind.TURN:
        assert one.seat is not None
        mask = playable(game.state, one.seat)
        if not lawful and chance.random() < 0.35:
            mask = hand.hands[one.seat]
        actor = one.seats[0]
        return actor, c.Play(chance.choice(cards_in(mask)), one.seat if one.seat is not actor else None)
    if one.kind is AwaitKind.DECLARE:
        named = c.Declare(chance.choice([*Suit]))
        return one.seats[0], named if hand.left or chance.random() < 0.7 else c.LeaveIt()
    if one.kind is AwaitKind.DOUBLE:
        return one.seats[0], chance.choice((c.Double(), c.BeSatisfied())) if not lawful else c.BeSatisfied()
    if lawful or chance.random() < 0.2:
        return Official.CLOCK, c.Lapse()
    return chance.choice(one.seats), _answer(game, hand, one)


def _quitting(game: Game, hand: Hand, one: Await, *, lawful: bool) -> Act:
    if lawful or game.chance.random() < 0.4:
        return Official.CLOCK, c.Quit()
    winner = hand.tricks[one.about - hand.tricks[0].number].winner
    assert winner is not None
    return game.chance.choice((winner, PARTNER[winner])), game.chance.choice((c.Quit(), c.Quit(), c.Gather()))


def _answer(game: Game, hand: Hand, one: Await) -> Command:
    chance = game.chance
    if one.kind is AwaitKind.QUESTION:
        return c.Answer(none=chance.random() < 0.5)
    if one.kind is AwaitKind.CHOICE:
        right = next(right for right in hand.rights if right.id == one.about)
        if not right.options or chance.random() < 0.3:
            return chance.choice((c.Waive(), c.Object()))
        demand = chance.choice(right.options)
        return _exacting(chance, right, demand)
    if one.kind is AwaitKind.ELECTION:
        return c.Elect(chance.choice([*Penalty]), one.about)
    others: dict[AwaitKind, Command] = {
        AwaitKind.SEARCH: c.Search(),
        AwaitKind.CLAIMS: c.BeReady(),
        AwaitKind.CUT: c.Cut(),
        AwaitKind.OFFER: chance.choice((c.Agree(), c.Decline())),
        AwaitKind.NEW_CARDS: c.TakePack(chance.choice((1, 2))),
    }
    return others[one.kind]


# --- any act whatever ---


def wild_act(game: Game) -> Act:
    """Any act by anybody, drawn so that a good part of them is lawful or a likely offence."""
    chance = game.chance
    if chance.random() < 0.02:
        return chance.choice([*Official]), chance.choice((c.Lapse(), c.Quit(), c.Cut(), c.Search(), c.BeReady()))
    seat = chance.choice(SEATS)
    if game.state.phase is Phase.TO_DEAL and chance.random() < 0.4:
        return seat, _mark(game, seat)
    if chance.random() < 0.3 and (listed := dynamic(game.state, seat)):
        # One kind of act is as likely as another, or cards would crowd out the rare ones.
        kind = chance.choice(sorted({type(command).__name__ for command in listed}))
        return seat, chance.choice([command for command in listed if type(command).__name__ == kind])
    return seat, _WILD[chance.choices(range(len(_WILD)), _WEIGHTS)[0]][1](game, seat)


def _card(game: Game, seat: Seat) -> Card:
    """A card the seat holds, as a rule."""
    hand = game.state.hand
    held = cards_in(hand.hands[seat]) if hand is not None else ()
    return game.chance.choice(held if held and game.chance.random() < 0.9 else PACK)


def _cards(game: Game, seat: Seat, least: int) -> tuple[Card, ...]:
    hand = game.state.hand
    held = cards_in(hand.hands[seat]) if hand is not None else ()
    return tuple(game.chance.sample(held, min(len(held), game.chance.randint(least, 3))))


def _called(game: Game, seat: Seat) -> Command:
    """A call: by a right that is open, of a card that lies exposed, or of anything."""
    chance, hand = game.chance, game.state.hand
    other = chance.choice((LEFT[seat], LEFT[PARTNER[seat]]))
    open_ones = [right for right in hand.rights if right.options] if hand is not None else []
    if open_ones and chance.random() < 0.5:
        right = chance.choice(open_ones)
        return _exacting(chance, right, chance.choice(right.options))
    if hand is not None and hand.exposed[other] and chance.random() < 0.8:
        return c.Call(Demand.CARD, other, card=chance.choice(cards_in(hand.exposed[other])))
    demand = chance.choice([*Demand])
    return c.Call(
        demand,
        chance.choice(SEATS) if chance.random() < 0.1 else other,
        card=_card(game, other) if demand in {Demand.CARD, Demand.NOT_CARD} else None,
        suit=chance.choice(SUITS) if demand in {Demand.SUIT, Demand.NOT_SUIT} else None,
    )


def _exacting(chance: random.Random, right: Right, demand: Demand) -> Command:
    """A call that the right allows."""
    if demand in {Demand.CARD, Demand.NOT_CARD}:
        return c.Call(demand, right.offender, card=chance.choice(right.cards) if right.cards else None)
    suit = chance.choice(SUITS) if demand is Demand.SUIT else right.suit if demand is Demand.NOT_SUIT else None
    return c.Call(demand, right.on if right.on is not None else right.offender, suit=suit)


def _mark(game: Game, seat: Seat) -> Command:
    chance = game.chance
    return c.Mark(chance.choice([*c.Sheet]), chance.choice(SIDES), chance.choice((0, 1, 2, 3, 4, 5, 20, 30)))


def _charge(game: Game, seat: Seat) -> Command:
    """A charge of revoke, often one that can be proved."""
    chance, hand = game.chance, game.state.hand
    if hand is not None and hand.revokes and chance.random() < 0.7:
        revoke = chance.choice(hand.revokes)
        return c.ClaimRevoke(revoke.seat, revoke.trick if chance.random() < 0.8 else None)
    return c.ClaimRevoke(chance.choice(SEATS), chance.choice((None, chance.randint(0, 14))))


_WILD: Final[tuple[tuple[float, Callable[[Game, Seat], Command]], ...]] = (
    (6, lambda game, seat: c.Play(_card(game, seat))),
    (1, lambda game, seat: c.Play(_card(game, PARTNER[seat]), PARTNER[seat])),
    (0.3, lambda game, seat: c.Play(_card(game, seat), game.chance.choice(SEATS))),
    (2, lambda game, seat: c.PlayTogether(_cards(game, seat, 2))),
    (5, lambda game, seat: c.Ask()),
    (2, lambda game, seat: c.Answer(none=game.chance.random() < 0.5)),
    (6, lambda game, seat: c.Withdraw()),
    (3, lambda game, seat: c.Object()),
    (3, lambda game, seat: c.Change(_card(game, seat))),
    (0.5, lambda game, seat: c.Change(_card(game, PARTNER[seat]))),
    (1, lambda game, seat: c.Gather()),
    (1, lambda game, seat: c.Quit()),
    (0.5, lambda game, seat: c.Place()),
    (0.5, lambda game, seat: c.Review()),
    (0.7, lambda game, seat: c.Show(_cards(game, seat, 1))),
    (0.1, lambda game, seat: c.ThrowDown()),
    (0.2, lambda game, seat: c.ClaimGame()),
    (0.2, lambda game, seat: c.ClaimRest()),
    (0.5, lambda game, seat: c.Agree()),
    (0.5, lambda game, seat: c.Decline()),
    (1, lambda game, seat: c.SayMine()),
    (0.5, lambda game, seat: c.NameCard(_card(game, seat))),
    (0.3, lambda game, seat: c.Forget()),
    (2, _charge),
    (1, lambda game, seat: c.Search()),
    (0.2, lambda game, seat: c.Mix()),
    (0.3, lambda game, seat: c.PlayOut()),
    (1, lambda game, seat: c.Elect(game.chance.choice([*Penalty]), game.chance.randint(0, 4))),
    (0.7, lambda game, seat: c.Consult()),
    (5, _called),
    (1.5, lambda game, seat: c.Waive()),
    (0.5, lambda game, seat: c.BeReady()),
    (0.5, lambda game, seat: c.ClaimHonours(game.chance.choice((None, None, 2, 3, 4)))),
    (0.5, lambda game, seat: c.LeaveTrump()),
    (0.5, lambda game, seat: c.TakeUp()),
    (0.3, lambda game, seat: c.Cut()),
    (0.1, lambda game, seat: c.CallNewCards()),
    (0.3, lambda game, seat: c.TakePack(game.chance.randint(0, 3))),
    (0.6, lambda game, seat: c.Declare(game.chance.choice([*Suit]))),
    (0.2, lambda game, seat: c.LeaveIt()),
    (0.6, lambda game, seat: c.Double()),
    (0.2, lambda game, seat: c.AskToLead()),
    (0.2, lambda game, seat: c.BeSatisfied()),
    (0.2, lambda game, seat: c.Bet(game.chance.randint(0, 3), game.chance.choice([*BetOn]), game.chance.choice(SIDES))),
    (0.2, lambda game, seat: c.TakeBet(game.chance.randint(0, 3))),
    (
        0.3,
        lambda game, seat: c.Mark(game.chance.choice([*c.Sheet]), game.chance.choice(SIDES), game.chance.randint(0, 6)),
    ),
    (0.1, lambda game, seat: c.Lapse()),
    (0.1, lambda game, seat: dealt(game.chance, game.state)),
)
_WEIGHTS: Final = [weight for weight, _ in _WILD]


# --- driving ---


def step(game: Game, *, wildness: float) -> Verdict | Refusal:
    """Do one act: what is waited for, or with that probability anything."""
    waiting = awaits(game.state)
    if not waiting or game.chance.random() < wildness:
        return game.do(*wild_act(game))
    return game.do(*awaited_act(game, game.chance.choice(waiting), lawful=False))


def run(game: Game, *, wildness: float, acts: int) -> None:
    """Do so many acts, or as many as there are until the rubber is over."""
    for _ in range(acts):
        if game.state.phase is Phase.OVER:
            return
        step(game, wildness=wildness)


def finish(game: Game, *, hands: int = 1) -> int:
    """Do only what is waited for, by lawful acts and the clock, until so many hands more are cut; return the acts it took.

    Every such act must be accepted.
    """
    done = 0
    dealt_before = game.state.hands_dealt
    while game.state.phase is not Phase.OVER and game.state.hands_dealt < dealt_before + hands:
        waiting = awaits(game.state)
        assert waiting, "nobody is waited for, and the rubber is not over"
        act = awaited_act(game, waiting[0], lawful=True)
        result = game.do(*act)
        assert isinstance(result, Verdict), f"{act} was waited for and is refused: {result}"
        done += 1
        assert done < 1000 * hands, "no end to what is waited for"
    return done


def throw_in(game: Game) -> None:
    """Have all the hands thrown down, or an offer to do so agreed to, if cards are being played."""
    seat = game.chance.choice(SEATS)
    for each in (seat, LEFT[seat], PARTNER[seat], LEFT[PARTNER[seat]]):
        if game.state.phase is Phase.PLAYING:
            offered = game.state.hand is not None and game.state.hand.offer is not None
            game.do(each, c.Agree() if offered else c.ThrowDown())


# --- all acts there are ---


def space(state: State, seat: Seat) -> Iterator[Command]:
    """Every act that a seat could name, but for cards shown or put down several at a time, and deals."""
    last = len(state.bets) + 2
    for card in PACK:
        yield from (c.Play(card, hand) for hand in (None, *SEATS))
        yield from (c.Change(card), c.Show((card,)), c.NameCard(card))
        yield from (c.Call(demand, other, card=card) for demand in (Demand.CARD, Demand.NOT_CARD) for other in SEATS)
    for other in SEATS:
        yield from (c.ClaimRevoke(other, trick) for trick in (None, *range(15)))
        yield from (c.Call(demand, other) for demand in Demand)
        yield from (c.Call(demand, other, suit=suit) for demand in (Demand.SUIT, Demand.NOT_SUIT) for suit in SUITS)
    yield from (c.Answer(none=True), c.Answer(none=False))
    yield from (c.Elect(penalty, number) for penalty in Penalty for number in range(12))
    yield from (c.ClaimHonours(count) for count in (None, 2, 3, 4))
    yield from (c.TakePack(pack) for pack in range(4))
    yield from (c.Declare(suit) for suit in Suit)
    yield from (c.Bet(counters, on, side) for counters in (0, 1) for on in BetOn for side in SIDES)
    yield from (c.TakeBet(number) for number in range(last))
    yield from (kind() for kind in WITHOUT_WORDS)


WITHOUT_WORDS: Final = (
    c.Ask,
    c.Withdraw,
    c.Object,
    c.Gather,
    c.Quit,
    c.Place,
    c.Review,
    c.ThrowDown,
    c.ClaimGame,
    c.ClaimRest,
    c.Agree,
    c.Decline,
    c.SayMine,
    c.Forget,
    c.Search,
    c.Mix,
    c.PlayOut,
    c.Consult,
    c.Waive,
    c.BeReady,
    c.LeaveTrump,
    c.TakeUp,
    c.Cut,
    c.CallNewCards,
    c.LeaveIt,
    c.Double,
    c.AskToLead,
    c.BeSatisfied,
    c.Lapse,
)


__all__ = ["Act", "Game", "finish", "fresh", "run", "space", "step", "tables", "throw_in"]
