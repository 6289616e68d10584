"""Names as people may bear them: cleaned of what a reader cannot see or takes for something else, and told apart at one table.

A name is for eyes only: nothing is ever found or allowed by it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from oddtrick_server.lookalikes import IGNORED, likeness

# The scripts that names are written in today, as Unicode recommends them for identifiers, with Mongolian and Cherokee; each is how
# the names of its characters begin. Others are dead, or so rare that their letters mostly come to pass for somebody else's.
_SCRIPTS: Final = (
    "ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CHEROKEE", "CJK UNIFIED", "COMBINING", "CYRILLIC", "DEVANAGARI", "ETHIOPIC",
    "EXTENDED ARABIC", "GEORGIAN LETTER", "GEORGIAN MTAVRULI", "GREEK", "GUJARATI", "GURMUKHI", "HANGUL", "HEBREW", "HIRAGANA",
    "IDEOGRAPHIC", "KANNADA", "KATAKANA", "KHMER", "LAO", "LATIN", "MALAYALAM", "MONGOLIAN", "MYANMAR", "ORIYA", "SINHALA", "TAMIL",
    "TELUGU", "THAANA", "THAI", "TIBETAN",
)  # fmt: skip
# The blocks of Latin and Cyrillic that only scholars write: old, medieval and phonetic letters.
_SCHOLARLY: Final = re.compile(r"[\u2c60-\u2c7f\ua640-\ua69f\ua720-\ua7ff\uab30-\uab6f\U0001df00-\U0001dfff]")
# What belongs to no script: ASCII, Latin-1, apostrophes that are letters, punctuation; suits and other pictures, brackets of Han;
# tiles and cards, flags, emoji.
_SIGN: Final = re.compile(
    r"[!-~\u00a1-\u00bf\u00d7\u00f7\u02b9-\u02bf\u2010-\u2027\u2030-\u205e\u2600-\u2767\u2794-\u27bf\u2b50\u3001-\u301f"
    r"\U0001f000-\U0001f0ff\U0001f1e6-\U0001f1ff\U0001f300-\U0001f6ff\U0001f900-\U0001faff]"
)
# Controls, formats (zero-width and bidirectional marks among them), surrogates, private and unassigned.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS_MAX: Final = 2  # accents on one letter; more climb over the lines above


def clean_name(name: str, *, chars_max: int) -> str:
    """Return the name as it is shown: normalised, of characters names are written with, single spaces, at most `chars_max` long.

    ValueError if nothing is left of it.
    """
    kept: list[str] = []
    bearer = ""  # what an accent would stand on
    marks = 0
    for char in unicodedata.normalize("NFKC", name):
        if char.isspace():
            # A tab or a line's end parts words; a zero-width mark does not.
            kept.append(" ")
            bearer = ""
        elif not _is_written(char):
            continue
        elif unicodedata.category(char)[0] != "M":
            kept.append(char)
            bearer, marks = char, 0
        elif bearer and marks < _MARKS_MAX and _is_borne(char, bearer):
            kept.append(char)
            marks += 1
    # What is dropped may have parted a letter from its accent.
    cleaned = " ".join(unicodedata.normalize("NFC", "".join(kept)).split())[:chars_max].strip()
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


def _is_written(char: str) -> bool:
    """Whether names are written with it, and it is seen."""
    kind = unicodedata.category(char)
    if kind in _UNSEEN or char in IGNORED or _SCHOLARLY.match(char):
        return False
    if _SIGN.match(char):
        return True
    # A script's own signs and numerals are no part of a name: they are read as letters of another.
    return (kind[0] in "LMP" or kind == "Nd") and unicodedata.name(char).startswith(_SCRIPTS)


def _is_borne(mark: str, bearer: str) -> bool:
    """Whether the mark stands on its bearer: on another script's letter it stands beside it, a ring or a colon like any letter."""
    script = unicodedata.name(mark).split()[0]
    return script == "COMBINING" or unicodedata.name(bearer).startswith(script)
