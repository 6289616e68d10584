"""Coming to a table and leaving it (21-25 · 12-16 · 22-26), and what is done to the pack before a deal (29, 30 · 21, 22 · 30, 31, 38)."""

import pytest

from oddtrick_rules.cards import PACK, card_named, cards_in, mask_of
from oddtrick_rules.code import Code, Rule
from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.commands import Deal
from oddtrick_rules.decide import Verdict, judge
from oddtrick_rules.forming import (
    Candidate,
    Consent,
    CutAgain,
    Entered,
    Partners,
    by_right,
    cites_of,
    cites_of_leaving,
    cut_for_partners,
    declare_in,
    substitute,
)
from oddtrick_rules.refusals import Refusal, Why
from oddtrick_rules.seats import SEATS, Official, Seat
from oddtrick_rules.shuffle import NO_ENTROPY, deal_hands, deal_order
from oddtrick_rules.start import rubber
from oddtrick_rules.state import Enforcement, Phase

E64, E00, B04 = CODES.values()
EACH_CODE = pytest.mark.parametrize("code", [E64, E00, B04], ids=list(CODES))
WITHOUT_LATER = pytest.mark.parametrize("code", [E64, B04], ids=["english-1864", "bridge-1904"])


def consent(asked: Consent[str] | Refusal) -> Consent[str]:
    assert isinstance(asked, Consent), asked
    return asked


def refusal(answer: object) -> Refusal:
    assert isinstance(answer, Refusal), answer
    return answer


# --- cutting ---


@pytest.mark.law("english-1864", "13", "14", "16", "18", "19")
@pytest.mark.law("whist-1900", "4", "5", "7", "8", "9", "10")
@pytest.mark.law("bridge-1904", "14", "15", "17", "19", "20")
@EACH_CODE
def test_an_outcome_of_cutting_says_what_it_rests_on(code: Code) -> None:
    """Partners cite the law that makes them, equals the law by which they cut again, and both how one cuts."""
    alike = cut_for_partners(
        [{name: card_named(card) for name, card in zip("abcd", ["S3", "H3", "DK", "CA"], strict=True)}]
    )
    parted = cut_for_partners(
        [{name: card_named(card) for name, card in zip("abcd", ["S3", "H6", "DK", "CA"], strict=True)}]
    )
    assert isinstance(alike, CutAgain)
    assert isinstance(parted, Partners)
    assert cites_of(code, alike) == (*code.cites(Rule.CUTTING), *code.cites(Rule.EQUAL_CUTS))
    assert cites_of(code, parted) == (*code.cites(Rule.CUTTING), *code.cites(Rule.FORMATION))
    assert {"english-1864": "20", "whist-1900": "11", "bridge-1904": "21"}[code.id] in cites_of_leaving(code)


# --- coming in ---


@pytest.mark.law("english-1864", "21")
@pytest.mark.law("whist-1900", "12")
@pytest.mark.law("bridge-1904", "22")
@EACH_CODE
def test_a_newcomer_declares_before_anybody_has_cut(code: Code) -> None:
    """Who declares in time cuts for the next rubber, behind those who have declared before him."""
    first = declare_in(code, "e", table="abcd", waiting="", cutting=False)
    assert isinstance(first, Entered)
    then = declare_in(code, "f", table="abcd", waiting=first.waiting, cutting=False)
    assert isinstance(then, Entered)
    assert (then.waiting, then.now) == (("e", "f"), True)
    assert set(code.cites(Rule.ENTRY)) <= set(then.cites)


@pytest.mark.law("english-1864", "21")
@pytest.mark.law("bridge-1904", "22")
@WITHOUT_LATER
def test_a_newcomer_who_waits_for_the_cut_is_too_late(code: Code) -> None:
    """When somebody has cut, nobody declares in for that rubber."""
    late = refusal(declare_in(code, "e", table="abcd", waiting="", cutting=True))
    assert late == Refusal(Why.TOO_LATE, code.cites(Rule.ENTRY))


@pytest.mark.law("whist-1900", "12", "12a")
def test_at_a_table_with_room_one_may_declare_in_at_any_time() -> None:
    """By the code of 1900 he who declares in late goes before all who come later, though not into this rubber."""
    late = declare_in(E00, "e", table="abcd", waiting="", cutting=True)
    assert isinstance(late, Entered)
    assert (late.waiting, late.now, late.cites) == (("e",), False, ("12", "12a"))
    later = declare_in(E00, "f", table="abcd", waiting=late.waiting, cutting=False)
    assert isinstance(later, Entered)
    assert later.waiting == ("e", "f")


@pytest.mark.law("english-1864", "17")
@pytest.mark.law("whist-1900", "7", "12a")
@pytest.mark.law("bridge-1904", "18")
@EACH_CODE
def test_nobody_enters_a_table_of_six(code: Code) -> None:
    """Six complete a table, those who wait included; and nobody enters the same table twice."""
    full = refusal(declare_in(code, "g", table="abcd", waiting="ef", cutting=False))
    assert full == Refusal(Why.NO_RIGHT, code.cites(Rule.TABLE_OF_SIX))
    assert refusal(declare_in(code, "a", table="abcd", waiting="", cutting=False)).why is Why.ALREADY_DONE
    assert refusal(declare_in(code, "e", table="abcd", waiting="e", cutting=False)).why is Why.ALREADY_DONE


# --- rights to a place ---


