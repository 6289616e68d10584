"""Letters that a reader takes for one another, so that one player cannot pass for another at his table.

A skeleton in the manner of Unicode's report on security (TR39), for the characters that `names` lets through: letters that look
like Latin ones become those, a letter with a hook or a stroke becomes the plain one (its own name tells), and pairs that look
like one letter become it. Capitals have a table of their own, since they look like other letters than their small ones do. It
errs on the side of likeness, which costs no more than a number behind a name; only Han letters a stroke apart are left as they
are. Full Unicode data for this would be a dependency larger than the server, and no library for it is well kept.
"""

from __future__ import annotations

import contextlib
import re
import unicodedata
from functools import lru_cache
from typing import Final

_CAPITALS: Final = (
    # Greek, Armenian, Cyrillic.
    "\u0391a \u0392b \u0395e \u0396z \u0397h \u0399i \u039ak \u039cm \u039dn \u039fo \u03a1p \u03a4t \u03a5y "
    "\u03a7x \u03fam \u054fs \u0410a \u0412b \u0415e \u0405s \u0406i \u0408j \u041ak \u041cm \u041dh \u041eo "
    "\u0420p \u0421c \u0422t \u0423y \u0425x \u04aey \u04bah \u050cg \u051aq \u051cw \u0474v \u042cb \u0404e "
    "\u0417e \u0492f"
)
_SMALL: Final = (
    # Cyrillic.
    "\u0430a \u0435e \u043eo \u0440p \u0441c \u0443y \u0445x \u0456i \u0458j \u0455s \u043ak \u043cm \u0442t "
    "\u0432b \u043dh \u0501d \u04cfi \u051bq \u051dw \u0475v \u04bbh \u043fn \u0433r \u044cb \u0454e \u0437e "
    "\u0448w \u04d5ae \u0431b \u044bb \u0463b \u0461w \u050dg \u04bde \u0473o \u047bo \u0493f \u0452h \u045bh "
    "\u04e1e \u044eio \u04a9o \u04a1k \u051fk \u04a5h \u04d9e \u050ft \u0481c \u048db "
    # Greek, Armenian.
    "\u03b1a \u03bfo \u03c1p \u03bdv \u03b9i \u03bak \u03c4t \u03c5u \u03c7x \u03b5e \u03b7n \u03b2b \u03b3y "
    "\u03c9w \u03bcu \u03c3o \u03b6z \u03f3j \u03b8o \u03c0n \u03ddf \u03fbm \u03f8p \u03fcp \u1d26r \u03c6\u0444 "
    "\u0585o \u0578n \u057du \u0570h \u0581g \u0566q \u0575j \u057cn \u0584p \u056ci \u0561w \u0563q \u0572n "
    "\u0583\u0444 "
    # Cherokee, whose small letters look like its capitals.
    "\u13a0d \u13a1r \u13a2t \u13a4o \u13a5i \u13a9y \u13aaa \u13abj \u13ace \u13b3w \u13b7m \u13bbh \u13bdy "
    "\u13beo \u13c0g \u13c2h \u13c3z \u13ccu \u13ce4 \u13cfb \u13d2r \u13d4w \u13d5s \u13d9v \u13das \u13dei "
    "\u13dfc \u13e2p \u13e6k \u13e7d \u13ebo \u13ee6 \u13f2h \u13f3g \u13f4b "
    # Latin, the rarer ones, and the clicks, which are bare strokes.
    "\u0269i \u0251a \u00fep \u01bfp \u00f0d \u0254c \u014bn \u0259e \u0292e \u021de \u026fw \u028au \u0289u "
    "\u1d7eu \u1d7bi \u0263y \u018dg \u01bb2 \u0185b \u01a8s \u01bds \u0223b \u0242? \u0294? \u0298o \u0297c "
    "\u0138k \u01c0i \u01c1ii \u01c2t \u01c3i \u00e6ae \u0153oe \u1d6bue \u02a3dz \u02a6ts \u02aais \u02abiz "
    # Rings, strokes and other plain shapes: Hebrew, Arabic, figures, Indic and its neighbours, Georgian, Ethiopic.
    "\u05d5i \u05dfi \u05c0i \u05e1o \u05ddo \u05d7n \u05e9w \u05e2y \u05d8v \u05d9' \u05f1i' \u05f0ii \u05f2'' "
    "\u0627i \u0647o \u06beo \u06c1o \u06d5o \u0629o \u06c3o \u0661i \u06f1i \u0665o \u06f5o \u0667v \u06f7v "
    "\u0660. \u06f0. \u0966o \u09e6o \u0a66o \u0ae6o \u0b66o \u0be6o \u0c66o \u0ce6o \u0d66o \u0de6o \u0e50o "
    "\u0ed0o \u0f20o \u1040o \u1090o \u17e0o \u1810o \u09eab \u0a6ab \u0a679 \u0b689 \u09ed9 \u0d6d9 \u0b20o "
    "\u0d20o \u101do \u0e4fo \u0e40i \u10ffo \u10e7y \u12d0o \u1200u \u1350t \u12d8h "
    # The same of Hangul, Bopomofo, Kana and Han.
    "\u110bo \u11bco \u1102i \u11abi \u1103c \u11aec \u1110e \u11c0e \u1175i \u116et \u3127i \u3112t \u311ay "
    "\u3125i \u3129u \u3108c \u3128x \u3107n \u3007o \u53e3o \u56d7o \u30edo \u4e28i \u5de5i \u30a8i \u4e01t "
    "\u4e42x \u30e1x \u4e2by \u51f5u \u5182n \u531ac "
    # One shape in two places of one script or of two related ones, and the letter that only lengthens.
    "\u06cc\u064a \u0649\u064a \u06a9\u0643 \u06aa\u0643 \u06f2\u0662 \u06f3\u0663 \u06f9\u0669 \u0640 \u0ae8\u0968 "
    "\u0ae9\u0969 \u0aea\u096a \u0aee\u096e \u0d09\u0b89 \u0d1c\u0b9c \u0d23\u0ba3 \u0d34\u0bb4 \u0d36\u0bb6 "
    "\u0c85\u0c05 \u0c86\u0c06 \u0c87\u0c07 \u0c92\u0c12 \u0c9c\u0c1c \u0c9e\u0c1e \u0ca3\u0c23 \u0caf\u0c2f "
    "\u0cb1\u0c31 \u0cb2\u0c32 \u0ce7\u0c67 \u0ce8\u0c68 \u0cef\u0c6f \u30ab\u529b \u30cb\u4e8c \u30cf\u516b "
    "\u30c8\u535c \u30bf\u5915 \u3078\u30d8 \u30ea\u308a "
    # Figures and signs, and the letter that looks like a figure.
    "0o 1i |i !i li $s 5s 8b 3e \u00a6i \u00a1i \u2016ii \u2758i \u2759i \u275ai \u00a2c \u00a9c \u00aer \u00a5y "
    "\u00a3i \u2020t \u2021t \u00d7x \u2715x \u2716x \u2717x \u2718x \u274cx \u2613x \u26aao \u26aco \u2018' "
    "\u2019' \u201b' \u2032' \u2035' \u055a' \u055d' \u05f3' `' \u02b9' \u02bb' \u02bc' \u02bd' \u02be' \u02bf' "
    "\u275b' \u275c' \"'' \u201c'' \u201d'' \u201f'' \u05f4'' \u02ba'' \u275d'' \u275e'' \u30fc- \u4e00- \u1173- "
    "\u2043- \u2796- \u06d4- \u30fb\u00b7 \u2022\u00b7 \u2027\u00b7 \u201a, \u060d, \u066b, \u204e* \u066d* \u2795+ "
    "\u2044/ \u30ce/ \u4e3f/ \u0589: \u05c3: \u205a: \u1803: \u1809: \u2039< \u203a>"
)
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("ci", "d"), ("ii", "u"))
# What the name of a letter says of its shape, beyond what letter it is: LATIN SMALL LETTER TURNED A, D WITH STROKE.
_ORNAMENT: Final = re.compile(r"\b(?:TURNED|REVERSED|INVERTED|SIDEWAYS|OPEN|BARRED|DOTLESS|SCRIPT|STRAIGHT) | WITH .*")
_FLAG_A: Final = 0x1F1E6  # the letters that flags are spelt with, shown as letters where they spell none
# Marks and letters that nobody sees, beyond the categories that are never shown.
IGNORED: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")


