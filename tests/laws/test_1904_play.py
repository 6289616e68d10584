"""Bridge at play: dummy and the dealer (62-69), exposed cards (72-77), calls and turns (79-86), attention and suggestions (101-104, 108)."""

import pytest

from oddtrick_rules.commands import Lapse
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.records import changed
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import Official, Seat
from oddtrick_rules.views import view
from support.acting import done, outcome_of, table
from support.law_table import Row, law_table

# South plays with North as dummy; East and West are their adversaries.
ENDING = """
    Code: bridge-1904
    Dealer: S
    Trump: H
    Declarer: S
    Leader: E
    Deal: N:K6.3.5. E:Q4.9..8 S:72..2.A W:A3..J.4
    Tricks: NS 5 EW 4
"""
DEAL = """
    Code: bridge-1904
    Dealer: S
    Deal: N:86543.A95.T75.75 E:K97.J83.QJ9.T642 S:AT2.KQ764.K3.K98 W:QJ.T2.A8642.AQJ3
"""
READY = "S declares H, W may I lead, E yes"

DUMMY = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                              | then
    the dealer plays dummy's cards              | -   | club   | E S4, S S2, W SA, N S6                                 | tricks NS 5 EW 5, hand N H3 D5 SK
    dummy does not quit, though his side won    | 62  | strict | E S4, S S7, W S3, N SK, N quits                        | refused 62, may S quits
    nor gather                                  | 62  | guided | E S4, S S7, W S3, N SK, N gathers                      | refused 62
    nor have the cards placed                   | 62  | club   | E S4, S S7, N places                                   | refused 62, may S places
    nor throw down                              | 62  | club   | N throws down                                          | refused 62
    nor claim the rest                          | 62  | guided | N claims rest                                          | refused 62
    dummy may ask the dealer                    | 92  | club   | E S4, S CA, N asks                                     | law 92, may S answers some
    to charge an adversary kills the charge     | 63  | club   | E S4, S S7, W C4, N claims revoke W 10                 | law 63, may not S claims revoke W 10, may S claims revoke E 10
    naming no trick it kills all against him    | 63  | club   | E S4, S S7, W C4, N claims revoke W                    | law 63, may not S claims revoke W 10
    to call a card loses it                     | 63  | club   | E shows C8, N calls C8 from E                          | law 63, callable E -
    to call a suit loses the choice             | 63  | club   | W C4, N calls suit D from E                            | law 63, may not S objects, may not S calls suit D from E
    to object loses it                          | 63  | club   | W C4, N objects                                        | law 63, may not S objects, turn N
    to call highest loses it                    | 63  | club   | E S4, S S7, W C4, W withdraws, N calls highest from W  | law 63, may not S calls highest from W, callable W -
    the dealer alone calls                      | 94  | club   | E S4, S S7, W C4, W withdraws, S calls lowest from W   | law 94, must W lowest S
    """
)

LAID = law_table(
    DEAL
    + f"""
    case                                        | law | acts                                                         | then
    a card led, dummy is laid                   | 62  | {READY}, W DA                                                | law 62, turn N
    though it was led out of turn               | 62  | {READY}, E DQ                                                | law 62, law 80
    not before                                  | -   | {READY}                                                      | not law 62, turn W
    """
)

SUGGESTED = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                              | then
    dummy hints at a card                       | 64  | club   | E S4, S S7, W S3, N names SK                           | law 64, may E calls SK from N, may W calls not SK from N
    ordered, it must be played                  | 64  | club   | E S4, S S7, W S3, N names SK, W calls SK from N, N S6  | refused 64, may N SK
    forbidden, it may not                       | 64  | club   | E S4, S S7, W S3, N names SK, E calls not SK from N, N SK | refused 64, may N S6
    but it is if there is no other              | 64  | club   | E C8, S CA, W C4, N names D5, E calls not D5 from N    | law 64, may N S6, may not N D5
    no call makes dummy revoke                  | 64  | club   | E S4, S S7, W S3, N names D5, E calls D5 from N        | law 64, may N SK, may N S6
    when dummy has played it is over            | 64  | club   | E S4, S S7, W S3, N names SK, = law 64, N S6           | may not E calls SK from N
    they may not consult on it                  | 103 | club   | E S4, S S7, W S3, N names SK, E consults               | law 103, may not W calls SK from N
    the dealer has no choice in it              | 64  | club   | E S4, N names SK                                       | law 64, may not S calls SK from N
    once is enough                              | 64  | club   | E S4, N names SK, N names S6                           | refused 64
    another's card he cannot hint at            | -   | club   | E S4, N names SA                                       | refused
    guided dummy is silent                      | 64  | guided | E S4, N names SK                                       | refused 64
    strictly too                                | 64  | strict | E S4, N names SK                                       | refused 64
    """
)

