"""English short whist, the club code of 1864 (91 laws)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from oddtrick_rules.code import Code, Rule
from oddtrick_rules.codes.lawbook_1864 import LAWS
from oddtrick_rules.commands import Demand

ENGLISH_1864: Final = Code(
    id="english-1864",
    title="English Short Whist, the club code of 1864",
    laws=LAWS,
    disobedience=frozenset({Demand.HIGHEST, Demand.LOWEST, Demand.SUIT, Demand.TRUMP_HIGHEST, Demand.TRUMP_LOWEST}),
    last_trick_seen=True,
    rules=MappingProxyType(
        {
            Rule.DEAL_PASSES: ("33",),
            Rule.CUT: ("34",),
            Rule.NEW_CARDS: ("83",),
            Rule.TRUMP_LEFT: ("52",),
            Rule.TRUMP_NAMED: ("53",),
            Rule.TRUMP_EARLY: ("54",),
            Rule.TRUMP_FORGOTTEN: ("55",),
            Rule.QUITTING: ("R1",),
            Rule.LEADING_EARLY: ("R2",),
            Rule.PLACING: ("85",),
            Rule.LAST_TRICK: ("91",),
            Rule.ATTENTION: ("86",),
            Rule.EXPOSED: ("56",),
            Rule.TWO_CARDS: ("56",),
            Rule.PLAYED_ON: ("57",),
            Rule.NAMED: ("56", "R21"),
            Rule.THROWN_DOWN: ("58",),
            Rule.ALL_THROWN_DOWN: ("59",),
            Rule.NO_FORCED_REVOKE: ("64",),
            Rule.CALL_REPEATED: ("65",),
            Rule.SUIT_VOID: ("66",),
            Rule.DISOBEDIENCE: ("61", "R7"),
            Rule.OBEDIENCE: ("R7",),
            Rule.LEAD_OUT_OF_TURN: ("62",),
            Rule.FOLLOWED: ("63",),
            Rule.ONE_CARD: ("70",),
            Rule.THIRD_FIRST: ("67",),
            Rule.FOURTH_FIRST: ("68",),
            Rule.REVOKE: ("71",),
            Rule.PENALTY: ("72",),
            Rule.ESTABLISHED_BY_QUITTING: ("73",),
            Rule.ESTABLISHED_BY_PLAY: ("73",),
            Rule.ESTABLISHED_BY_CLAIM: ("73", "R12"),
            Rule.QUESTION: ("74",),
            Rule.SEARCH: ("75",),
            Rule.CHARGE: ("75",),
            Rule.CORRECTION: ("76",),
            Rule.CHANGING: ("76",),
            Rule.MIXING: ("77",),
            Rule.MIXING_BEFORE: ("77", "R26"),
            Rule.CUT_CLOSES: ("78",),
            Rule.PLAY_OUT: ("79",),
            Rule.BETS: ("80",),
            Rule.BOTH_REVOKE: ("81",),
            Rule.CAP: ("82",),
            Rule.CHOICE: ("84",),
            Rule.REASONABLE_TIME: ("87",),
            Rule.RUBBER: ("1",),
            Rule.TRICKS: ("2",),
            Rule.HONOURS: ("3",),
            Rule.HONOURS_BARRED: ("4",),
            Rule.ORDER: ("5",),
            Rule.HONOURS_LOST: ("6",),
            Rule.HONOURS_CALLED: ("7",),
            Rule.GAME_VALUE: ("8",),
            Rule.RUBBER_POINTS: ("9",),
            Rule.RUBBER_OF_THREE: ("10",),
            Rule.SCORE_WRONG: ("11",),
            Rule.VALUE_WRONG: ("12",),
        }
    ),
)
