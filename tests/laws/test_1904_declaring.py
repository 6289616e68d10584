"""Bridge before the first card: declaring (47-52, 61), doubling (53-60), cards shown too early (70, 71)."""

import pytest

from oddtrick_rules.commands import Deal, Lapse
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.refusals import Refusal
from oddtrick_rules.seats import Official, Seat
from oddtrick_rules.state import Phase, State
from support.acting import done, table
from support.law_table import Row, law_table

# South deals: West is the eldest hand, North the dealer's partner, East the third hand.
DEAL = """
    Code: bridge-1904
    Dealer: S
    Deal: N:86543.A95.T75.75 E:K97.J83.QJ9.T642 S:AT2.KQ764.K3.K98 W:QJ.T2.A8642.AQJ3
"""

DECLARING = law_table(
    DEAL
    + """
    case                                        | law   | enforcement | acts                                   | then
    the dealer names a suit                     | 47    | club        | S declares H                           | law 47, turn W
    or no trumps                                | 47    | strict      | S declares NT                          | law 47, turn W
    nobody does before him                      | 60    | guided      | W may I lead                           | refused 60, turn S
    or he leaves it to his partner              | 48    | club        | S leaves it                            | law 48, turn N
    strictly he may as well                     | 48    | strict      | S leaves it                            | law 48, turn N, may N declares H
    the partner never leaves it first           | 47    | club        | N leaves it                            | refused 47, turn S
    who must declare                            | 47    | guided      | S leaves it, N declares S              | law 47, turn W
    and then the dealer may not                 | 47    | guided      | S leaves it, S declares H              | refused 47, turn N
    left once, it is not left again             | 50    | guided      | S leaves it, N leaves it               | refused 50, turn N
    nor strictly                                | 50    | strict      | S leaves it, N leaves it               | refused 50
    declared, it is not altered                 | 52    | club        | S declares H, S declares S             | refused 52, turn W
    nor by the partner                          | 52    | club        | S declares H, N declares NT            | refused 52
    nor when the doubling is over               | 61    | club        | S declares H, W may I lead, E yes, S declares C | refused 61, turn W
    nor by leaving it then                      | 61    | guided      | S declares H, W may I lead, E yes, S leaves it | refused 61
    nor in the play                             | 52 61 | strict      | S declares H, W may I lead, E yes, W DA, N declares C | refused 61
    """
)

UNASKED = law_table(
    DEAL
    + """
    case                                        | law | enforcement | acts                                     | then
    the partner declares unasked                | 49  | club        | N declares D                             | law 49, may W objects, turn W
    the eldest hand has a new deal              | 49  | club        | N declares D, W objects                  | law 49, may not W doubles, may not S declares H
    or lets it stand                            | 49  | club        | N declares D, W waives                   | law 49, turn W, may not W objects
    silence lets it stand                       | 49  | club        | N declares D, W may I lead               | law 49, may not W objects, turn E
    doubling does                               | 49  | club        | N declares D, W doubles                  | law 49, turn N, may not W objects
    it is not the third hand's to choose        | 103 | club        | N declares D, E objects                  | law 103, may not W objects, turn W
    nor the dealer's                            | -   | club        | N declares D, S objects                  | refused, may W objects
    he made the trump                           | 49  | club        | N declares D, W doubles, N redoubles     | turn W
    guided it is refused                        | 49  | guided      | N declares D                             | refused 49, turn S
    strictly too                                | 49  | strict      | N declares D                             | refused 49, turn S
    the partner hands it back                   | 50  | club        | S leaves it, N leaves it                 | law 50, turn W, may not N declares S, may not S declares S
    the eldest hand has a new deal for it       | 50  | club        | S leaves it, N leaves it, W objects      | law 50, may not N declares S
    or makes the partner declare                | 50  | club        | S leaves it, N leaves it, W waives       | law 50, turn N, may not S declares H
    and he does                                 | 50  | club        | S leaves it, N leaves it, W waives, N declares S | law 47, turn W
    an adversary declares                       | 51  | club        | E declares C                             | law 51, turn S, may not S declares H
    the dealer ignores it                       | 51  | club        | E declares C, S waives                   | law 51, turn S, may S declares H
    or has a new deal                           | 51  | club        | W declares C, S objects                  | law 51, may not S declares H
    not the dealer's partner for him            | 103 | club        | W declares C, N objects                  | law 103, turn S, may S declares H
    guided no adversary declares                | 51  | guided      | E declares C                             | refused 51, turn S
    nor strictly                                | 51  | strict      | W declares NT                            | refused 51, turn S
    """
)

