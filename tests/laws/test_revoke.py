"""The revoke while it can be put right: established (73), asked about (74), corrected (76), and kept secret meanwhile (R4)."""

import pytest

from oddtrick_rules.events import Event
from oddtrick_rules.seats import Seat
from oddtrick_rules.state import Enforcement
from oddtrick_rules.views import VIEWERS, Viewer, seen_by
from support.acting import events_of, table
from support.law_table import Row, law_table

# North leads a spade; each of the others has one, so a card of another suit is a revoke. Nobody but North is short of anything.
ENDING = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K6..5. E:94..9. S:7..2.A W:3..J.4
    Tricks: NS 6 EW 4
"""

ESTABLISHED = law_table(
    ENDING
    + """
    case                                        | law    | enforcement | acts                                          | then
    when the trick is quitted                   | 73     | club        | N SK, E D9, S S7, W S3, N quits               | law 73, revoke E 11 established, may not E withdraws
    whichever of the winners quits              | 73     | club        | N SK, E D9, S S7, W S3, S quits               | law 73, revoke E 11 established
    so it is where the umpire guides            | 73     | guided      | N SK, E D9, S S7, W S3, N quits               | law 73, revoke E 11 established, may not E withdraws
    not by the fourth card                      | -      | club        | N SK, E D9, S S7, W S3                        | not law 73, revoke E 11 made, may E withdraws
    not by touching the trick                   | -      | club        | N SK, E D9, S S7, W S3, N gathers             | not law 73, revoke E 11 made, may E withdraws
    when he plays to the next                   | 73     | club        | N SK, E D9, S S7, W S3, N D5, E S4            | law 73, revoke E 11 established
    when he leads to it, though out of turn     | 73     | club        | N SK, E D9, S S7, W S3, E S4                  | law 73, revoke E 11 established
    when his partner plays to it out of turn    | 73     | club        | N SK, E D9, S S7, W S3, N D5, W DJ            | law 73, revoke E 11 established
    when his partner leads to it out of turn    | 73     | club        | N SK, E D9, S S7, W S3, W C4                  | law 73, revoke E 11 established
    not by an adversary's lead                  | -      | club        | N SK, E D9, S S7, W S3, N D5                  | not law 73, revoke E 11 made, may E withdraws
    not by an adversary's playing out of turn   | -      | club        | N SK, E D9, S S7, W S3, N D5, S D2            | not law 73, revoke E 11 made
    each of two for itself                      | 73     | club        | N SK, E D9, S D2, W S3, N D5                  | law 73, revoke S 11 established, revoke E 11 made
    quitting does it for both                   | 73     | club        | N SK, E D9, S D2, W S3, N quits               | revoke S 11 established, revoke E 11 established
    the adversaries' quitting does it too       | 73     | club        | N S6, E S9, S D2, W S3, E quits               | law 73, revoke S 11 established
    no true renounce is ever established        | -      | club        | N D5, E D9, S D2, W DJ, W quits, W C4, N S6, E S4, S CA, S quits | not law 73, revoke N 12 none
    """
)

THROWING_DOWN = law_table(
    ENDING
    + """
    case                                        | law    | enforcement | acts                                          | then
    the offender throws down                    | 73 R12 | club        | N SK, E D9, E throws down                     | law 73, law R12, revoke E 11 established
    his partner throws down                     | 73 R12 | club        | N SK, E D9, W throws down                     | law 73, revoke E 11 established
    he says that the game is his                | 73 R12 | club        | N SK, E D9, E claims game                     | law 73, law R12, revoke E 11 established
    his partner says so                         | 73 R12 | club        | N SK, E D9, S S7, W S3, W claims game         | law R12, revoke E 11 established
    that the rest are his is no act of play     | -      | club        | N SK, E D9, E claims rest                     | not law 73, revoke E 11 made
    nor is showing a card                       | -      | club        | N SK, E D9, E shows S4                        | not law 73, revoke E 11 made, may E withdraws
    an adversary's throwing down is not his     | -      | club        | N SK, E D9, S throws down                     | not law 73, revoke E 11 made
    to offer to throw down is an act of play    | 73 R12 | guided      | N SK, E D9, E throws down                     | law R12, revoke E 11 established, callable E -
    so is to claim the game                     | 73 R12 | guided      | N SK, E D9, W claims game                     | law R12, revoke E 11 established
    """
)

QUESTION = law_table(
    ENDING
    + """
    case                                        | law    | enforcement | acts                                          | then
    the partner may ask                         | 74     | club        | N SK, E D9, W asks                            | law 74, law R5, turn E, may not N asks, may not S asks
    nobody else                                 | 74     | club        | N SK, E D9, N asks                            | refused 74
    not of one who has followed                 | 74     | club        | N SK, E S4, W asks                            | refused 74
    once for each renounce                      | 74     | club        | N SK, E D9, W asks, E answers some, W asks    | refused 74
    each renounce has its question              | 74     | club        | N SK, E D9, S D2, W S3, W asks, E answers some, N asks | law 74, may S answers none
    under it the quitting establishes nothing   | 74     | club        | N SK, E D9, S S7, W S3, W asks, N quits       | not law 73, revoke E 11 made, may E withdraws
    whoever quits                               | 74     | club        | N SK, E S9, S D2, W S3, N asks, N quits       | not law 73, revoke S 11 made, may S withdraws
    guided it is no different                   | 74     | guided      | N SK, E D9, S S7, W S3, W asks, N quits       | not law 73, revoke E 11 made, may E withdraws
    answered some, it goes on to shield         | 74     | club        | N SK, E D9, S S7, W S3, W asks, E answers some, N quits | not law 73, revoke E 11 made, may E withdraws
    answered none, it does not                  | 73 74  | club        | N SK, E D9, W asks, E answers none, = law 74, S S7, W S3, = revoke E 11 made, N quits | law 73, revoke E 11 established
    answered none when all is quitted           | 73 74  | club        | N SK, E D9, S S7, W S3, W asks, N quits, = revoke E 11 made, E answers none | law 73, law 74, revoke E 11 established
    silence is no answer                        | 74     | club        | N SK, E D9, S S7, W S3, W asks, E is silent, N quits | not law 73, revoke E 11 made, may E withdraws
    it is no shield when that side plays on     | 73 74  | club        | N SK, E D9, S S7, W S3, W asks, N D5, E S4    | law 73, revoke E 11 established
    after the quitting it is too late to ask    | 74     | club        | N SK, E D9, S S7, W S3, N quits, W asks       | refused 74
    only he who was asked answers               | 74     | club        | N SK, E D9, W asks, W answers some            | refused 74
    and only when he was                        | 74     | club        | N SK, E D9, E answers some                    | refused 74
    of a true renounce it may be asked as well  | 74     | club        | N D5, E D9, S D2, W DJ, W quits, W C4, N S6, S asks, N answers none, E S4, S CA, S quits | not law 73, revoke N 12 none
    and at a strict table                       | 74     | strict      | N D5, E D9, S D2, W DJ, W quits, W C4, N S6, S asks | law 74, may N answers none, may N answers some
    """
)

# Each has a choice of spades: those who have played after East may want another.
CORRECTING = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K6..5. E:94..9. S:Q7..2. W:A3..J.
    Tricks: NS 6 EW 4
"""

