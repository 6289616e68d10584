"""Where the three codes part while cards are played: revokes, calls, exposed cards, the trump card (see `test_differences.py`)."""

import pytest

from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.notation.check import check_record
from support.questions import B04, E00, E64, OVER, PLAIN, REVOKE, SHORT, TURNED, Question, alike, asked

REVOKING = (
    Question(
        "its own side quits under the question",
        SHORT,
        f"{REVOKE}, N asks, N quits",
        {
            E64: "revoke S 12 made, not law 73, may S withdraws",
            E00: "revoke S 12 established, law 77, may not S withdraws",
            B04: "revoke S 12 made, not law 91, may S withdraws",
        },
    ),
    Question(
        "its own side quits after the answer",
        SHORT,
        f"{REVOKE}, N asks, S answers some, N quits",
        {E64: "revoke S 12 made", E00: "revoke S 12 established", B04: "revoke S 12 made"},
    ),
    Question(
        "the adversaries quit under the question",
        PLAIN,
        "N S6, E SQ, S D2, W S3, N asks, W quits",
        alike("revoke S 10 made, not law #", "73", "77", "91"),
    ),
    Question(
        "silence, and its own side quits",
        SHORT,
        f"{REVOKE}, N asks, S is silent, N quits",
        {E64: "revoke S 12 made", E00: "revoke S 12 established", B04: "revoke S 12 made"},
    ),
    Question(
        "answered none, and quitted",
        SHORT,
        f"{REVOKE}, N asks, S answers none, N quits",
        alike("law #, revoke S 12 established", "73", "77", "91"),
    ),
    Question(
        "whether he has obeyed a call",
        PLAIN,
        "N SK, N says mine, W calls highest from S, E S4, S S7, N asks",
        {E64: "refused 74", E00: "law 78, may S answers none", B04: "refused 92"},
    ),
    Question(
        "an adversary asks",
        SHORT,
        f"{REVOKE}, W asks",
        alike("refused #, revoke S 12 made", "74", "78", "92"),
    ),
    Question(
        "the hand thrown down",
        SHORT,
        "N SK, E S4, S D2, N throws down",
        {
            E64: "law 73, revoke S 12 established",
            E00: "law 77, revoke S 12 established",
            B04: "revoke S 12 made, may S withdraws",
        },
    ),
    Question(
        "the game claimed",
        SHORT,
        "N SK, E S4, S D2, S claims game",
        {
            E64: "law 73, law R12, revoke S 12 established",
            E00: "law 77, revoke S 12 established",
            B04: "revoke S 12 made, may S withdraws",
        },
    ),
    Question(
        "an adversary of the dealer corrects himself",
        PLAIN,
        "N SK, E S4, S D2, S withdraws",
        {
            E64: "law 76, may W calls highest from S, may E calls highest from S",
            E00: "law 80, may W calls highest from S, may E calls highest from S",
            B04: "law 94, may W calls highest from S",
        },
    ),
    Question(
        "the dealer corrects himself, one adversary having played",
        PLAIN.replace("Leader: N", "Leader: S"),
        "S S2, W C4, W withdraws",
        {
            E64: "law 76, may N calls lowest from W, may S calls highest from W",
            E00: "law 80, may N calls lowest from W, may S calls highest from W",
            B04: "law 94, may not N calls lowest from W, may W SA",
        },
    ),
    Question(
        "the dealer corrects himself, both having played",
        PLAIN.replace("Leader: N", "Leader: S"),
        "S S2, W C4, N S6, W withdraws, N calls lowest from W",
        alike("law #, must W lowest S", "76", "80", "95"),
    ),
    Question(
        "the dealer's wrong card is left to be called",
        PLAIN.replace("Leader: N", "Leader: S"),
        "S S2, W C4, N S6, W withdraws, N waives",
        {E64: "callable W C4", E00: "callable W C4", B04: "callable W -"},
    ),
    Question(
        "those who played later may change",
        PLAIN,
        "N SK, E S4, S D2, W SA, S withdraws, W waives, S S7",
        alike("may W changes S3, not law #", "77", "81", "96"),
    ),
    Question(
        "the hand is to be played out",
        SHORT,
        f"{REVOKE}, W claims revoke S, S plays out",
        {E64: "law 79", E00: "law 83", B04: "refused"},
    ),
    Question(
        "the cut closes the claim",
        SHORT,
        f"{OVER}, W cuts, W claims revoke S",
        alike("refused #, revoke S 12 barred", "78", "82", "97"),
    ),
    Question(
        "the accused mixes the tricks after a charge",
        SHORT,
        f"{OVER}, W claims revoke S, N mixes",
        alike("law #, claim proved", "77", "81", "96"),
    ),
    Question(
        "the other hand of the dealer's side renounces in error",
        SHORT,
        "N SK, E H9, S S7, W S3",
        {E64: "revoke E 12 made", E00: "revoke E 12 made", B04: "revoke E 12 none"},
    ),
    Question(
        "the dealer's partner charges an adversary",
        SHORT,
        f"{OVER}, E claims revoke S",
        {
            E64: "law 75, may E searches",
            E00: "law 79, may E searches",
            B04: "law 63, may not W claims revoke S",
        },
    ),
)

