"""Which rule of a code an act exists by: a code without the rule has no such act, and the refusal can say whose it is.

Acts that every code of whist has are not here. The engine judges all acts alike; this only helps to say why it
refused one.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from oddtrick_rules import commands as act
from oddtrick_rules.code import Rule
from oddtrick_rules.commands import Command, Demand

_RULES: Final[Mapping[type[Command], Rule]] = MappingProxyType(
    {
        act.Declare: Rule.DECLARING,
        act.LeaveIt: Rule.LEAVING,
        act.Double: Rule.DOUBLING,
        act.AskToLead: Rule.MAY_LEAD,
        act.BeSatisfied: Rule.DOUBLING,
        act.LeaveTrump: Rule.TRUMP_LEFT,
        act.TakeUp: Rule.TRUMP_LEFT,
        act.Forget: Rule.TRUMP_FORGOTTEN,
        act.PlayOut: Rule.PLAY_OUT,
        act.Review: Rule.LAST_TRICK,
    }
)
_TRUMP_CALLS: Final = frozenset({Demand.TRUMP_HIGHEST, Demand.TRUMP_LOWEST})


def rule_of(command: Command) -> Rule | None:
    """Return the rule without which a code does not have such an act, None if every code has it."""
    if isinstance(command, act.Call) and command.demand in _TRUMP_CALLS:
        return Rule.TRUMP_NAMED
    return _RULES.get(type(command))