DOUBLING = law_table(
    DEAL
    + """
    case                                        | law | acts                                                         | then
    the eldest hand doubles                     | 54  | S declares H, W doubles                                      | law 53, law 54, turn S
    a trick is then worth twice as much         | 53 54 | S declares H, W doubles                                    | law 53, may S redoubles, may S satisfied
    twice as much again when redoubled          | 53    | S declares S, W doubles, S redoubles, W doubles            | turn S, may S redoubles
    by the partner no less                      | 53  | S declares H, W may I lead, E doubles                        | law 53, turn S
    or asks his partner's leave                 | 60  | S declares H, W may I lead                                   | law 60, turn E
    who gives it                                | 60  | S declares H, W may I lead, E yes                            | law 60, turn W, may W DA
    or doubles                                  | 54  | S declares H, W may I lead, E doubles                        | law 54, turn S
    the dealer does not double first            | 54  | S declares H, S doubles                                      | refused 54, turn W
    the maker of the trump redoubles            | 55  | S declares H, W doubles, S redoubles                         | law 55, turn W
    the maker, even if he is dummy              | 55  | S leaves it, N declares H, W doubles, N redoubles            | law 55, turn W
    satisfied, his partner may                  | 55  | S declares H, W doubles, S satisfied, N redoubles            | law 55, turn W
    the doubler doubles again                   | 56  | S declares H, W doubles, S redoubles, W doubles              | law 56, turn S
    satisfied, his partner may double again     | 56  | S declares H, W doubles, S redoubles, W satisfied, E doubles | law 56, turn S
    and so to and fro                           | 56  | S declares S, W doubles, S redoubles, W doubles, S redoubles | law 56, turn W, may W doubles
    till all are satisfied                      | -   | S declares H, W doubles, S redoubles, W satisfied, E doubles, S satisfied, N satisfied | turn W, may W DA
    he who redoubled last has the word          | -   | S declares S, W doubles, S satisfied, N redoubles, W doubles | turn N
    on both sides                               | -   | S declares S, W doubles, S redoubles, W satisfied, E doubles, S redoubles | turn E
    all satisfied, play begins                  | 60  | S declares H, W doubles, S satisfied, N satisfied            | law 60, turn W, may not N redoubles
    at a hundred it ends                        | 58  | S declares H, W doubles, S redoubles, W doubles, S redoubles | law 58, law R27, turn W, may not S redoubles
    no trumps get there sooner                  | 58  | S declares NT, W doubles, S redoubles, W doubles, S redoubles | law 58, turn W
    nobody leads before it is over              | 60  | S declares H, W may I lead, W may I lead                     | refused 60
    """
)