CALLING = (
    Question(
        "told not to win, he wins",
        PLAIN.replace("Leader: N", "Leader: E"),
        "E S4, N S6, W calls lose from S, S S7",
        {
            E64: "refused R7, revoke S 10 none, turn S",
            E00: "law 76, revoke S 10 made",
            B04: "law 79, revoke S 10 made",
        },
    ),
    Question(
        "attention drawn: told to lose, the partner wins",
        PLAIN.replace("Leader: N", "Leader: E"),
        "E S4, S S7, S says mine, W calls lose from N, W S3, N SK",
        {
            E64: "refused 86, revoke N 10 none, turn N",
            E00: "law 76, revoke N 10 made",
            B04: "law 79, revoke N 10 made",
        },
    ),
    Question(
        "highest called, another played",
        PLAIN,
        "N SK, N says mine, W calls highest from S, E S4, S S2",
        alike("law #, revoke S 10 made", "61", "76", "79"),
    ),
    Question(
        "another card than the exposed one that is called",
        PLAIN,
        "S shows S2, N SK, E S4, W calls S2 from S, S S7",
        alike("refused #, revoke S 10 none", "65", "68", "84"),
    ),
    Question(
        "an exposed card called before its owner's turn",
        PLAIN,
        "S shows S2, W calls S2 from S, N SK, E S4, S S7",
        {E64: "refused 65, turn S", E00: "turn W, callable S S2", B04: "refused 84, turn S"},
    ),
    Question(
        "an exposed card need not wait for a call",
        PLAIN,
        "S shows S2, N SK, E S4, S S2",
        alike("callable S -, turn W, not law #", "65", "68", "79"),
    ),
    Question(
        "a card named by its holder",
        PLAIN,
        "S names CA",
        {E64: "law 56, law R21, callable S CA", E00: "law 58, callable S CA", B04: "not law 73, callable S -"},
    ),
    Question(
        "an adversary of the dealer throws down",
        PLAIN,
        "S throws down",
        alike("law #, callable S S7 S2 D2 CA", "58", "61", "76"),
    ),
    Question(
        "the dealer throws down",
        PLAIN,
        "W throws down",
        {E64: "law 58, callable W SA S3 DJ C4", E00: "law 61, callable W SA S3 DJ C4", B04: "law 69, callable W -"},
    ),
    Question(
        "the dealer claims the rest",
        PLAIN,
        "W claims rest",
        {E64: "law R22, callable W -", E00: "law R22, callable W -", B04: "law 75, callable W -"},
    ),
    Question(
        "an adversary of the dealer leads out of turn",
        PLAIN,
        "S CA",
        {
            E64: "law 62, may W calls suit D from N, may E calls suit D from N",
            E00: "law 64, may W calls suit D from N, may E calls suit D from N",
            B04: "law 80, may W calls suit D from N",
        },
    ),
    Question(
        "the dealer leads out of turn",
        PLAIN,
        "W C4",
        {
            E64: "law 62, may N objects, may S calls suit D from E",
            E00: "law 64, may N objects, may S calls suit D from E",
            B04: "law 81, may not N objects, may not S calls suit D from E",
        },
    ),
    Question(
        "a card led out of turn and then played uncalled",
        PLAIN.replace("Leader: N", "Leader: E"),
        "S D2, E S4, S S7, W SA, N S6, W quits, W DJ, N D5, E H9, S D2, W quits",
        {
            E64: "not law 62, may not W calls suit C from S",
            E00: "not law 64, may W calls suit C from S",
            B04: "not law 80, may not W calls suit C from S",
        },
    ),
    Question(
        "partners lead at the same time",
        PLAIN,
        "N SK, S CA",
        {
            E64: "law 67, revoke S 10 made, may not E calls highest from S",
            E00: "law 65, revoke S 10 none, may W calls highest from S",
            B04: "law 86, revoke S 10 made, may not W calls highest from S",
        },
    ),
    Question(
        "who may exact a penalty",
        PLAIN,
        "S shows CA",
        {
            E64: "law 56, may W calls CA from S, may E calls CA from S",
            E00: "law 58, may W calls CA from S, may E calls CA from S",
            B04: "law 73, may W calls CA from S",
        },
    ),
    Question(
        "the dealer's partner exacts it",
        PLAIN,
        "S shows CA, N S6, E SQ, E calls CA from S",
        {E64: "must S card CA", E00: "must S card CA", B04: "law 63, must S nothing, callable S -"},
    ),
    Question(
        "partners consult on a penalty",
        PLAIN,
        "N SK, N says mine, W consults",
        {
            E64: "law 84, may not W calls highest from S",
            E00: "law 87, may not W calls highest from S",
            B04: "law 103, may not W calls highest from S",
        },
    ),
    Question(
        "a penalty that the offence does not carry",
        PLAIN,
        "N SK, E S4, S D2, S withdraws, W calls win from S",
        {
            E64: "refused 76, may W calls highest from S",
            E00: "law 88, may not W calls highest from S, callable S -",
            B04: "refused 94, may W calls highest from S",
        },
    ),
    Question(
        "the last trick is looked at",
        PLAIN,
        "N SK, E S4, S S7, W S3, N quits, W reviews",
        {E64: "law 91", E00: "refused 94", B04: "refused 108"},
    ),
)