CORRECTED = law_table(
    CORRECTING
    + """
    case                                        | law    | enforcement | acts                                          | then
    he takes his card back                      | 76     | club        | N SK, E D9, E withdraws                       | law 76, law R6, revoke E 11 corrected, hand E D9 S9 S4
    when all have played                        | 76     | club        | N SK, E D9, S S7, W S3, E withdraws           | law 76, tricks NS 6 EW 4, revoke E 11 corrected
    guided he does the same                     | 76     | guided      | N SK, E D9, S S7, E withdraws                 | law 76, may N calls highest from E, may S calls lowest from E
    then he waits for their choice              | 76     | club        | N SK, E D9, E withdraws, E S4                 | refused 76
    and so do the others                        | 76     | club        | N SK, E D9, E withdraws, S S7                 | refused 76
    his partner does not choose                 | 76     | club        | N SK, E D9, E withdraws                       | law 76, may not W calls lowest from E, may not W waives
    highest is called                           | 76     | club        | N SK, E D9, E withdraws, S calls highest from E | law 76, must E highest S, callable E -
    and played                                  | 76     | club        | N SK, E D9, E withdraws, S calls highest from E, E S9 | law 76, revoke E 11 corrected, turn S
    lowest is called                            | 76     | club        | N SK, E D9, E withdraws, N calls lowest from E, E S4 | law 76, revoke E 11 corrected, hand E D9 S9
    one penalty or the other                    | 76     | club        | N SK, E D9, E withdraws, N calls lowest from E | law 76, callable E -, may not N calls D9 from E, may not S calls highest from E
    to win is not among them                    | 76     | club        | N SK, E D9, E withdraws, N calls win from E   | refused 76
    waived, the wrong card may be called        | 76     | club        | N SK, E D9, E withdraws, N waives             | law 76, callable E D9, must E nothing
    then he follows as he likes                 | 76     | club        | N SK, E D9, E withdraws, N waives, E S9       | law 76, revoke E 11 corrected, turn S, callable E D9
    and it is called at a later trick           | 76     | club        | N SK, E D9, E withdraws, N waives, E S4, S S7, W S3, N quits, N D5, S calls D9 from E | must E card D9
    too late when it is established             | 76     | club        | N SK, E D9, S S7, W S3, N quits, E withdraws  | refused 76
    a card that followed suit stays             | 76     | club        | N SK, E S4, E withdraws                       | refused 76
    nobody does it for him                      | 76     | club        | N SK, E D9, W withdraws                       | refused 76
    under the question it is in time            | 76     | club        | N SK, E D9, S S7, W S3, W asks, N quits, E withdraws | law 76, tricks NS 6 EW 4
    and the trick is quitted once more          | 76     | club        | N SK, E D9, S S7, W S3, W asks, N quits, E withdraws, N waives, E S4, N quits | not law 73, revoke E 11 corrected, turn N
    """
)

