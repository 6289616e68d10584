"""Where two chapters of the law meet: an error made while another is being put right, a choice that loses its object."""

import pytest

from oddtrick_rules.refusals import Why
from support.acting import done, events_of, refusal_of, table
from support.law_table import Row, law_table

TWO_CARDS = law_table("""
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: N
    Deal: N:K2.2.. E:9..65. S:4.54.. W:5...32
    Tricks: NS 5 EW 5

    case                                   | leader | given                       | acts                   | then
    neither is the card called             | N      | E shows D5, N H2, S calls D5 from E | E D6 S9, = refused 65 | hand E S9 D6 D5
    one is the card called                 | N      | E shows D5, N H2, S calls D5 from E | E D6 D5        | may S calls D5 from E, may not S calls D6 from E
    given up, the one called is played     | N      | E shows D5, N H2, S calls D5 from E | E D6 D5, S waives | hand E S9 D6, callable E D6
    another card called while two lie      | N      | E shows D5, N H2, E D6 S9   | S calls D5 from E, = refused | turn N
    a card before them is withdrawn        | N      | N S2, E D5, S H4 S4         | E withdraws, = hand S S4 H5 H4, = may not W calls H4 from S |
                                           |        |                             | N waives, E S9, S S4   | hand S H5 H4, callable S -
    the lead before them is objected to    | N      | E D5, S H4, W C2 C3         | N objects              | hand W S5 C3 C2, callable W -, callable E D5, may N S2
    the lead they were laid over is        | N      | E S9, N SK S2               | S objects              | callable N -, callable E S9, may N H2
    laid over a false lead                 | N      | E S9, N SK S2               | E calls S2 from N      | callable E S9, callable N SK, turn E
    laid to the next trick                 | E      | E S9, S H4, W S5, N SK      | = revoke S 11 made, N S2 H2 | revoke S 11 established, law 73
    called when it is not the suit led     | N      | N SK, E D5 S9               | S calls D5 from E, = refused 64, S calls S9 from E | callable E D5
""")


@pytest.mark.parametrize("row", TWO_CARDS, ids=str)
def test_two_cards_among_other_errors(row: Row) -> None:
    """Two cards down at once always come to one played, whatever else happens before the choice is made."""
    row.check()


TAKEN_BACK = law_table("""
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: N
    Deal: N:K2.2.. E:9..65. S:43.5.. W:5...32
    Tricks: NS 5 EW 5

    case                                 | leader | given                             | acts             | then
    a revoke to a false lead is withdrawn | N     | E S9, S H5, S withdraws           | N objects        | revoke S 11 corrected, turn N, may N S2, callable S -
    its choice had been waived           | N      | E S9, S H5, S withdraws, E waives | N objects        | revoke S 11 corrected, callable S -, callable E S9
    its choice had been made             | N      | E S9, S H5, S withdraws, E calls highest from S | N objects | must S nothing, turn N
    a suit is called instead             | N      | E S9, S H5, S withdraws           | N calls suit D from E | turn N, hand S S4 S3 H5, callable S -, callable E -
    attention was called to it           | N      | E S9, E says mine, N calls win from W | N objects    | must W nothing, may not N calls lose from W
    attention was called, nothing chosen | N      | E S9, E says mine                 | N objects        | may not N calls win from W
    an early lead out of turn            | E      | E S9, S H5, W S5, N SK, W C2      | S withdraws      | hand W C3 C2, callable W -, may not S calls suit D from E, turn S
    an early lead in turn                | E      | E S9, S H5, W S5, N S2, E D5      | S withdraws, E waives, S S3 | hand E D6 D5, turn E, callable E -
""")


@pytest.mark.parametrize("row", TAKEN_BACK, ids=str)
def test_what_rests_on_cards_taken_back_is_over(row: Row) -> None:
    """When a trick is taken back, nobody has to mend a card in it, and nothing can be called for in it any more."""
    row.check()