TRUMP_CARD = (
    Question(
        "the trump card left lying when the first trick is quitted",
        TURNED,
        "W leaves trump, N SK, E S4, S S7, W S3, N quits",
        {E64: "law 52, callable W H2", E00: "not law 42, callable W -", B04: ""},
    ),
    Question(
        "and when the second is",
        TURNED,
        "W leaves trump, N SK, E S4, S S7, W S3, N quits, N D5, E H9, S D2, W HQ, W quits",
        {E64: "callable W H2", E00: "law 42, callable W H2", B04: ""},
    ),
    Question(
        "the trump card named: the call is repeated",
        TURNED,
        "N SK, E S4, S S7, W S3, E names H2, N calls trump highest from E, N S6, E SQ, N calls trump highest from E",
        {E64: "law 53, must E trump highest", E00: "refused 43, must E nothing", B04: ""},
    ),
)


@pytest.mark.law("english-1864", "73", "74", "76", "77", "78", "79", "R12")
@pytest.mark.law("whist-1900", "77", "78", "80", "81", "82", "83", "R12", "R23")
@pytest.mark.law("bridge-1904", "63", "68", "91", "92", "94", "95", "96", "97", "R12")
@pytest.mark.parametrize(("question", "code"), asked(*REVOKING))
def test_the_revoke(question: Question, code: str) -> None:
    """What establishes a revoke, shields it and mends it, and who may speak of it, is each code's own."""
    outcome = check_record(question.record(code))
    assert outcome.ok, f"{outcome}\n{question.record(code)}"


@pytest.mark.law("english-1864", "56", "58", "61", "62", "65", "67", "84", "86", "91", "R7", "R21")
@pytest.mark.law("whist-1900", "58", "59", "61", "64", "65", "68", "76", "87", "88", "94")
@pytest.mark.law("bridge-1904", "63", "69", "73", "75", "76", "79", "80", "81", "84", "86", "103", "108")
@pytest.mark.parametrize(("question", "code"), asked(*CALLING))
def test_calls_and_exposed_cards(question: Question, code: str) -> None:
    """What is exposed, what may be called for it and by whom, and what loses the call, is each code's own."""
    outcome = check_record(question.record(code))
    assert outcome.ok, f"{outcome}\n{question.record(code)}"


@pytest.mark.law("english-1864", "52", "53")
@pytest.mark.law("whist-1900", "42", "43")
@pytest.mark.parametrize(("question", "code"), asked(*TRUMP_CARD))
def test_the_trump_card(question: Question, code: str) -> None:
    """It may be called after the first trick or the second, and once named once or again; bridge turns none up."""
    outcome = check_record(question.record(code))
    assert outcome.ok, f"{outcome}\n{question.record(code)}"


def test_no_code_is_left_out_of_a_question() -> None:
    """Each question is put to all three codes; only what turns on a trump card turned up is not put to bridge."""
    for question in (*REVOKING, *CALLING, *TRUMP_CARD):
        assert list(question.then) == list(CODES), question.about
        assert all(question.then.values()) or question in TRUMP_CARD, question.about


def test_a_question_answered_wrongly_is_caught() -> None:
    """The outcome of one code fails under another, so that the rows tell the codes apart."""
    # Where all agree, or what is expected of the other code holds here too, there is nothing to catch.
    told_apart = 0
    for question in (*REVOKING, *CALLING):
        swapped = Question(question.about, question.header, question.acts, {E64: question.then[E00]})
        told_apart += not check_record(swapped.record(E64)).ok
    assert told_apart > 30