OUT_OF_TURN = law_table(
    DEAL
    + """
    case                                        | law | enforcement | acts                                       | then
    the third hand doubles before he is asked   | 57  | club        | S declares H, E doubles                    | law 57, turn S, may not W doubles
    the maker lets it stand                     | 57  | club        | S declares H, E doubles, S waives          | law 57, turn S, may S redoubles
    or not: there is no more doubling           | 57  | club        | S declares H, E doubles, S objects         | law 57, turn W, may not W doubles, may W DA
    the maker, if the partner declared          | 57  | club        | S leaves it, N declares D, E doubles       | law 57, turn N, may not S waives
    guided he waits till he is asked            | 57  | guided      | S declares H, E doubles                    | refused 57, turn W
    strictly too                                | 57  | strict      | S declares H, E doubles                    | refused 57, turn W
    redoubled out of turn                       | 58  | club        | S declares H, W doubles, N redoubles       | law 58, turn W, may not S redoubles
    the last doubler lets it stand              | 58  | club        | S declares H, W doubles, N redoubles, W waives | law 58, turn W, may W doubles
    or not: that is the end of it               | 58  | club        | S declares H, W doubles, N redoubles, W objects | law 58, turn W, may W DA, may not S redoubles
    his partner has no say in it                | 103 | club        | S declares H, W doubles, N redoubles, E objects | law 103, turn W
    guided it is refused                        | 58  | guided      | S declares H, W doubles, N redoubles       | refused 58, turn S
    one's own side's double is not redoubled    | 54  | club        | S declares H, W doubles, E doubles         | refused 54, turn S
    adversaries consult: the maker may          | 58  | club        | S declares H, W consults                   | law 58, turn S, may S objects
    have a new deal                             | 58  | club        | S declares H, E consults, S objects        | law 58, may not W doubles
    or go on                                    | 58  | club        | S declares H, E consults, S waives         | law 58, turn W
    the dealer's side: the eldest hand may      | 58  | club        | S declares H, W doubles, N consults        | law 58, may W objects, may not S objects
    guided nobody consults                      | 58  | guided      | S declares H, W consults                   | refused 58
    the eldest hand leads too early             | 59  | club        | S declares H, W DA                         | law 59, turn W
    his card is played when all is said         | 59  | club        | S declares H, W DA, W may I lead, E yes    | law 59, turn N
    the dealer's side may still redouble        | 59  | club        | S declares H, W doubles, W DA, = law 59, S redoubles | law 55, turn W
    his partner only with the last doubler's leave | 59 | club       | S declares H, W doubles, W DA, S redoubles, W satisfied, E doubles | law 59, turn S
    given, it counts                            | 59  | club        | S declares H, W doubles, W DA, S redoubles, W satisfied, E doubles, = law 59, S waives | turn S
    refused, play begins                        | 59  | club        | S declares H, W doubles, W DA, S redoubles, W satisfied, E doubles, S objects | law 59, turn N
    one card is led                             | 59  | club        | S declares H, W DA, W SQ                   | refused 59
    guided nobody leads yet                     | 59  | guided      | S declares H, W DA                         | refused 59, turn W
    strictly too                                | 59  | strict      | S declares H, W DA                         | refused 59, turn W
    """
)

SHOWN = law_table(
    DEAL
    + """
    case                                        | law | enforcement | acts                                       | then
    the dealer's side shows a card              | 70  | club        | N shows HA                                 | law 70, may W objects, turn S, callable N -
    the eldest hand has a new deal              | 70  | club        | S shows HK, W objects                      | law 70, may not S declares H
    till the trump is named                     | 70  | club        | S shows HK, = law 70, S declares H         | law 70, may not W objects
    it is not the third hand's choice           | 103 | club        | S shows HK, E objects                      | law 103, may not W objects
    guided no card is shown                     | 70  | guided      | S shows HK                                 | refused 70, turn S
    strictly too                                | 70  | strict      | N shows HA                                 | refused 70, turn S
    after the declaration the partner is barred | 71  | club        | S declares H, N shows HA, W doubles, S redoubles | refused 71, may S satisfied
    an adversary's card can be called           | 71 72 | club      | S declares H, W shows DA                   | law 71, law 72, callable W DA
    and his partner does not double             | 71  | club        | S declares H, W shows DA, W may I lead, E doubles | refused 71, may E yes
    third hand's: the eldest does not           | 71  | club        | S declares H, E shows DQ, W doubles        | refused 71, may W may I lead
    and the suit may be forbidden him           | 71  | club        | S declares H, E shows DQ, W may I lead, E yes, S calls not suit D from W | law 71, callable E -
    he leads another                            | 71  | club        | S declares H, E shows DQ, W may I lead, E yes, S calls not suit D from W, W DA | refused 71, may W SQ
    led, he is free of it                       | 71  | club        | S declares H, E shows DQ, W may I lead, E yes, S calls not suit D from W, W SQ | law 71, must W nothing
    the card is called instead                  | 71  | club        | S declares H, E shows DQ, W may I lead, E yes, S calls DQ from E | law 71, may not S calls not suit D from W
    another suit is not to be had for it        | 71  | club        | S declares H, E shows DQ, W may I lead, E yes, S calls not suit S from W | refused 71
    before the declaration it is the same       | 71  | club        | W shows DA, S declares H, W may I lead, E doubles | refused 71
    guided no card is shown then                | 71  | guided      | S declares H, E shows DQ                   | refused 71
    strictly neither                            | 71  | strict      | S declares H, N shows HA                   | refused 71
    """
)