PLAYED = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                              | then
    the dealer names a card of dummy's: played  | 66  | club   | E S4, S S7, W S3, S names SK                           | law 66, tricks NS 6 EW 4
    and one of his own                          | 66  | club   | E S4, S names S7                                       | law 66, turn W, hand S S2 D2 CA
    before his turn it is not                   | -   | club   | S names S7                                             | not law 66, turn E
    played, he does not take it back            | 66  | club   | E S4, S S7, S withdraws                                | refused 66
    nor dummy's                                 | 66  | strict | E S4, S S7, W S3, N SK, S withdraws                    | refused 66
    nor change it                               | 66  | guided | E S4, S S7, S changes S2                               | refused 66
    save to mend a revoke                       | 94  | club   | E S4, S CA, S withdraws                                | law 94, hand S S7 S2 D2 CA
    a card is played when it is sent            | 65  | strict | E S4, S S7, S withdraws                                | refused 65, turn W
    dummy's too                                 | 65  | club   | E S4, S S7, W S3, N SK, S withdraws                    | refused 65
    touched, but not sent, it is not            | -   | club   | E S4                                                   | turn S, may S S7, may S S2
    nor is it changed                           | 65  | club   | E S4, S S7, S changes S2                               | refused 65
    """
)

DUMMY_ERRS = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                              | then
    dummy's renounce is no revoke               | 68  | club   | E S4, S S7, W S3, N D5                                 | not law 89, revoke N 10 none
    quitted, the trick stands                   | 68  | club   | E S4, S S7, W S3, N D5, S quits                        | revoke N 10 none, may not S withdraws, tricks NS 6 EW 4
    before that it is put right                 | 68  | club   | E S4, S S7, W S3, N D5, S withdraws                    | law 68, tricks NS 5 EW 4, turn N, may not W calls highest from N
    at no cost                                  | -   | club   | E S4, S S7, W S3, N D5, S withdraws, N SK              | tricks NS 6 EW 4, callable N -, revoke N 10 corrected
    a charge against dummy is not proved        | 68  | club   | E S4, S S7, W S3, N D5, S quits, W throws down, E throws down, S throws down, W claims revoke N 10, W searches | law 68, claim not proved
    guided it is no different                   | 68  | guided | E S4, S S7, W S3, N D5                                 | not law 89, may S withdraws
    strictly it is not played                   | 68  | strict | E S4, S S7, W S3, N D5                                 | refused 68, may N SK
    a true renounce is not taken back           | 66  | club   | E C8, S CA, W C4, N D5, S withdraws                    | refused 66
    """
)