MENDING = law_table("""
    Code: whist-1900
    Dealer: W
    Trump: C
    Leader: W
    Deal: N:K2.2.. E:9..65. S:43.5.. W:T5...2
    Tricks: NS 5 EW 5

    case                             | code         | leader | given                                                      | acts                | then
    a suit led against a call        | whist-1900 | W      | E S9, N calls suit C from W, W S5, N S2, E D5              | W withdraws         | turn W, hand N SK S2 H2, hand E S9 D6 D5, callable N -
    the call binds him still         | whist-1900 | W      | E S9, N calls suit C from W, W S5, W withdraws, N waives   | W S5                | revoke W 11 made
    he obeys it                      | whist-1900 | W      | E S9, N calls suit C from W, W S5, W withdraws, N waives   | W C2                | revoke W 11 corrected, turn N, callable W S5
    the highest of it is called      | whist-1900 | W      | E S9, N calls suit C from W, W S5, W withdraws             | N calls highest from W, W ST | revoke W 11 made
    told to lose, he won             | whist-1900 | E      | E S9, E says mine, S S3, N calls lose from W, W ST, W withdraws, N waives | W ST | revoke W 11 made
    and puts a card that loses       | whist-1900 | E      | E S9, E says mine, S S3, N calls lose from W, W ST, W withdraws, N waives | W S5 | revoke W 11 corrected
    a card was called for later      | english-1864 | N      | E shows D6, N SK, E D5, S calls D6 from E, E withdraws     | N calls highest from E | must E highest S, callable E D6
""")


@pytest.mark.parametrize("row", MENDING, ids=str)
def test_mending_a_disobedience(row: Row) -> None:
    """Who takes back a card played against a call is bound by that call still, unless another takes its place."""
    row.check()


CHANGED = law_table("""
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: E
    Deal: N:A2.2.. E:9..65. S:43.5.. W:KT...2
    Tricks: NS 5 EW 5

    case                                 | trump | given                                                    | acts                  | then
    the trick is the leader's still      | C | E S9, S H5, W ST, N SA, S withdraws, E waives, S S4, N H2     | W changes SK            | hand N S2, tricks NS 6 EW 5, turn E
    it goes to another before a lead     | C | E S9, S H5, W ST, N SA, S withdraws, E waives, S S4, W changes SK, = turn N | N changes S2 | turn W, tricks NS 5 EW 6
    it goes to another after a lead      | C | E S9, S H5, W ST, N S2, S withdraws, E waives, S S4, W C2     | N changes SA            | hand W SK C2, callable W -, turn N, tricks NS 6 EW 5
    and the lead was out of turn besides | C | E S9, S H5, W ST, N S2, S withdraws, E waives, S S4, E D5     | N changes SA            | hand E D6 D5, may not S calls suit D from E, turn N
    he has led to the next himself       | C | E S9, S H5, W ST, N SA, S withdraws, E waives, S S4, N H2     | N changes S2, = refused | turn E
    he has played to the next himself    | C | E S9, S H5, W ST, N S2, S withdraws, E waives, S S4, W C2, N SA | N changes H2, = refused | turn E
    he has laid two to the next          | C | E S9, S H5, W ST, N S2, S withdraws, E waives, S S4, W C2, N SA H2 | N changes H2, = refused | may E calls SA from N
    established, it is so whatever is put | H | E S9, S H5, W C2, N SA, S withdraws, E waives, S S4, = revoke W 11 made, W ST, N objects, = revoke W 11 established | W changes SK, = revoke W 11 established, W changes ST, = refused | turn N
    a revoke that takes the trick        | C | E S9, S H5, W ST, N SA, S withdraws, E waives, S S4, N H2, E D5 | W changes C2          | revoke W 11 made, turn W, hand N S2 H2
    a revoke, his partner having led on  | H | E S9, S H5, W ST, N SA, S withdraws, E waives, S S4, N S2, E D5 | W changes C2          | revoke W 11 established, law 73, may not W withdraws
    a revoke, an adversary having led on | H | E S9, S H5, W ST, N SA, S withdraws, E waives, S S4, N S2     | W changes C2            | revoke W 11 made, may W withdraws
""")