@pytest.mark.law("english-1864", "22", "24", "25")
@pytest.mark.law("whist-1900", "13", "15", "16")
@pytest.mark.law("bridge-1904", "23", "25", "26")
@EACH_CODE
def test_places_go_by_right(code: Code) -> None:
    """Those without a table come first, as they came in; then those who have one, joined a second, or broke one up."""
    came_in = [
        Candidate("broke up", broke_up=True),
        Candidate("second", elsewhere=True, joined_second=True),
        Candidate("has one", elsewhere=True),
        Candidate("first"),
        Candidate("next"),
    ]
    assert by_right(code, came_in) == ("first", "next", "has one", "second", "broke up")


@pytest.mark.parametrize(
    ("code", "law", "passed"),
    [
        *((E64, law, passed) for law, passed in (("22", "has one"), ("24", "second"), ("25", "broke up"))),
        *((E00, law, passed) for law, passed in (("13", "has one"), ("15", "second"), ("16", "broke up"))),
        *((B04, law, passed) for law, passed in (("23", "has one"), ("25", "second"), ("26", "broke up"))),
    ],
)
@pytest.mark.law("english-1864", "22", "24", "25")
@pytest.mark.law("whist-1900", "13", "15", "16")
@pytest.mark.law("bridge-1904", "23", "25", "26")
def test_without_its_law_a_place_goes_to_him_who_came_first(code: Code, law: str, passed: str) -> None:
    """Each of the three reasons to be passed over rests on a law of its own."""
    one = {
        "has one": Candidate("has one", elsewhere=True),
        "second": Candidate("second", joined_second=True),
        "broke up": Candidate("broke up", broke_up=True),
    }[passed]
    assert by_right(code, [one, Candidate("first")]) == ("first", passed)
    assert by_right(code.without(law), [one, Candidate("first")]) == (passed, "first")


@pytest.mark.law("english-1864", "23", "R20")
@pytest.mark.law("whist-1900", "14", "R20")
@pytest.mark.law("bridge-1904", "24", "R20")
@EACH_CODE
def test_a_substitute_sits_with_the_leave_of_three(code: Code) -> None:
    """He who leaves names another, and each of his three companions has to agree; he himself is not asked."""
    asked = consent(substitute(code, playing="abcd", leaver="b", newcomer="e"))
    assert asked.asked == ("a", "c", "d")
    assert refusal(asked.agreed("b")) == Refusal(Why.NOT_YOURS, code.cites(Rule.SUBSTITUTE))
    two = consent(consent(asked.agreed("a")).agreed("d"))
    assert not two.complete
    assert refusal(two.agreed("d")).why is Why.ALREADY_DONE
    assert consent(two.agreed("c")).complete


@pytest.mark.law("english-1864", "23")
@pytest.mark.law("whist-1900", "14")
@pytest.mark.law("bridge-1904", "24")
@EACH_CODE
def test_a_substitute_comes_from_outside(code: Code) -> None:
    """Nobody sits twice, and only a player can name who plays for him."""
    assert refusal(substitute(code, playing="abcd", leaver="b", newcomer="c")).why is Why.NOT_YOURS
    assert refusal(substitute(code, playing="abcd", leaver="e", newcomer="f")).cites == code.cites(Rule.SUBSTITUTE)


# --- the pack ---

SECRET = bytes(range(32))
CHANCE = [bytes([seat + 1]) * 16 for seat in SEATS]


@pytest.mark.law("english-1864", "29")
@pytest.mark.law("whist-1900", "21")
@pytest.mark.law("bridge-1904", "30")
@pytest.mark.parametrize("seat", SEATS)
def test_each_player_shuffles(seat: Seat) -> None:
    """What any one of the four puts into the deal changes the order of the pack."""
    order = deal_order(SECRET, CHANCE, hand_id="h", dealer=0)
    other = [NO_ENTROPY if one is seat else chance for one, chance in zip(SEATS, CHANCE, strict=True)]
    assert deal_order(SECRET, other, hand_id="h", dealer=0) != order


@pytest.mark.law("english-1864", "30")
@pytest.mark.law("whist-1900", "22")
@pytest.mark.law("bridge-1904", "31")
@pytest.mark.parametrize("dealer", SEATS)
def test_the_whole_pack_is_gathered(dealer: Seat) -> None:
    """For every deal the house gathers all the cards, once each, whoever has shuffled or has not."""
    for chance in (CHANCE, [NO_ENTROPY] * 4):
        assert sorted(deal_order(SECRET, chance, hand_id="h", dealer=dealer)) == list(PACK)


@pytest.mark.law("bridge-1904", "38")
def test_all_the_cards_are_dealt_and_no_deal_is_lost() -> None:
    """At bridge a deal that is not four times thirteen of one pack is none, and the same player deals."""
    state = rubber(B04, enforcement=Enforcement.CLUB, dealer=Seat.E)
    hands = deal_hands(PACK, 1).hands
    n, e, s, w = (tuple(cards_in(mask_of(PACK[card] for card in hand))) for hand in hands)
    for wrong in (Deal((n[1:], e, s, w)), Deal((n, n, s, w)), Deal((n[1:], (*e, n[0]), s, w))):
        assert judge(state, Official.HOUSE, wrong) == Refusal(Why.MALFORMED, ("38",))
    dealt = judge(state, Official.HOUSE, Deal((n, e, s, w)))
    assert isinstance(dealt, Verdict)
    assert dealt.state.dealer is Seat.E
    assert dealt.state.phase is Phase.DECLARING