@pytest.mark.law("bridge-1904", "47", "48", "50", "52", "61")
@pytest.mark.parametrize("row", DECLARING, ids=str)
def test_declaring(row: Row) -> None:
    """The dealer declares or leaves it to his partner, who must; and what is declared stands."""
    row.check()


@pytest.mark.law("bridge-1904", "49", "50", "51", "103")
@pytest.mark.parametrize("row", UNASKED, ids=str)
def test_declaring_out_of_turn(row: Row) -> None:
    """The eldest hand, or of an adversary's word the dealer, has a new deal or lets it be."""
    row.check()


@pytest.mark.law("bridge-1904", "53", "54", "55", "56", "58", "60", "R27")
@pytest.mark.parametrize("row", DOUBLING, ids=str)
def test_doubling(row: Row) -> None:
    """Doubling goes to and fro until all are satisfied, or a trick is worth a hundred."""
    row.check()


@pytest.mark.law("bridge-1904", "54", "57", "58", "59", "103")
@pytest.mark.parametrize("row", OUT_OF_TURN, ids=str)
def test_doubling_out_of_turn(row: Row) -> None:
    """A double before its time stands if the one entitled lets it; if not, nobody doubles any more."""
    row.check()


@pytest.mark.law("bridge-1904", "70", "71", "72", "103")
@pytest.mark.parametrize("row", SHOWN, ids=str)
def test_cards_shown_before_the_lead(row: Row) -> None:
    """Before the declaration it costs a new deal, before the lead the partner's right to double, or a suit."""
    row.check()


def lapsed(state: State) -> Verdict | Refusal:
    return judge(state, Official.CLOCK, Lapse())


@pytest.mark.law("bridge-1904", "50", "57", "104", "R32")
@pytest.mark.parametrize(
    ("acts", "turn"),
    [("S leaves it, N leaves it", Seat.N), ("E declares C", Seat.S), ("S declares H, E doubles", Seat.S)],
)
def test_silence_lets_a_word_out_of_turn_be(acts: str, turn: Seat) -> None:
    """When the time to choose has run out the word stands, or is passed over, as if it were waived."""
    verdict = lapsed(done(table(DEAL), acts))
    assert isinstance(verdict, Verdict)
    hand = verdict.state.hand
    assert hand is not None
    assert not hand.rights
    assert turn in (hand.declaring, hand.voice)


@pytest.mark.law("bridge-1904", "49", "50", "51", "58", "70")
@pytest.mark.parametrize(
    "acts",
    [
        "N declares D, W objects",
        "S leaves it, N leaves it, W objects",
        "E declares C, S objects",
        "S declares H, W consults, S objects",
        "N shows HA, W objects",
    ],
)
def test_a_new_deal_is_dealt_by_the_same_player(acts: str) -> None:
    """The hand counts for nothing, and the same dealer deals again."""
    start = table(DEAL)
    void = done(start, acts)
    assert (void.phase, void.dealer, void.score) == (Phase.TO_DEAL, Seat.S, (0, 0))
    assert start.hand is not None
    n, e, s, w = (tuple(card for card in range(52) if mask >> card & 1) for mask in start.hand.hands)
    dealt = judge(void, Official.HOUSE, Deal((n, e, s, w)))  # type: ignore[arg-type]
    assert isinstance(dealt, Verdict)
    assert dealt.state.hand is not None
    assert (dealt.state.hand.number, dealt.state.hand.declaring, dealt.state.hand.rights) == (2, Seat.S, ())
