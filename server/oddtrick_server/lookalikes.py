"""Letters that a reader takes for one another, so that one player cannot pass for another at his table.

A skeleton in the manner of Unicode's report on security (TR39), for the names people bear: letters that look like Latin ones become
those, from Cyrillic, Greek, Armenian, Cherokee and the rarer Latin alphabets; pairs that look like one letter become it. Capitals
have a table of their own, since they look like other letters than their small ones do. It errs on the side of likeness, which costs
no more than a number behind a name. Full Unicode data for this would be a dependency larger than the server, and no library for it
is well kept.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

_CAPITALS: Final = (
    # Greek, Cyrillic, Cherokee.
    "\u0391a \u0392b \u0395e \u0396z \u0397h \u0399i \u039ak \u039cm \u039dn \u039fo \u03a1p \u03a4t \u03a5y \u03a7x \u03f9c "
    "\u0410a \u0412b \u0415e \u0405s \u0406i \u0408j \u041ak \u041cm \u041dh \u041eo \u0420p \u0421c \u0422t \u0423y \u0425x "
    "\u04aey \u04bah \u050cg \u051aq \u051cw \u0474v \u042cb \u0404e \u0417e "
    "\u13a0d \u13a1r \u13a2t \u13a5i \u13aaa \u13abj \u13ace \u13b3w \u13b7m \u13bbh \u13c0g \u13c3z \u13cf4 \u13d2r \u13d4w "
    "\u13d5s \u13d9v \u13das \u13del \u13dfc \u13e2p \u13e6k \u13e7d \u13f4b"
)
_SMALL: Final = (
    # Cyrillic, Greek, Armenian.
    "\u0430a \u0435e \u043eo \u0440p \u0441c \u0443y \u0445x \u0456i \u0458j \u0455s \u043ak \u043cm \u0442t \u0432b \u043dh "
    "\u0501d \u04cfi \u051bq \u051dw \u0475v \u04bbh \u04afy \u04b1y "
    "\u043fn \u0433r \u044cb \u0454e \u0437e \u0448w \u0491r \u04d5ae "
    "\u03b1a \u03bfo \u03c1p \u03bdv \u03b9i \u03bak \u03c4t \u03c5u \u03c7x \u03b5e \u03b7n \u03b2b \u03b3y \u03c9w \u03bcu "
    "\u03c3o \u03c2c \u03b6z \u03f2c \u03f3j \u03b8o "
    "\u0585o \u0578n \u057du \u0570h \u0581g \u0566q \u0575j \u057cn \u0584p \u056ci \u0561w "
    # Latin, the rarer ones and small capitals.
    "\u0131i \u0269i \u0251a \u0261g \u028fy \u1d00a \u0299b \u1d04c "
    "\u1d05d \u1d07e \u0262g \u029ch \u026ai \u1d0aj \u1d0bk \u029fi "
    "\u1d0dm \u0274n \u1d0fo \u1d18p \u0280r \u1d1bt \u1d1cu \u1d20v "
    "\u1d21w \u1d22z \u00f8o \u0142i \u0111d \u0127h \u0167t \u0180b "
    "\u0253b \u0188c \u0257d \u0199k \u01a5p \u01adt \u028bv \u0275o "
    "\u01b6z \u00fep \u00f0d \u0250a \u0254c \u025be \u0279r \u0265h "
    # Figures and signs, and the letter that looks like a figure.
    "0o 1i |i !i li $s 5s 8b"
)
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("ci", "d"), ("ii", "u"))
# Marks and letters that nobody sees, beyond the categories that are never shown.
IGNORED: Final = frozenset(
    [
        "\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u2800", "\u3164", "\uffa0",
        *map(chr, range(0x180B, 0x1810)), *map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0)),
    ]
)  # fmt: skip


@lru_cache(maxsize=16_384)
def likeness(name: str) -> str:
    """Return what two names have in common that a reader would take for one another."""
    plain = unicodedata.normalize("NFKD", name)
    letters = "".join(_OF_CAPITALS.get(char, char) for char in plain if char not in IGNORED).casefold()
    seen = (char for char in letters if unicodedata.category(char)[0] not in "MCZ")
    skeleton = "".join(_OF_SMALL.get(char, char) for char in seen)
    for pair, one in _PAIRS:
        skeleton = skeleton.replace(pair, one)
    return skeleton


def _table(entries: str) -> dict[str, str]:
    return {entry[0]: entry[1:] for entry in entries.split()}


_OF_CAPITALS: Final = _table(_CAPITALS)
_OF_SMALL: Final = _table(_SMALL)