SHOWN = law_table(
    ENDING
    + """
    case                                        | law    | enforcement | acts                                           | then
    an adversary's card shown may be called     | 72 73  | club   | E shows C8                                          | law 72, law 73, callable E C8, may S calls C8 from E
    by the dealer                               | 72     | club   | E shows C8, N calls C8 from E                       | law 63, callable E -
    until it is played                          | 84     | club   | W shows S3, E S4, S S7, S calls S3 from W, W SA     | refused 84, may W S3
    whichever card                              | 84     | club   | W shows SA, E S4, S S7, S calls SA from W, W S3     | refused 84
    and again                                   | -      | club   | W shows C4, E S4, S S7, S calls C4 from W, W SA, N S6, W quits, W DJ, N D5, E H9, S D2, E quits, E C8, S CA, S calls C4 from W | must W card C4
    two at once: the dealer chooses             | 73     | club   | E S4 C8                                             | law 73, may S calls S4 from E, may S calls C8 from E, may not N calls C8 from W
    the other is exposed                        | 73     | club   | E S4 C8, S calls S4 from E                          | law 73, callable E C8, turn S
    the dealer's own is not                     | 69     | club   | S shows CA                                          | law 69, callable S -
    nor are two of his                          | -      | club   | E S4, S S7 S2                                       | callable S -, turn W, hand S S2 D2 CA
    guided nothing is shown                     | 72     | guided | E shows C8                                          | refused 72
    nor put down with another                   | 73     | guided | E S4 C8                                             | refused 73
    leading winners on: the card is exposed     | 74     | club   | E SQ, E C8                                          | law 74, callable E C8, may S calls win from W
    the partner is told to win                  | 74 79  | club   | E SQ, E C8, S calls win from W, S S2, W S3          | law 79, revoke W 10 made
    he does                                     | 74     | club   | E SQ, E C8, S calls win from W, S S2, W SA          | must W nothing, revoke W 10 none, callable E C8
    the dealer's leading on costs nothing       | 69     | club   | E S4, S S7, W S3, N SK, S quits, N D5, N S6         | law 69, callable N -
    nor does his saying that the trick is his   | -      | club   | E S4, S S7, S says mine                             | may not W calls highest from N, turn W
    guided nobody leads on                      | 74     | guided | E SQ, E C8                                          | refused 74, turn S
    """
)