@lru_cache(maxsize=16_384)
def likeness(name: str) -> str:
    """Return what two names have in common that a reader would take for one another."""
    skeleton = "".join(map(_shape, unicodedata.normalize("NFKD", name)))
    for pair, one in _PAIRS:
        skeleton = skeleton.replace(pair, one)
    return skeleton


@lru_cache(maxsize=16_384)
def _shape(char: str) -> str:
    """What a reader sees in one character: nothing in a space or an accent."""
    kind = unicodedata.category(char)
    if char in IGNORED or kind[0] in "MCZ":
        return ""
    if kind == "Pd":
        return "-"
    return "".join(map(_plain, _OF_CAPITALS.get(char, char).casefold()))


def _plain(small: str) -> str:
    """The Latin letter that a small one looks like, or itself."""
    name = unicodedata.name(small, "")
    plain = _ORNAMENT.sub("", name).replace("LETTER SMALL CAPITAL", "SMALL LETTER")
    if small not in _OF_SMALL and small.isalpha() and plain != name:
        with contextlib.suppress(KeyError):  # a name that stands for nothing without its ornament
            small = unicodedata.lookup(plain)
    return _OF_SMALL.get(small, small)


def _table(entries: str) -> dict[str, str]:
    return {entry[0]: entry[1:] for entry in entries.split()}


_OF_CAPITALS: Final = _table(_CAPITALS)
_OF_SMALL: Final = _table(_SMALL) | {
    chr(code): latin for code, latin in enumerate("abcdefghijkimnopqrstuvwxyz", start=_FLAG_A)
}