CHANGED = law_table(
    CORRECTING
    + """
    case                                        | law    | acts                                                         | then
    those who played after him may change       | 76     | N SK, E D9, S S7, W S3, E withdraws, N waives, E S4          | may S changes SQ, may W changes SA
    not he who played before                    | 76     | N SK, E D9, S S7, W S3, E withdraws, N waives, E S4, N changes S6 | refused 76
    nor one who had not played yet              | 76     | N SK, E D9, S S7, E withdraws, N waives, E S4, W S3, W changes SA | refused 76
    not before he has played again              | 76     | N SK, E D9, S S7, W S3, E withdraws, S changes SQ            | refused 76
    the offender's partner too                  | 76     | N SK, E D9, S S7, W S3, E withdraws, N waives, E S4, W changes SA | law 76, tricks NS 6 EW 5, turn W
    without liability                           | 76     | N SK, E D9, S S7, W S3, E withdraws, N waives, E S4, W changes SA | law 76, callable W -, hand W DJ S3
    once                                        | 76     | N SK, E D9, S S7, W S3, E withdraws, N waives, E S4, S changes SQ, = law 76, S changes S7 | refused 76
    until the trick is quitted                  | 76     | N SK, E D9, S S7, W S3, E withdraws, N waives, E S4, N quits, W changes SA | refused 76
    to renounce by changing is to revoke        | 71     | N SK, E D9, S S7, W S3, E withdraws, N waives, E S4, W changes DJ | law 71, revoke W 11 made
    to follow by changing is to have followed   | 76     | N SK, E D9, S D2, W S3, E withdraws, N waives, E S4, = revoke S 11 made, S changes S7 | law 76, revoke S 11 none
    he may leave his card                       | -      | N SK, E D9, S S7, W S3, E withdraws, N waives, E S4, N quits | tricks NS 7 EW 4, hand S D2 SQ
    a card he has not he cannot put             | -      | N SK, E D9, S S7, W S3, E withdraws, N waives, E S4, S changes S9 | refused
    """
)

