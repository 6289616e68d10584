"""How a lawbook is written down: a text that a person can read, one law after the other.

    73 | act | A revoke is established ...
    26 | cannot occur: no hand touches the pack | The pack is not shuffled ...

A law starts at the margin with its number and how it lives at this table; lines that are indented go on with its gist.
"""

from __future__ import annotations

from typing import Final

from oddtrick_rules.code import Law

LIVES: Final = ("enforced", "act", "clock", "cannot occur")


def laws_in(text: str) -> tuple[Law, ...]:
    """Return the laws of a lawbook in the order they stand; ValueError for one that does not say how it lives."""
    laws: list[str] = []
    for line in text.strip().splitlines():
        if line.startswith(" "):
            laws[-1] += " " + line.strip()
        elif line:
            laws.append(line)
    return tuple(_law(law) for law in laws)


def _law(text: str) -> Law:
    number, lives, gist = text.split(" | ", 2)
    how, _, why = lives.partition(": ")
    if how not in LIVES:
        raise ValueError(f"law {number} lives as {how!r}: {', '.join(LIVES)}")
    return Law(number, gist, how, why)