HANDS_DOWN = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                              | then
    the dealer claims the rest: his hand is laid | 75 | club   | S claims rest                                          | law 75, callable S -, turn E
    dummy's lies there already                  | 75  | club   | S claims rest                                          | law 75, callable N -, turn E
    and nothing in it is called                 | 75  | club   | S claims rest, = law 75, E S4, W calls S2 from S       | refused
    an adversary's claim lays nothing open      | -   | club   | E claims rest                                          | not law 75, callable E -
    guided it is an offer                       | -   | guided | S claims rest, E agrees, W agrees                      | law R22, tricks NS 9 EW 4
    an adversary throws down: his is called     | 76  | club   | E throws down                                          | law 76, callable E H9 SQ S4 C8, may S calls SQ from E
    the dealer calls it card by card            | 76  | club   | W throws down, E S4, S S7, S calls SA from W           | must W card SA, callable W DJ SA S3 C4
    the dealer's is not                         | 69  | club   | S throws down                                          | law 69, callable S -
    his partner plays on                        | 76  | club   | E throws down, S calls S4 from E, E S4, S S2, W SA     | callable E H9 SQ C8, callable W -
    all down: scored as it was claimed          | 77  | club   | S claims rest, S throws down, E throws down, W throws down | law 77, tricks NS 9 EW 4
    or for those who held out                   | 77  | club   | S throws down, E throws down, W throws down            | law 77, law R22, tricks NS 5 EW 8
    and looked at for a revoke alone            | 77  | club   | E S4, S S7, W C4, W throws down, S throws down, E throws down, S claims revoke W, S searches | claim proved, may S elects tricks 1
    throwing down alone settles no revoke       | -   | club   | E S4, S S7, W C4, W throws down                        | revoke W 10 made
    all down, it is settled                     | 77  | club   | E S4, S S7, W C4, W throws down, S throws down, E throws down | law 77, revoke W 10 established
    guided all must agree                       | -   | guided | E throws down, S agrees                                | not law 77, may W agrees, may not N agrees
    """
)

OUT_OF_TURN = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                              | then
    an adversary leads out of turn              | 80  | club   | W C4                                                   | law 80, may S objects, may S calls suit S from E, may not N asks
    the card is called                          | 80  | club   | W C4, S objects                                        | law 80, callable W C4, turn E
    or a suit at their next turn to lead        | 80  | club   | W C4, S calls suit C from E                            | law 80, must E suit C, callable W -
    not obeyed, it is a revoke                  | 79 80 | club | W C4, S calls suit C from E, E S4                      | law 79, revoke E 10 made
    with none of it he leads as he likes        | 85  | club   | W C4, S calls suit D from E, E S4                      | law 85, must E nothing, revoke E 10 none
    and owes no more                            | 85  | club   | W C4, S calls suit D from E, E S4, = law 85, S S2, W SA, N S6 | must W nothing
    his partner owes it no longer either        | 85  | club   | W C4, S calls suit D from E, E SQ                      | law 85, must W nothing
    followed by all it stands                   | 82  | club   | W C4, N D5, E C8, S CA                                 | law 82, tricks NS 6 EW 4, callable W -
    followed by some, they take them back       | 82  | club   | W C4, N D5, E C8, S objects                            | law 82, callable W C4, callable E -, hand E H9 SQ S4 C8
    only an adversary pays                      | 82  | club   | S D2, W DJ, N D5, E H9                                 | law 82, callable S -, tricks NS 5 EW 5
    the dealer leads out of turn                | 81  | club   | S CA                                                   | law 81, may not W objects, may not E calls suit S from S
    and so does he from dummy                   | 81  | club   | N S6                                                   | law 81, may not E objects, callable N -
    the right hand leads all the same           | -   | club   | S CA, E S4                                             | callable S -, turn S
    followed by second hand he cannot mend it   | -   | club   | S CA, W C4, E S4                                       | revoke E 10 made, turn N
    from the wrong hand                         | 81  | club   | E S4, S S7, W S3, N SK, S quits, S CA                  | law 81, may not E objects, may N D5
    he mends it                                 | -   | club   | E S4, S S7, W S3, N SK, S quits, S CA, N D5            | callable S -, hand S S2 D2 CA, turn E
    not when second hand has played             | -   | club   | E S4, S S7, W S3, N SK, S quits, S CA, W C4, N D5      | turn E, hand N H3 S6
    guided it is refused                        | 80  | guided | W C4                                                   | refused 80, turn E
    strictly too                                | 80  | strict | W C4                                                   | refused 80, turn E
    """
)

CALLS = law_table(
    ENDING.replace("Leader: E", "Leader: N")
    + """
    case                                        | law | enforcement | acts                                              | then
    fourth hand before second                   | 86  | club   | N S6, W S3                                             | law 86, may S calls win from E, may S calls lose from E, may not W calls win from E
    told to win he must                         | 86  | club   | N S6, W S3, S calls lose from E, E S4                  | must E nothing, revoke E 10 none
    or he revokes                               | 79 86 | club | N S6, W S3, S calls win from E, E S4                   | law 79, revoke E 10 made
    if he could                                 | -   | club   | N SK, W S3, S calls win from E, E S4                   | not law 79, revoke E 10 none
    third hand had played: it costs nothing     | 86  | club   | N S6, S S2, W S3                                       | law 86, may not S calls win from E
    the dealer's side pays nothing              | -   | club   | N S6, E SQ, W SA                                       | may not E calls win from S, turn S
    guided it is refused                        | 86  | guided | N S6, W S3                                             | refused 86, turn E
    no call makes a player revoke               | 83  | club   | E shows H9, N S6, S calls H9 from E, E S4              | revoke E 10 none, callable E H9
    nor when it is called in vain               | 83  | club   | E shows C8, N S6, S calls C8 from E, E SQ              | revoke E 10 none, callable E C8
    nor a card of trumps                        | 83  | club   | E shows H9, N SK, S calls H9 from E, E S4              | revoke E 10 none, must E nothing
    nor does one to win                         | -   | club   | N S6, W S3, S calls win from E, E SQ                   | must E nothing, revoke E 10 none
    void, he plays what was called              | 84  | club   | E shows C8, N D5, S calls C8 from E, E H9              | refused 84, may E C8
    attention drawn to the trick                | 102 | club   | N S6, E SQ, E says mine                                | law 102, may S calls highest from W, may S calls lose from W, may not E calls win from W
    by naming the card too                      | 102 | club   | N S6, E SQ, E names SQ                                 | law 102, may S calls lowest from W
    lowest called: the ace is a revoke          | 79 102 | club | N S6, E SQ, E says mine, S calls lowest from W, S S2, W SA | law 79, revoke W 10 made
    lost as told, it is none                    | 102 | club   | N S6, E SQ, E says mine, S calls lose from W, S S2, W S3 | must W nothing, revoke W 10 none
    guided it is refused                        | 102 | guided | N S6, E SQ, E says mine                                | refused 102
    dummy suggests it: it is gone               | 103 | club   | N S6, E SQ, E says mine, N consults                    | law 103, may not S calls highest from W
    dummy demands it: it is gone                | 63  | club   | N S6, E SQ, E says mine, N calls highest from W        | law 63, may not S calls highest from W
    a wrong demand is refused, and no more      | -   | club   | N S6, W S3, S calls highest from E                     | refused 86, may S calls win from E
    """
)

