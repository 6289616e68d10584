"""`changed(record, field=...)`: a copy of a frozen record with other values.

`dataclasses.replace` runs the record's `__init__` anew, several times the cost of copying its dictionary; the state is
copied at every event, so that is what the engine's speed would hang on. The type checker sees the standard function.
Only for frozen dataclasses without slots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import replace as changed
else:

    def changed(record, /, **values):
        """Return a copy of the record with these fields changed."""
        copy = object.__new__(record.__class__)
        fields = copy.__dict__
        fields.update(record.__dict__)
        fields.update(values)
        return copy


__all__ = ["changed"]