AGAIN = law_table(
    CORRECTING
    + """
    case                                        | law    | acts                                                         | then
    the lowest called, he plays the highest     | 61     | N SK, E D9, E withdraws, N calls lowest from E, E S9         | law 61, revoke E 11 made, may E withdraws
    he plays the wrong card once more           | 71     | N SK, E D9, E withdraws, N calls lowest from E, E D9         | law 71, revoke E 11 made
    and corrects himself once more              | 76     | N SK, E D9, E withdraws, N calls lowest from E, E S9, E withdraws, N calls lowest from E, E S4 | law 76, revoke E 11 corrected
    or leaves it, and has revoked               | 61 73  | N SK, E D9, E withdraws, N calls lowest from E, E S9, S S7, W S3, N quits | law 73, revoke E 11 established
    """
)


@pytest.mark.law("english-1864", "73", "R1")
@pytest.mark.parametrize("row", ESTABLISHED, ids=str)
def test_quitting_or_playing_on_establishes(row: Row) -> None:
    """A revoke is established when its trick is quitted, or when its own side leads or plays to the next."""
    row.check()


@pytest.mark.law("english-1864", "73", "R12")
@pytest.mark.parametrize("row", THROWING_DOWN, ids=str)
def test_throwing_down_establishes(row: Row) -> None:
    """To throw down one's hand or to claim the game is to play on."""
    row.check()


@pytest.mark.law("english-1864", "73", "74", "R5")
@pytest.mark.parametrize("row", QUESTION, ids=str)
def test_the_partners_question(row: Row) -> None:
    """The partner may ask, and until he is told there is none the quitting of the trick establishes nothing."""
    row.check()


@pytest.mark.law("english-1864", "76", "R6")
@pytest.mark.parametrize("row", CORRECTED, ids=str)
def test_a_revoke_corrected_in_time(row: Row) -> None:
    """A card taken back in time costs highest or lowest, or else it may be called."""
    row.check()


@pytest.mark.law("english-1864", "71", "76", "R6")
@pytest.mark.parametrize("row", CHANGED, ids=str)
def test_changing_after_a_correction(row: Row) -> None:
    """Whoever played after a card since taken back may change his own, free of liability, until the trick is quitted."""
    row.check()


@pytest.mark.law("english-1864", "61", "71", "73", "76", "R25")
@pytest.mark.parametrize("row", AGAIN, ids=str)
def test_revoking_again_in_the_same_trick(row: Row) -> None:
    """Not to play the highest or lowest called after a correction is a new revoke."""
    row.check()


def shown(deal: str, viewer: Viewer, enforcement: Enforcement) -> list[Event]:
    """What a viewer is shown when East has put the nine of diamonds to a spade, and the trick is played out and quitted."""
    start = table(ENDING.replace("E:94..9.", deal) + f"\nEnforcement: {enforcement}")
    events = events_of(start, "N SK, E D9, S S7, W S3, N quits")
    return [seen for event in events if (seen := seen_by(event, viewer, enforcement=enforcement)) is not None]


@pytest.mark.law("english-1864", "71", "73", "R4")
@pytest.mark.parametrize("enforcement", [Enforcement.CLUB, Enforcement.GUIDED])
@pytest.mark.parametrize("viewer", [viewer for viewer in VIEWERS if viewer is not Seat.E], ids=str)
def test_nobody_is_shown_that_it_was_a_revoke(viewer: Viewer, enforcement: Enforcement) -> None:
    """The others see the same of a revoke, made and established, as of a true renounce."""
    revoke, renounce = "E:94..9.", "E:..9.93"
    assert shown(revoke, viewer, enforcement) == shown(renounce, viewer, enforcement)


@pytest.mark.law("english-1864", "71", "R3", "R4")
def test_the_offender_alone_is_told_and_only_where_he_is_guided() -> None:
    """At a guided table the offender hears of his revoke; at a club table not even he does."""
    revoke, renounce = "E:94..9.", "E:..9.93"
    assert shown(revoke, Seat.E, Enforcement.GUIDED) != shown(renounce, Seat.E, Enforcement.GUIDED)
    assert shown(revoke, Seat.E, Enforcement.CLUB) == shown(renounce, Seat.E, Enforcement.CLUB)