TRICKS = law_table(
    ENDING
    + """
    case                                        | law | enforcement | acts                                              | then
    the cards may be placed                     | 101 | club   | E S4, S S7, W places                                   | law 101, may S places
    until they are touched                      | 101 | club   | E S4, S S7, W S3, N SK, S gathers, E places            | refused 101
    not when they are quitted                   | 101 | strict | E S4, S S7, W S3, N SK, S quits, E places              | refused 101
    a trick quitted is seen no more             | 108 | club   | E S4, S S7, W S3, N SK, S quits, E reviews             | refused 108
    by nobody                                   | 108 | strict | E S4, S S7, W S3, N SK, S quits, S reviews             | refused 108
    not even before it is quitted               | 108 | guided | E S4, S S7, W S3, N SK, W reviews                      | refused 108
    a trick has one card of each                | 88  | club   | E S4, S S7, W S3, E C8                                 | law 88, callable E C8, turn N
    guided a second is refused                  | 88  | guided | E S4, S S7, W S3, E C8                                 | refused 88
    strictly too                                | 88  | strict | E S4, S S7, W S3, W C4                                 | refused 88
    """
)


@pytest.mark.law("bridge-1904", "62", "63", "92", "94")
@pytest.mark.parametrize("row", DUMMY, ids=str)
def test_dummy(row: Row) -> None:
    """Dummy does nothing but ask whether the dealer has none; what else he says for his side costs it."""
    row.check()


@pytest.mark.law("bridge-1904", "62", "80")
@pytest.mark.parametrize("row", LAID, ids=str)
def test_dummys_hand_is_laid(row: Row) -> None:
    """As soon as a card is led, in turn or out of it, dummy's hand lies on the table."""
    row.check()


@pytest.mark.law("bridge-1904", "64", "103")
@pytest.mark.parametrize("row", SUGGESTED, ids=str)
def test_dummy_suggests_a_card(row: Row) -> None:
    """Either adversary, without consulting, has the card played or kept."""
    row.check()


@pytest.mark.law("bridge-1904", "65", "66", "94")
@pytest.mark.parametrize("row", PLAYED, ids=str)
def test_what_the_dealer_has_played_or_named(row: Row) -> None:
    """A card played or named stays played, save to mend a revoke."""
    row.check()


@pytest.mark.law("bridge-1904", "66", "68", "R28")
@pytest.mark.parametrize("row", DUMMY_ERRS, ids=str)
def test_dummys_hand_pays_for_no_revoke(row: Row) -> None:
    """A wrong card of dummy's is mended until the trick is quitted, and then it stands; nobody pays."""
    row.check()


