"""Free words, cleaned of what could disturb a page or a terminal; what they mean is nobody's business here."""

from __future__ import annotations

import unicodedata

_UNSEEN = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
_TURNING = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c\ufeff")


def clean_words(text: str) -> str:
    """Return one line without controls and marks of direction; empty if nothing is left."""
    kept = [" " if unicodedata.category(char) in _UNSEEN else char for char in text if char not in _TURNING]
    return " ".join("".join(kept).split())
