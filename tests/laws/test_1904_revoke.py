"""The revoke at bridge: made (89), established (91), asked about (92), corrected (94, 95), charged, proved and paid for (90, 93, 96-99)."""

import pytest

from support.law_table import Row, law_table

# South plays with North as dummy; North leads, and everybody has a spade.
ENDING = """
    Code: bridge-1904
    Dealer: S
    Trump: H
    Declarer: S
    Leader: N
    Deal: N:K6.3.5. E:Q4.9..8 S:72..2.A W:A3..J.4
    Tricks: NS 5 EW 4
"""

MADE = law_table(
    ENDING
    + """
    case                                        | law    | enforcement | acts                                                  | then
    an adversary who could follow has revoked   | 89     | club   | N S6, E C8                                                 | law 89, revoke E 10 made, may E withdraws
    so has the dealer                           | 89     | club   | N S6, E SQ, S CA                                           | law 89, revoke S 10 made
    guided he is told, and nobody else          | 89     | guided | N S6, E C8                                                 | law 89, may E withdraws
    strictly it is refused                      | 89     | strict | N S6, E C8                                                 | refused 89, turn E
    with none of the suit it is none            | -      | club   | N D5, E C8                                                 | not law 89, revoke E 10 none
    established by quitting                     | 91     | club   | N S6, E C8, S S7, W SA, W quits                            | law 91, revoke E 10 established
    by the adversaries' quitting too            | 91     | club   | N SK, E C8, S S7, W S3, S quits                            | law 91, revoke E 10 established
    by his own playing on                       | 91     | club   | N SK, E C8, S S7, W S3, N D5, E S4                         | law 91, revoke E 10 established
    by his partner's, out of turn               | 91     | club   | N SK, E C8, S S7, W S3, W C4                               | law 91, revoke E 10 established
    not by the dealer's lead                    | -      | club   | N SK, E C8, S S7, W S3, N D5                               | not law 91, revoke E 10 made
    the dealer's is, by dummy's lead            | 91     | club   | N SK, E S4, S CA, W S3, N D5                               | law 91, revoke S 10 established
    throwing down is not mentioned              | -      | club   | N S6, E C8, E throws down                                  | revoke E 10 made
    nor is claiming the game                    | -      | club   | N S6, E C8, E claims game                                  | revoke E 10 made
    """
)

ASKED = law_table(
    ENDING
    + """
    case                                        | law    | enforcement | acts                                                  | then
    the partner asks                            | 92     | club   | N S6, E C8, W asks                                         | law 92, turn E, may E answers none
    dummy asks the dealer                       | 92     | club   | N S6, E SQ, S CA, N asks                                   | law 92, may S answers some
    then quitting does no harm, whoever quits   | 92     | club   | N S6, E C8, W asks, S S7, W SA, W quits                    | not law 91, revoke E 10 made
    nor the other side's                        | 92     | club   | N SK, E C8, W asks, S S7, W S3, S quits                    | not law 91, revoke E 10 made, may E withdraws
    answered some it goes on to shield          | 92     | club   | N SK, E C8, W asks, E answers some, S S7, W S3, S quits    | revoke E 10 made
    answered none, the quitting counts          | 91 92  | club   | N SK, E C8, W asks, E answers none, = law 92, S S7, W S3, S quits | law 91, revoke E 10 established
    the answer alone establishes nothing        | 92     | club   | N SK, E C8, W asks, E answers none                         | law 92, revoke E 10 made, may E withdraws
    that side's playing on ends it              | 91 92  | club   | N SK, E C8, W asks, S S7, W S3, S quits, = revoke E 10 made, N D5, E S4 | law 91, revoke E 10 established
    silence is no answer                        | 92     | club   | N SK, E C8, W asks, E is silent, S S7, W S3, S quits       | revoke E 10 made
    once                                        | 92     | club   | N SK, E C8, W asks, E answers some, W asks                 | refused 92
    not an adversary                            | 92     | club   | N S6, E C8, S asks                                         | refused 92
    """
)

