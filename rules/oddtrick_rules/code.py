"""A code of laws as data: parameters, switches, and the number each rule of the engine bears in that code.

The engine knows *rules*; a code says which of them it has, under which law (and ruling), and how it turns the switches on which the
codes part. A rule that a code does not have is not applied: there is no branch on the name of a code anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from oddtrick_rules.commands import Demand

Cites: TypeAlias = tuple[str, ...]
"""Numbers of laws (`73`) and rulings (`R5`) that something rests on."""


class Rule(StrEnum):
    """Every rule the engine can apply; a code maps those it has to its own laws."""

    # forming the table
    CUTTING = "cutting: the ace is low, and all from one pack"
    FORMATION = "forming the table by cutting"
    EQUAL_CUTS = "equal cuts are cut again"
    TABLE_OF_SIX = "six complete a table"
    CUTTING_OUT = "who goes out after a rubber"
    ENTRY = "declaring in"
    ENTRY_ANY_TIME = "declaring in at any time where there is room"
    NEW_TABLE = "a new table is for those who have none"
    SUBSTITUTE = "a substitute by consent"
    SECOND_TABLE = "joining a second table"
    BROKEN_UP = "breaking up a table"
    # the deal
    SHUFFLE = "each player shuffles once"
    GATHERING = "the dealer's partner gathers, and shuffles first"
    WHOLE_DEAL = "all the cards are dealt, and no deal is lost"
    DEAL_PASSES = "the deal passes to the left"
    CUT = "the pack is cut by the player at the dealer's right"
    NEW_CARDS = "calling for new cards"
    # the trump card
    TRUMP_LEFT = "the trump card left lying"
    TRUMP_NAMED = "naming the trump card after it was taken up"
    TRUMP_EARLY = "taking up the trump card before one's turn"
    TRUMP_FORGOTTEN = "the dealer forgets the trump card"
    # play and tricks
    QUITTING = "turning and quitting a trick"
    LEADING_EARLY = "leading before the last trick is quitted"
    PLACING = "placing the cards"
    LAST_TRICK = "seeing the last trick"
    NO_LOOKING = "looking at a quitted trick"
    ATTENTION = "calling attention to the trick"
    PLAYED_CARD = "a card played is not taken back"
    ONE_CARD = "a trick takes one card from each player"
    # exposed cards
    EXPOSED = "exposed cards"
    TWO_CARDS = "two cards played at once"
    PLAYED_ON = "leading on without waiting for partner"
    NAMED = "naming a card one holds"
    THROWN_DOWN = "a hand thrown down"
    ALL_THROWN_DOWN = "all four hands thrown down"
    REST_CLAIMED = "claiming the rest"
    # calls
    NO_FORCED_REVOKE = "no call can force a revoke"
    CALL_REPEATED = "an exposed card may be called until it is played"
    CALLED_EARLY = "an exposed card called before its owner's turn"
    SUIT_VOID = "a suit called from one who has none"
    DISOBEDIENCE = "disobeying a call is a revoke"
    OBEDIENCE = "a call is enforced"
    # out of turn
    LEAD_OUT_OF_TURN = "a lead out of turn"
    FOLLOWED = "a lead out of turn that was followed"
    WRONG_HAND = "the dealer leads from the wrong hand"
    SIMULTANEOUS_LEAD = "partners lead at the same time"
    THIRD_FIRST = "the third hand plays before the second"
    FOURTH_FIRST = "the fourth hand plays before the second"
    # the revoke
    REVOKE = "renouncing in error"
    PENALTY = "the penalty for a revoke"
    ESTABLISHED_BY_QUITTING = "a revoke established by quitting"
    ESTABLISHED_BY_PLAY = "a revoke established by playing on"
    ESTABLISHED_BY_CLAIM = "a revoke established by throwing down or claiming the game"
    ESTABLISHED_BY_GENERAL_THROW_DOWN = "a revoke established when all hands are thrown down"
    QUESTION = "the partner's question"
    QUESTION_LOST = "the question's shield lost by one's own side's quitting"
    SEARCH = "searching the tricks"
    CHARGE = "charging a player with a revoke"
    CORRECTION = "a revoke corrected in time"
    DEALER_CORRECTION = "a revoke corrected in time by the dealer"
    CHANGING = "those who played after may change their cards"
    MIXING = "mixing the tricks after a charge"
    MIXING_BEFORE = "mixing the tricks before any charge"
    CUT_CLOSES = "no claim after the cut"
    PLAY_OUT = "requiring the hand to be played out"
    BETS = "bets are settled after the penalty"
    BOTH_REVOKE = "both sides revoke"
    CAP = "the side that revoked cannot win the game"
    DUMMY_REVOKES = "dummy pays nothing for a revoke"
    # choosing
    CHOICE = "choosing between penalties"
    REASONABLE_TIME = "reasonable time to decide"
    WRONG_DEMAND = "demanding a penalty the offence does not carry"
    PARTNER_SUGGESTS = "suggesting a penalty one's partner alone may exact"
    BYSTANDER = "a bystander's remark"
    REFEREE = "a bystander as referee of fact"
    # scoring
    RUBBER = "best of three games"
    TRICKS = "tricks above six"
    GAME_VALUE = "treble, double and single"
    RUBBER_POINTS = "points for the rubber"
    RUBBER_OF_THREE = "a rubber of three games"
    ORDER = "the order of scoring"
    HONOURS = "honours"
    HONOURS_BARRED = "no honours at the score of four"
    HONOURS_LOST = "honours not called in time"
    HONOURS_CALLED = "calling honours"
    SCORE_WRONG = "a wrong score put right"
    VALUE_WRONG = "a wrong value of a game put right"
    ABOVE_WRONG = "a wrong score above the line put right"
    # bridge
    ENTERED_IN_FULL = "every hand is entered in full"
    ABOVE_THE_LINE = "what is entered above the line"
    ACES = "aces at no trumps"
    CHICANE = "chicane"
    SLAM = "slams"
    DECLARING = "declaring the trump"
    LEAVING = "leaving the declaration to partner"
    DECLARED = "a declaration stands"
    DOUBLING = "doubling"
    REDOUBLING = "redoubling"
    DOUBLING_LIMIT = "the limit of doubling"
    MAY_LEAD = "asking to lead"
    DUMMY = "dummy's hand and the dealer's rights"
    DUMMY_LOOKS = "dummy sees no more than the table"
    DUMMY_SPEAKS = "what dummy may say"
    DEALER_EXPOSES = "the dealer's errors without gain"
    UNASKED_DECLARATION = "declaring without being asked"
    PASSED_BACK = "passing the declaration back"
    ADVERSARY_DECLARES = "an adversary declares"
    DOUBLED_UNASKED = "doubling before one is asked"
    DOUBLED_OUT_OF_TURN = "redoubling out of turn"
    CONSULTED_ON_DOUBLING = "consulting on doubling"
    EARLY_LEAD = "leading before the doubling is over"
    SHOWN_BEFORE_DECLARING = "a card shown before the declaration"
    SHOWN_BEFORE_LEAD = "a card shown before the lead"
    DUMMY_SUGGESTS = "dummy suggests a card"


@dataclass(frozen=True, slots=True)
class Law:
    """One law of a code: its number, its gist in our words, and how it lives at this table.

    `lives` is `enforced` (it cannot be broken here), `act`, `clock` or `cannot occur`; `why` gives the reason of the last.
    """

    number: str
    gist: str
    lives: str
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Code:
    """A code of laws. `rules` maps each rule the code has to the laws and rulings it rests on, the law first."""

    id: str
    title: str
    rules: Mapping[Rule, Cites]
    laws: tuple[Law, ...] = ()
    game_points: int = 5
    revoke_points: int = 3
    cap_points: int = 4
    honours_barred_at: int | None = 4
    # The disobediences that are revokes (R7); other demands are enforced.
    disobedience: frozenset[Demand] = frozenset()
    # Question: does it cover a disobeyed call, and does the offender's own side's quitting take its shield away (78)?
    question_covers_calls: bool = False
    own_quitting_establishes: bool = False
    both_sides_cancel: bool = False
    mixed_penalties: bool = True
    trump_left_until_trick: int = 1
    trump_call_repeats: bool = True
    early_call_loses_trick: bool = False
    lead_card_back_on_suit_call: bool = True
    uncalled_card_keeps_suit_call: bool = False
    dummy: bool = False
    turned_trump: bool = True
    last_trick_seen: bool = False
    general_throw_down_without_tricks: bool = True
    words: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def has(self, rule: Rule) -> bool:
        """Tell whether the code has that rule."""
        return rule in self.rules

    def without(self, number: str) -> Code:
        """Return the code with that law switched off: no rule that rests on it is applied (tests show that its rows then fail)."""
        rules = {rule: cites for rule, cites in self.rules.items() if number not in cites}
        return replace(self, rules=MappingProxyType(rules))

    def cites(self, rule: Rule) -> Cites:
        """Return the laws and rulings the rule rests on in this code; empty if the code does not have it."""
        return self.rules.get(rule, ())