@pytest.mark.law("bridge-1904", "69", "72", "73", "74", "79", "84")
@pytest.mark.parametrize("row", SHOWN, ids=str)
def test_exposed_cards(row: Row) -> None:
    """An adversary's card shown, laid with another or led on may be called by the dealer; his own never."""
    row.check()


@pytest.mark.law("bridge-1904", "69", "75", "76", "77", "R22")
@pytest.mark.parametrize("row", HANDS_DOWN, ids=str)
def test_hands_laid_down(row: Row) -> None:
    """The dealer's hand is laid open and safe, an adversary's is called, and all four end the deal."""
    row.check()


@pytest.mark.law("bridge-1904", "79", "80", "81", "82", "85")
@pytest.mark.parametrize("row", OUT_OF_TURN, ids=str)
def test_leads_out_of_turn(row: Row) -> None:
    """An adversary's costs the card or a suit, the dealer's nothing."""
    row.check()


@pytest.mark.law("bridge-1904", "63", "79", "83", "84", "86", "102", "103", "R7")
@pytest.mark.parametrize("row", CALLS, ids=str)
def test_calls(row: Row) -> None:
    """Fourth hand too early and attention drawn give the dealer a call; no call makes anybody revoke."""
    row.check()


@pytest.mark.law("bridge-1904", "88", "101", "108")
@pytest.mark.parametrize("row", TRICKS, ids=str)
def test_tricks(row: Row) -> None:
    """Cards are placed while they lie there, tricks quitted are not seen again, and each has one card of everybody."""
    row.check()


@pytest.mark.law("bridge-1904", "67")
def test_dummy_sees_no_more_than_the_table() -> None:
    """With his hand laid down dummy is shown no card of the others but those played or exposed."""
    state = done(table(DEAL), f"{READY}, W DA")
    seen = view(state, Seat.N).hand
    assert seen is not None
    assert [seen.hands[seat] for seat in (Seat.E, Seat.S, Seat.W)] == [0, 0, 0]
    assert seen.hands[Seat.N] == view(state, Seat.E).hand.hands[Seat.N] != 0  # type: ignore[union-attr]


@pytest.mark.law("bridge-1904", "67", "62")
def test_dummy_cannot_look_at_an_adversarys_hand() -> None:
    """What East holds is the same to dummy whatever it is: two deals that differ there alone look alike to him."""
    other = DEAL.replace("E:K97.J83.QJ9.T642", "E:97.J83.QJ94.T642").replace("W:QJ.T2.A8642.AQJ3", "W:KQJ.T2.A862.AQJ3")
    one = view(done(table(DEAL), f"{READY}, W DA"), Seat.N)
    two = view(done(table(other), f"{READY}, W DA"), Seat.N)
    assert one.hand == two.hand


@pytest.mark.law("bridge-1904", "104", "R32")
@pytest.mark.parametrize(
    ("acts", "play", "choice"),
    [
        ("N S6, W S3", "E SQ", "S calls win from E"),
        ("N S6, E SQ, E says mine, S S2", "W SA", "S calls lowest from W"),
    ],
)
def test_there_is_time_to_decide(acts: str, play: str, choice: str) -> None:
    """Where the table keeps law 104 by the clock, the card a choice would bind waits for it, until time is up."""
    start = changed(table(ENDING.replace("Leader: E", "Leader: N")), reasonable_time=True)
    state = done(start, acts)
    held = outcome_of(state, play)
    assert isinstance(held, Refusal)
    assert held.why is Why.PENDING_CHOICE
    assert "104" in held.cites
    assert isinstance(outcome_of(state, choice), Verdict)
    lapsed = judge(state, Official.CLOCK, Lapse())
    assert isinstance(lapsed, Verdict)
    assert isinstance(outcome_of(lapsed.state, play), Verdict)
    assert isinstance(outcome_of(lapsed.state, choice), Refusal)