CORRECTED = law_table(
    ENDING
    + """
    case                                        | law    | acts                                                                | then
    an adversary takes it back                  | 94     | N SK, E C8, E withdraws                                             | law 94, revoke E 10 corrected, hand E H9 SQ S4 C8
    the dealer calls highest or lowest          | 94     | N SK, E C8, E withdraws, S calls highest from E                     | law 94, must E highest S, callable E -
    dummy does not                              | 63     | N SK, E C8, E withdraws, N calls highest from E                     | law 63, may not S calls highest from E
    or has the card left to be called           | 94     | N SK, E C8, E withdraws, S waives, E S4                             | law 94, callable E C8
    and calls it                                | 94     | N SK, E C8, E withdraws, S waives, E S4, S S2, W S3, S quits, N D5, S calls C8 from E | must E card C8
    those who played later may change           | 94     | N S6, E C8, S S7, W SA, E withdraws, S waives, E SQ                 | law 94, may S changes S2, may W changes S3
    free of liability                           | 94     | N S6, E C8, S S7, W SA, E withdraws, S waives, E SQ, W changes S3   | law 94, callable W -, hand W DJ SA C4
    until the trick is quitted                  | 94     | N S6, E C8, S S7, W SA, E withdraws, S waives, E SQ, W quits, S changes S2 | refused 94
    dummy's cards too                           | 94     | N S6, E SQ, S S7, W C4, W withdraws, S waives, W SA, W quits, W S3  | turn N, callable W C4
    established, it is too late                 | 94     | N SK, E C8, S S7, W S3, S quits, E withdraws                        | refused 94
    """
)

# Spades are led to the dealer second in hand, or third; as the fourth he never owes anything.
BY_DEALER = law_table(
    ENDING
    + """
    case                                        | law | leader | acts                                                          | then
    both adversaries have played: the eldest    | 95  | E      | E S4, S CA, W S3, S withdraws                                 | law 95, may W calls highest from S, may W calls lowest from S
    of the suit renounced                       | 95  | E      | E S4, S CA, W S3, S withdraws, W calls highest from S         | law 95, must S highest S
    he obeys                                    | 95  | E      | E S4, S CA, W S3, S withdraws, W calls lowest from S, S S2    | revoke S 10 corrected, must S nothing, turn N
    or revokes again                            | 79  | E      | E S4, S CA, W S3, S withdraws, W calls lowest from S, S S7    | law 79, revoke S 10 made
    no card of his is called                    | 95  | E      | E S4, S CA, W S3, S withdraws, W waives, S S7                 | law 94, callable S -
    the third hand has no say                   | 103 | E      | E S4, S CA, W S3, S withdraws, E calls highest from S         | law 103, may not W calls highest from S, may S S2
    one adversary alone has played              | -   | E      | E S4, S CA, S withdraws                                       | not law 95, may not W calls highest from S, turn S
    when both have, dummy's card makes no odds  | 95  | E      | E S4, S CA, W S3, N S6, S withdraws                           | law 95, may W calls lowest from S
    as fourth hand he owes nothing              | -   | W      | W S3, N S6, E S4, S CA, S withdraws                           | not law 95, may not W calls highest from S, turn S
    as third he does if both have played        | 95  | N      | N S6, E S4, S CA, W S3, S withdraws                           | law 95, may W calls lowest from S
    and not if they have not                    | -   | N      | N S6, E S4, S CA, S withdraws                                 | not law 95, turn S
    from dummy nothing is called                | 68  | E      | E S4, S S7, W S3, N D5, S withdraws                           | law 68, not law 95, may not W calls highest from N
    the others change their cards               | 94  | E      | E S4, S CA, W S3, N S6, S withdraws, W waives, S S7           | may W changes SA, may S changes SK
    """
)