@pytest.mark.parametrize("row", CHANGED, ids=str)
def test_a_card_changed_when_the_next_trick_is_led(row: Row) -> None:
    """A changed card that gives the trick to another sends the next lead back, and nobody changes what he has played past."""
    row.check()


UNQUITTED = law_table("""
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: E
    Deal: N:53.2.. E:A..65. S:76.5.. W:T9...2
    Tricks: NS 5 EW 5

    case                 | given                           | acts                     | then
    one trick may lie    | E SA, S S6, W S9, N S3          | E D5                     | may E quits, may W quits
    not two              | E SA, S S6, W S9, N S3, E D5, S S7, W C2, N S5 | = may E quits, W ST | law R2, may W quits
    nor one led out of turn | E SA, S S6, W S9, N S3, E D5, S S7, W C2, N S5 | N H2   | law R2, may W quits
    asked about the last | E SA, S S7, W S9, N S3, E D5, S S6, W C2, N S5 | W ST, N asks, S answers some | may not N asks
""")


# Dealer West has left the trump card lying; he leads it to the fourth trick when the second lies unquitted.
TRUMP_CARD_LED = law_table("""
    Code: whist-1900
    Dealer: W
    Trump: C2
    Leader: W
    Deal: N:32.2.2. E:4.43.3. S:5.65.4. W:AKQ...2
    Tricks: NS 4 EW 5

    case                                 | given                                                                             | acts  | then
    it is led as it falls liable to call | W leaves trump, W SA, N S2, E S4, S S5, W quits, W SK, N S3, E H3, S H5, W SQ, N H2, E H4, S H6 | W C2 | callable W -, turn N
    another is led                       | W leaves trump, W SA, N S2, E S4, S S5, W quits, W SK, N S3, E H3, S H5            | W SQ  | callable W -
    and after that the second is quitted | W leaves trump, W SA, N S2, E S4, S S5, W quits, W SK, N S3, E H3, S H5, W SQ     | W quits | callable W C2
""")


@pytest.mark.parametrize("row", UNQUITTED, ids=str)
def test_only_the_last_trick_lies_unquitted(row: Row) -> None:
    """Leading to a trick quits the last but one, or tricks long past could be asked about and changed."""
    row.check()


@pytest.mark.parametrize("row", TRUMP_CARD_LED, ids=str)
def test_the_trump_card_led_while_a_trick_is_quitted_by_it(row: Row) -> None:
    """The trump card left lying is callable from the quitting of the trick the code names, and never once it is played."""
    row.check()


TRUMP_CARD = law_table("""
    Code: english-1864
    Dealer: W
    Trump: C2
    Leader: N
    Deal: N:K2.2.. E:9..65. S:43.5.. W:T5...2
    Tricks: NS 5 EW 5

    case                                | leader | given                                  | acts   | then
    it is taken up with the first card  | N | N SK, E S9, S S3                       | W S5   | callable W -
    it is led out of turn               | N | W leaves trump | W C2, N objects, = callable W C2, = may N calls C2 from W, N SK, E S9, S S3, W S5, N quits, W takes up, = refused | callable W C2
    it is put in place of another card  | N | W leaves trump, N SK, E D5, S S3, W S5, E withdraws, N waives, E S9 | W changes C2, W quits, W takes up, = refused | callable W -, tricks EW 6
    it was thrown down with the hand    | N | W throws down, N SK, E S9, S S3        | W S5   | callable W ST C2, may N calls C2 from W
    it is named once it is played       | N | N SK, E S9, S S3, W S5, N quits, N H2, E D5, S H5, W C2, W quits | N names C2, = refused, W forgets, = refused | turn W
    it is named in the trick            | W | W C2, N S2 | W names C2 | may N calls highest from E, may not N calls trump highest from W
    it was left lying and then taken up | N | W leaves trump, N SK, E S9, S S3, W S5, N quits, = callable W C2 | W takes up | callable W -
""")


