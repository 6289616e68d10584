"""The codes a table can be played by."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from oddtrick_rules.code import Code
from oddtrick_rules.codes.bridge_1904 import BRIDGE_1904
from oddtrick_rules.codes.english_1864 import ENGLISH_1864
from oddtrick_rules.codes.whist_1900 import WHIST_1900

CODES: Final[Mapping[str, Code]] = MappingProxyType({code.id: code for code in (ENGLISH_1864, WHIST_1900, BRIDGE_1904)})


def code_named(name: str) -> Code:
    """Return the code with that id; ValueError naming the known ones if there is none."""
    code = CODES.get(name)
    if code is None:
        raise ValueError(f"unknown code {name!r}: one of {', '.join(CODES)}")
    return code