OVER = "N SK, E C8, S S7, W S3, S quits, N D5, E S4, S D2, W DJ, W quits, W C4, N S6, E H9, S CA, E quits, E SQ, S S2, W SA, N H3, S quits"
PROVED = f"{OVER}, S claims revoke E, S searches"
BOTH = "N SK, E C8, S CA, W S3, S quits, N D5, E S4, S D2, W DJ, W quits, W C4, N S6, E H9, S S7, E quits, E SQ, S S2, W SA, N H3, S quits"

CHARGED = law_table(
    ENDING
    + f"""
    case                                        | law    | enforcement | acts                                                  | then
    the dealer charges, searches and proves     | 93     | club   | {OVER}, S claims revoke E 10, = law 93, S searches         | law 93, claim proved, revoke E 10 proved
    not before the hand is over                 | 93     | club   | N SK, E C8, S claims revoke E, S searches                  | refused 93
    in a trick where there is none              | 93     | club   | {OVER}, S claims revoke E 11, S searches                   | claim not proved, may S claims revoke E 10
    the same is not charged twice               | 93     | club   | {OVER}, S claims revoke E 11, S searches, S claims revoke E 11 | refused 93
    dummy does not search                       | 62     | club   | {OVER}, S claims revoke E, N searches                      | refused 62, may S searches
    dummy's word kills it                       | 63     | club   | {OVER}, N claims revoke E                                  | law 63, may not S claims revoke E 10
    it bars that trick alone                    | 63     | club   | {OVER}, N claims revoke E 11, = law 63, S claims revoke E 10, S searches | claim proved
    and the claim made already                  | 63     | club   | {OVER}, S claims revoke E, N claims revoke E 10, = law 63, S searches | claim not proved
    guided the umpire announces it              | 89     | guided | {OVER}                                                     | law 89, revoke E 10 proved
    mixing after the charge concedes it         | 96     | club   | {OVER}, S claims revoke E, E mixes                         | law 96, claim proved, may S elects tricks 1
    mixing before makes it hard to prove        | 96 R26 | club   | {OVER}, E mixes, S claims revoke E, S searches             | law R26, claim not proved
    but not if the trick is named               | 96     | club   | {OVER}, E mixes, S claims revoke E 10, S searches          | law 96, claim proved
    the cut ends all claims                     | 97     | club   | {OVER}, S cuts                                             | law 97, revoke E 10 barred
    none is made after it                       | 97     | club   | {OVER}, S cuts, S claims revoke E 10                       | refused 97
    a charge holds it up                        | 97     | club   | {OVER}, S claims revoke E, S cuts                          | refused 97
    there is no asking for the hand to be played | -     | club   | N SK, E C8, S claims revoke E, E plays out                 | refused, turn S
    """
)