@pytest.mark.parametrize("row", TRUMP_CARD, ids=str)
def test_when_the_trump_card_taken_up_can_be_called(row: Row) -> None:
    """The trump card in a hand thrown down lies exposed like the rest of it, though its owner has played."""
    row.check()


# North led SK and said that the trick was his; East called his partner's highest.
UNDER_A_CALL = law_table("""
    Code: whist-1900
    Dealer: W
    Trump: C
    Leader: N
    Deal: N:K2.2.. E:9..65. S:43.5.. W:T5...2
    Tricks: NS 5 EW 5

    case                          | deal                                      | given                                            | acts        | then
    he obeys                      | N:K2.2.. E:9..65. S:43.5.. W:T5...2       | N SK, N says mine, E S9, E calls highest from S  | S S4, W S5  | may N asks
    he does not                   | N:K2.2.. E:9..65. S:A4.5.. W:T5...2       | N SK, N says mine, E S9, E calls highest from S  | S S4, W S5  | may N asks
    he has to win and does        | N:K2.2.. E:9..65. S:A4.5.. W:T5...2       | N SK, N says mine, E S9, E calls win from S      | S SA, W S5  | may not N asks
    he has to win and does not    | N:K2.2.. E:9..65. S:A4.5.. W:T5...2       | N SK, N says mine, E S9, E calls win from S      | S S4, W S5  | may N asks
    he has to win and cannot      | N:K2.2.. E:9..65. S:43.5.. W:T5...2       | N SK, N says mine, E S9, E calls win from S      | S S4, W S5  | may N asks
    another suit led, he has none | N:K2.2.. E:9..65. S:43.5.. W:T5...2       | S S4, W calls suit C from N                      | N H2        | may S asks
    another suit led, he has it   | N:K2...2 E:9..65. S:43.5.. W:T5..4.       | S S4, W calls suit C from N                      | N S2        | may S asks
    the suit called is led        | N:K2...2 E:9..65. S:43.5.. W:T5..4.       | S S4, W calls suit C from N                      | N C2        | may not S asks
""")


@pytest.mark.parametrize("row", UNDER_A_CALL, ids=str)
def test_a_card_under_a_call_is_noted_unless_all_can_see_that_it_obeys(row: Row) -> None:
    """Whether a called player has obeyed may be asked whenever the table cannot see it, so that the asking tells nothing (R4)."""
    row.check()


QUESTIONS = law_table("""
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: N
    Deal: N:A2.2.. E:9..65. S:43.5.. W:KT...2
    Tricks: NS 5 EW 5

    case                             | given                                            | acts                                  | then
    both partners are asked          | N SA, E D5, S H5, W asks, N asks                 | S answers some                        | may E answers some, may not S answers some
    the second may answer first      | N SA, E D5, S H5, W asks, N asks                 | E answers none, = may S answers some, S answers none | may not S answers none
    a shield for each                | N SA, E D5, S H5, W ST, W asks, N asks, S answers none | N quits                         | revoke S 11 established, revoke E 11 made
    the answer comes after quitting  | N SA, E D5, S H5, W ST, W asks, N asks, N quits, S answers some | E answers none         | revoke E 11 established, revoke S 11 made
    one corrects before answering    | N SA, E D5, S H5, W asks, N asks                 | E withdraws, N waives, E S9           | may S answers some, may not E answers some
    the card asked about goes back   | E D5, S H5, N asks                               | N objects, = turn N                   | may not S answers some
    the card asked about is changed  | N SA, E D5, S H5, W ST, N asks, E withdraws, N waives, E S9, S changes S3 | N quits    | may not S answers some, turn N
""")


