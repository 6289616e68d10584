"""Questions put to all three codes of laws: the same acts at the same table under each, and what comes of them."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from _pytest.mark.structures import ParameterSet

from oddtrick_rules.codes.registry import CODES

E64, E00, B04 = CODES


@dataclass(frozen=True, slots=True)
class Question:
    """A point on which the codes are compared: one set-up, the same acts, and what holds then under each code."""

    about: str
    header: str
    acts: str
    then: Mapping[str, str]

    def header_of(self, code: str) -> str:
        """The set-up in one code: at bridge the dealer has named the trump."""
        lines = [line.strip() for line in self.header.splitlines() if line.strip()]
        if code == B04:
            lines = [line[:8] if line.startswith("Trump: ") else line for line in lines] + ["Declarer: W"]
        return "\n".join([f"Code: {code}", f"Title: {self.about}", *lines])

    def record(self, code: str) -> str:
        """The question as a record of one code."""
        steps = [*self.acts.split(", "), *(f"= {then}" for then in self.then[code].split(", "))]
        return "\n".join([self.header_of(code), "", *steps, ""])


# West deals, and at bridge plays with East as dummy; North and South are the adversaries.
PLAIN = """
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K6.3.5. E:Q4.9..8 S:72..2.A W:A3..J.4
    Tricks: NS 5 EW 4
"""
SHORT = """
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K..5. E:4.9.. S:7..2. W:3...4
    Tricks: NS 6 EW 5
"""
LAST = """
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K... E:4... S:7... W:3...
    Tricks: NS 6 EW 6
"""
TURNED = """
    Dealer: W
    Trump: H2
    Leader: N
    Deal: N:K6..5. E:Q4.9.. S:7..2.A W:3.Q2..
    Tricks: NS 6 EW 4
"""
REVOKE = "N SK, E S4, S D2, W S3"
OVER = f"{REVOKE}, N quits, N D5, E H9, S S7, W C4, W quits"
PROVED = f"{OVER}, W claims revoke S, W searches"
BOTH = (
    "N SK, E S4, S D2, W C4, N quits, N D5, E H9, S S7, W S3, W quits, W claims revoke S, N claims revoke W, W searches"
)


def alike(then: str, e64: str, e00: str, b04: str) -> dict[str, str]:
    """One outcome in all three codes, `#` standing for the law of each."""
    return {code: then.replace("#", law) for code, law in zip(CODES, (e64, e00, b04), strict=True)}


def asked(*questions: Question) -> list[ParameterSet]:
    """The questions, each with every code that has an answer to it."""
    return [
        pytest.param(question, code, id=f"{question.about}-{code}")
        for question in questions
        for code, then in question.then.items()
        if then
    ]