PAID = law_table(
    ENDING
    + f"""
    case                                        | law | doubled | score       | tricks    | acts                                                    | then
    three tricks go over                        | 90  | 1       | NS 0 EW 0   | -         | {PROVED}, S elects tricks 1                             | law 90, tricks NS 10 EW 3
    the value of three is taken off             | 90  | 1       | NS 0 EW 28  | -         | {PROVED}, S elects deduct 1                             | law 90, score NS 0 EW 4
    doubled, it is twice that                   | 90  | 2       | NS 0 EW 28  | -         | {PROVED}, S elects deduct 1                             | law 90, score NS 0 EW 0
    down to nothing, and no further             | 90  | 1       | NS 0 EW 8   | -         | {PROVED}, S elects deduct 1                             | law 90, score NS 0 EW 0
    or it is added                              | 90  | 1       | NS 2 EW 0   | -         | {PROVED}, S elects add 1                                | law 90, score NS 26 EW 0
    the dealer alone chooses for his side       | 62  | 1       | NS 0 EW 0   | -         | {PROVED}, N elects add 1                                | refused 62, may S elects add 1
    not the offender                            | 90  | 1       | NS 0 EW 0   | -         | {PROVED}, W elects add 1                                | refused 90
    once                                        | 90  | 1       | NS 0 EW 0   | -         | {PROVED}, S elects add 1, S elects tricks 1             | refused 90
    they may consult on it                      | 90  | 1       | NS 0 EW 0   | -         | {PROVED}, S consults                                    | law 90, may S elects add 1
    added, it may make the game                 | 90  | 1       | NS 8 EW 0   | -         | {PROVED}, S elects add 1, S cuts                        | game NS, games NS 1 EW 0
    the side that revoked stops at 28           | 90  | 1       | NS 0 EW 20  | NS 2 EW 7 | {PROVED}, S elects add 1, = law 90, S cuts              | score NS 24 EW 28, games NS 0 EW 0
    it makes no game                            | 90  | 2       | NS 0 EW 20  | NS 2 EW 7 | {PROVED}, S elects deduct 1, S cuts                     | score NS 0 EW 28, games NS 0 EW 0
    higher than that already, it keeps it       | 90  | 1       | NS 0 EW 29  | NS 2 EW 7 | {PROVED}, S elects add 1, S cuts                        | score NS 24 EW 29
    both pay                                    | 99  | 1       | NS 8 EW 8   | -         | {BOTH}, S claims revoke E, W claims revoke S, S searches | law 99, revoke E 10 proved, revoke S 10 proved
    each at the other's choice                  | 99  | 1       | NS 8 EW 8   | -         | {BOTH}, S claims revoke E, W claims revoke S, S searches, = law 99, S elects tricks 1, E elects deduct 2 | tricks NS 10 EW 3, score NS 0 EW 8
    neither makes the game                      | 99  | 4       | NS 20 EW 20 | -         | {BOTH}, S claims revoke E, W claims revoke S, S searches, = law 99, S elects add 1, E elects add 2, S cuts | score NS 28 EW 28, games NS 0 EW 0
    none proved, nothing is held back           | -   | 1       | NS 0 EW 20  | NS 2 EW 7 | {OVER}, S cuts                                          | game EW
    """
)


@pytest.mark.law("bridge-1904", "89", "91", "R1", "R12")
@pytest.mark.parametrize("row", MADE, ids=str)
def test_made_and_established(row: Row) -> None:
    """To renounce in error is to revoke; quitting or playing on establishes it, throwing down does not."""
    row.check()


@pytest.mark.law("bridge-1904", "91", "92", "R5")
@pytest.mark.parametrize("row", ASKED, ids=str)
def test_the_partners_question(row: Row) -> None:
    """While the question stands no quitting establishes; answered none, the trick's quitting does."""
    row.check()


@pytest.mark.law("bridge-1904", "63", "94", "R6")
@pytest.mark.parametrize("row", CORRECTED, ids=str)
def test_corrected_by_an_adversary(row: Row) -> None:
    """The dealer calls the wrong card later, or highest or lowest now; later cards may be changed."""
    row.check()


@pytest.mark.law("bridge-1904", "68", "79", "94", "95", "103")
@pytest.mark.parametrize("row", BY_DEALER, ids=str)
def test_corrected_by_the_dealer(row: Row) -> None:
    """Only the eldest hand has a call on him, only if both had played, never if he was fourth or it was dummy's card."""
    row.check()


@pytest.mark.law("bridge-1904", "62", "63", "89", "93", "96", "97", "R26")
@pytest.mark.parametrize("row", CHARGED, ids=str)
def test_charged_and_proved(row: Row) -> None:
    """The dealer alone claims for his side, the tricks are searched at the end, and the cut closes all."""
    row.check()


@pytest.mark.law("bridge-1904", "62", "90", "99", "R9", "R10", "R11")
@pytest.mark.parametrize("row", PAID, ids=str)
def test_paid_for(row: Row) -> None:
    """Three tricks or their value; no game to a side that revoked, and no more than twenty-eight."""
    row.check()