@pytest.mark.parametrize("row", QUESTIONS, ids=str)
def test_two_questions_at_once(row: Row) -> None:
    """Each side may ask about its own renounce; each question is answered by itself, and ends with the card it is about."""
    row.check()


# West ruffs the first trick with a spade in hand, East throws a heart on the second with a diamond in hand.
PLAYED = "N SA, E S3, S S2, W C2, W quits, W D2, N D3, E HK, S D4, S quits, S S4, W S5, N H2, E D5, W quits"
CLAIMS = law_table(f"""
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: N
    Deal: N:A.2.3. E:3.K.5. S:42..4. W:5..2.2
    Tricks: NS 5 EW 5

    case                              | enforcement | score      | given                                   | acts                         | then
    two charges of one revoke         | club   | NS 0 EW 0  | {PLAYED}, N claims revoke W, S claims revoke W 11 | N searches        | revoke W 11 proved, claim proved, may N elects add 1, may not N elects add 2
    charged again when it is proved   | club   | NS 0 EW 0  | {PLAYED}, N claims revoke W 11, N searches, N elects add 1 | N claims revoke W, N searches | claim proved, may not N elects add 2
    charged before it is announced    | guided | NS 0 EW 0  | N SA, E S3, S S2, W C2, S claims revoke W, W quits, W D2, N D3, E HK, S D4, S quits, S S4, W S5, N H2, E D5, W quits | S searches | claim proved, may S elects add 1, may not S elects add 3
""")


@pytest.mark.parametrize("row", CLAIMS, ids=str)
def test_a_charge_is_judged_by_what_happened(row: Row) -> None:
    """A charge that names a revoke is proved, though it was charged or announced before, and each revoke is paid for once."""
    row.check()


BOTH = law_table("""
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: N
    Deal: N:AKQ... E:32.2.. S:54.3.. W:76.4..
    Tricks: NS 5 EW 5

    case                              | score      | given                                                                                                                          | acts                                  | then
    a game by penalty is undone       | NS 3 EW 4  | N SA, E H2, S H3, W S6, N quits, N SK, E S2, S S4, W H4, N quits, N SQ, E S3, S S5, W S7, N quits, N claims revoke E, N claims revoke W, N searches, N elects add 1 | E claims revoke S, E searches | score NS 4 EW 4, may N elects deduct 2
    and what was elected after counts | NS 3 EW 4  | N SA, E H2, S H3, W S6, N quits, N SK, E S2, S S4, W H4, N quits, N SQ, E S3, S S5, W S7, N quits, N claims revoke E, N claims revoke W, N searches, N elects add 1, N elects deduct 2 | = score NS 5 EW 4, E claims revoke S, E searches | score NS 4 EW 1
""")


@pytest.mark.parametrize("row", BOTH, ids=str)
def test_a_revoke_of_ones_own_proved_late(row: Row) -> None:
    """When the side that won the game by a penalty has revoked too, all penalties are marked as if it had been known before."""
    row.check()


BRIDGE_CLAIMS = law_table("""
    Code: bridge-1904
    Dealer: S
    Declarer: S
    Trump: H
    Leader: E
    Deal: N:4...53 E:3..6.4 S:A...98 W:75..2.
    Tricks: NS 5 EW 5
    Score: NS 20 EW 0

    case                               | given                                                                                       | acts                   | then
    the cap comes after the penalty    | E S3, S C9, W S5, N S4, W quits, W D2, N C3, E C4, S C8, W quits, W S7, N C5, E D6, S SA, S quits, S claims revoke E, S searches, S elects add 1, = score NS 44 EW 0, W claims revoke S | W searches | score NS 28 EW 0, law 90
    what stood is kept                 | E S3, S C9, W S5, N S4, W quits, W D2, N C3, E C4, S C8, W quits, W S7, N C5, E D6, S SA, S quits, S claims revoke E, S searches, S elects tricks 1, W claims revoke S | W searches | score NS 20 EW 0
    dummy says it twice                | E S3, S SA, W D2, N S4, S quits, N claims revoke W 11                                       | N claims revoke W 11, = refused 63 | may N claims revoke W
    dummy is charged and tricks mixed  | E S3, S SA, W S5, N C3, S quits, S C9, W D2, N C5, E C4, S quits, S C8, W S7, N S4, E D6, S quits, E claims revoke N 11 | S mixes, E searches | claim not proved
""")


