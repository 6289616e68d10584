"""Names as people may bear them: cleaned of what a reader cannot see, and told apart at one table.

A name is for eyes only: nothing is ever found or allowed by it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from oddtrick_server.lookalikes import IGNORED, likeness

# Controls, formats (zero-width and bidirectional marks among them), surrogates, private and unassigned.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS_MAX = 2  # accents on one letter; more climb over the lines above


def clean_name(name: str, *, chars_max: int) -> str:
    """Return the name as it is shown: normalised, of visible characters, single spaces, at most `chars_max` long.

    ValueError if nothing is left of it.
    """
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFKC", name):
        kind = unicodedata.category(char)
        if char in IGNORED:
            continue
        if kind[0] == "M":
            marks += 1
            if marks > _MARKS_MAX or not kept:
                continue
        else:
            marks = 0
        if kind in _UNSEEN:
            # A tab or a line's end parts words; a zero-width mark does not.
            if char.isspace():
                kept.append(" ")
            continue
        kept.append(char)
    cleaned = " ".join("".join(kept).split())[:chars_max].strip()
    if not cleaned:
        raise ValueError("a name needs at least one visible character")
    return cleaned


def told_apart(name: str, others: Iterable[str]) -> str:
    """Return the name, with a number behind it if one of the others looks the same."""
    taken = {likeness(other) for other in others}
    if likeness(name) not in taken:
        return name
    number = 2
    while likeness(f"{name} {number}") in taken:
        number += 1
    return f"{name} {number}"
