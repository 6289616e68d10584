"""Names as people may bear them: cleaned of what a reader cannot see, and told apart at one table.

A name is for eyes only: nothing is ever found or allowed by it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

# Controls, formats (zero-width and bidirectional marks among them), surrogates, private and unassigned.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters that look like nothing at all.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_MARKS_MAX = 2  # accents on one letter; more climb over the lines above


def clean_name(name: str, *, chars_max: int) -> str:
    """Return the name as it is shown: normalised, of visible characters, single spaces, at most `chars_max` long.

    ValueError if nothing is left of it.
    """
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFKC", name):
        kind = unicodedata.category(char)
        if kind[0] == "M":
            marks += 1
            if marks > _MARKS_MAX or not kept:
                continue
        else:
            marks = 0
        if kind in _UNSEEN or char in _BLANK:
            # A tab or a line's end parts words; a zero-width mark does not.
            if char.isspace():
                kept.append(" ")
            continue
        kept.append(char)
    cleaned = " ".join("".join(kept).split())[:chars_max].strip()
    if not cleaned:
        raise ValueError("a name needs at least one visible character")
    return cleaned


def likeness(name: str) -> str:
    """Return what two names have in common that a reader would take for one another."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(_LOOKS_LIKE.get(char, char) for char in plain if not unicodedata.combining(char))
    return "".join(letters.split())


def told_apart(name: str, others: Iterable[str]) -> str:
    """Return the name, with a number behind it if one of the others looks the same."""
    taken = {likeness(other) for other in others}
    if likeness(name) not in taken:
        return name
    number = 2
    while likeness(f"{name} {number}") in taken:
        number += 1
    return f"{name} {number}"


# The commonest look-alikes of Latin letters, casefolded: Cyrillic, then Greek, then figures.
_LOOKS_LIKE = dict(
    zip(
        "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u043a\u043c\u0442\u0432\u043d\u0501\u0261\u04cf"
        "\u03b1\u03bf\u03c1\u03bd\u03b9\u03ba\u03c4\u03c5\u03c7\u03b5\u03b7\u03b2\u03b3"
        "01|i$5",
        "aeopcyxljskmtbhdglaopvlktuxenbyolllss",
        strict=True,
    )
)