@pytest.mark.parametrize("row", BRIDGE_CLAIMS, ids=str)
def test_claims_at_bridge(row: Row) -> None:
    """The revoking side stops at twenty-eight whenever its revoke is proved, and dummy pays for none whatever is done."""
    row.check()


@pytest.mark.parametrize("act", ["W throws down", "S throws down"])
def test_no_hand_without_cards_is_thrown_down(act: str) -> None:
    """When all the cards are played there is no hand to throw down, and the last trick is quitted like any other."""
    state = done(
        table("""
            Code: english-1864
            Dealer: W
            Trump: C
            Leader: N
            Deal: N:A... E:3... S:2... W:5...
            Tricks: NS 6 EW 6
        """),
        "N SA, E S3, S S2, W S5",
    )
    assert refusal_of(state, act).why is Why.NO_SUCH_CARD


# West has led out of turn, and a suit is called from his side's next lead.
SUIT_CALLED = law_table("""
    Code: english-1864
    Dealer: W
    Trump: C
    Leader: N
    Deal: N:K2.2.. E:9..65. S:43.5.. W:T5...2
    Tricks: NS 5 EW 5

    case                             | given                                                                     | acts                                          | then
    a card can be called meanwhile   | E shows D5, W ST, N calls suit D from E, N SK                             | S calls D5 from E, = must E card D5, E S9     | must E suit D, must W suit D
    the highest can be called        | W ST, N calls suit D from E, N SK, E D5, E withdraws                      | N calls highest from E, = must E highest S, E S9 | must E suit D
    the call falls due with the lead | W ST, N calls suit D from E, N S2, E S9, S S3, W S5, E quits              | E D6                                          | must E nothing, must W nothing, turn S
    whoever of them leads first      | W ST, N calls suit D from E, N S2, E D5, S S3, W ST, W quits              | W S5                                          | must E nothing, must W nothing, turn N
    it comes before a card called    | E shows S9, W ST, N calls suit D from E, N H2, E D5, S H5, W C2, W quits, S calls ST from W, = refused | W ST | turn N
    both can be obeyed               | E shows D5, W ST, N calls suit D from E, N S2, E S9, S S3, W S5, S calls D5 from E, E quits | E D6, = refused 65, E D5 | must E nothing
""")


@pytest.mark.parametrize("row", SUIT_CALLED, ids=str)
def test_a_suit_called_waits_while_other_calls_are_made(row: Row) -> None:
    """A suit called for the next lead that a side obtains bars no other call in the meantime, and is not lost by one."""
    row.check()


def test_revokes_of_both_sides_cancel_once() -> None:
    """However many revokes come out at once, the table is told once that they cancel (85)."""
    state = done(
        table("""
            Code: whist-1900
            Enforcement: guided
            Dealer: W
            Trump: C
            Leader: N
            Deal: N:AKQ... E:32.2.. S:54.3.. W:76.4..
            Tricks: NS 5 EW 5
        """),
        "N SA, E H2, S H3, W S6, N quits, N SK, E S2, S S4, W H4, N quits, N SQ, E S3, S S5, W S7",
    )
    told = [type(event).__name__ for event in events_of(state, "N quits")]
    assert told == ["TrickQuitted", "HandEnded", "RevokeProved", "RevokeProved", "RevokeProved", "RevokesCancelled"]
