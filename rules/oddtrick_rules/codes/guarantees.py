"""Rules that no chapter judges, because the table is so made that they are always kept; and the module that makes it so."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from oddtrick_rules.code import Rule

GUARANTEED: Final[Mapping[Rule, str]] = MappingProxyType(
    {
        Rule.SHUFFLE: "shuffle",  # what each seat puts into the deal changes it
        Rule.GATHERING: "shuffle",  # every deal is of the whole pack
        Rule.DUMMY_LOOKS: "views",  # dummy is shown what the table shows
    }
)
