"""Laws as aligned tables in the notation; tests/README.md, under "Law tables", shows how to write one.

Each row is a table record of its own: a header (the table's, and what the row changes of it), acts, expectations. A row that
fails says why, shows the record, and prints itself with what was found, to paste if it was the row that was wrong.
"""

import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from oddtrick_rules.code import Code
from oddtrick_rules.notation.check import Outcome, check_record, moments
from oddtrick_rules.notation.errors import NotationError
from oddtrick_rules.notation.header import KEYS
from oddtrick_rules.notation.record import parse_record
from support.sources import files, name

CASE, LAW, GIVEN, ACTS, THEN = "case", "law", "given", "acts", "then"
HEADER_COLUMNS = {key.lower(): key for key in KEYS}
NOTHING = {"", "-"}


@dataclass(frozen=True, slots=True)
class Row:
    """One case of a table: `cells` by column, `widths` the columns' own, in the order they stand in."""

    header: str
    cells: Mapping[str, str]
    widths: Mapping[str, int]

    def __str__(self) -> str:
        return self.cells[CASE]

    @property
    def laws(self) -> tuple[str, ...]:
        """The laws without which this very row must fail: its `law` column, empty if the table has none."""
        return tuple(word.strip(",") for word in self._cell(LAW).split())

    @property
    def record(self) -> str:
        """The row as a table record."""
        said = {line.partition(":")[0].strip().lower(): line for line in self.header.splitlines()}
        for column, key in HEADER_COLUMNS.items():
            if self._cell(column):
                said[column] = f"{key}: {self._cell(column)}"
        said.setdefault("title", f"Title: {self.cells[CASE]}".replace("#", " "))
        steps = [*self._items(GIVEN), *self._items(ACTS), *(f"= {item}" for item in self._items(THEN))]
        return "\n".join([*said.values(), "", *steps, ""])

    @property
    def code(self) -> Code:
        """The code of laws of the row."""
        return parse_record(self.record).header.code

    def outcome(self, code: Code | None = None) -> Outcome:
        """Run the row, under another code of laws if one is given."""
        return check_record(self.record, code=code)

    def holds_without(self, law: str) -> bool:
        """Whether the row still holds when that law is taken out of its code."""
        return self.outcome(self.code.without(law)).ok

    def check(self) -> None:
        """Fail, with all one wants to see, unless the row holds."""
        outcome = self.outcome()
        if not outcome.ok:
            raise AssertionError(f"{self}: {outcome}\n\n{numbered(self.record)}\n{self.correction()}")

    def correction(self) -> str:
        """The row with what is found in place of what it expects, ready to paste; or why there is none."""
        try:
            last, moment = list(moments(parse_record(self.record)))[-1]
        except NotationError:
            return "(the row is not in the notation)"
        expected = last.expected[len(last.expected) - len(list(self._items(THEN))) :]
        then = ", ".join(found for item in expected if (found := item.what.found(moment)))
        return f"found:\n    {self.line(dict(self.cells) | {THEN: then or '-'})}"

    def line(self, cells: Mapping[str, str]) -> str:
        """Cells as a line of the table."""
        return " | ".join(cells[column].ljust(width) for column, width in self.widths.items()).rstrip()

    def _cell(self, column: str) -> str:
        text = self.cells.get(column, "").strip()
        return "" if text in NOTHING else text

    def _items(self, column: str) -> Iterator[str]:
        yield from (item.strip() for item in self._cell(column).split(",") if item.strip())


def law_table(text: str) -> tuple[Row, ...]:
    """Read a table: header lines, a line of columns, then a row to a line (an empty `case` goes on with the row above)."""
    lines = [line.strip() for line in text.splitlines()]
    kept = [line for line in lines if line and not line.startswith("#")]
    header = [line for line in kept if "|" not in line]
    table = [line for line in kept if "|" in line]
    if not table:
        raise ValueError("a law table has a line of columns: case | acts | then")
    columns = [cell.strip() for cell in table[0].split("|")]
    unknown = set(columns) - {CASE, LAW, GIVEN, ACTS, THEN, *HEADER_COLUMNS}
    if unknown or CASE not in columns or THEN not in columns or len(set(columns)) != len(columns):
        raise ValueError(f"these columns do not make a law table: {table[0]}")
    rows: list[dict[str, str]] = []
    for line in table[1:]:
        values = [cell.strip() for cell in line.split("|")]
        if len(values) != len(columns):
            raise ValueError(f"this row has {len(values)} cells, not {len(columns)}: {line}")
        cells = dict(zip(columns, values, strict=True))
        if cells[CASE] or not rows:
            rows.append(cells)
        else:
            rows[-1] = {column: continued(rows[-1][column], cells[column]) for column in columns}
    widths = {column: max(len(cells[column]) for cells in [*rows, {column: column}]) for column in columns}
    return tuple(Row("\n".join(header), cells, widths) for cells in rows)


def continued(above: str, below: str) -> str:
    """A cell that goes on in the next line."""
    return f"{above.rstrip(',')}, {below}" if above and below else above or below


def numbered(record: str) -> str:
    """A record with its lines numbered, as an error names them."""
    return "\n".join(f"{number:>4}  {line}" for number, line in enumerate(record.splitlines(), 1)) + "\n"


# --- a law switched off ---


def rows_that_hold_without(law: str, rows: Sequence[Row], *, named: bool) -> list[Row]:
    """The rows that still hold with the law off; with `named`, of those only that name it in their `law` column."""
    return [row for row in rows if (not named or law in row.laws) and row.holds_without(law)]


def idle(law: str, rows: Sequence[Row]) -> list[str]:
    """What is wrong with the rows of a law: one that names it and does not need it, or that none needs it."""
    naming = [row for row in rows if law in row.laws]
    wrong = [f"{row}: holds without law {law}" for row in rows_that_hold_without(law, naming, named=True)]
    if not wrong and all(row.holds_without(law) for row in rows):
        wrong = [f"no row fails when law {law} is off"]
    return wrong


@cache
def rows_by_law(folder: str = "tests/laws") -> Mapping[tuple[str, str], tuple[Row, ...]]:
    """The rows that hold each law, by code and number: of every test marked with it that is parametrized with rows."""
    found: dict[tuple[str, str], tuple[Row, ...]] = {}
    for path in files(folder, "test_*.py"):
        for function in vars(module_at(path)).values():
            marks = getattr(function, "pytestmark", None)
            if callable(function) and isinstance(marks, list):
                for code, number, row in _held(marks):
                    found[code, number] = (*found.get((code, number), ()), row)
    return found


def _held(marks: Sequence[object]) -> Iterator[tuple[str, str, Row]]:
    rows = [row for mark in marks if getattr(mark, "name", "") == "parametrize" for row in _rows_of(mark)]
    for mark in marks:
        if getattr(mark, "name", "") == "law":
            args = tuple(getattr(mark, "args", ()))
            code = args[0]
            for number in args[1:]:
                for row in rows:
                    if row.code.id == code and (not row.laws or number in row.laws):
                        yield code, number, row


def _rows_of(mark: object) -> Iterator[Row]:
    for value in getattr(mark, "args", ((), ()))[1]:
        values = getattr(value, "values", value)
        for item in values if isinstance(values, list | tuple) else [values]:
            if isinstance(item, Row):
                yield item


def module_at(path: Path) -> ModuleType:
    """A test file as a module, imported under a name that pytest does not use."""
    label = "law_rows." + name(path).removesuffix(".py").replace("/", ".")
    if label not in sys.modules:
        spec = importlib.util.spec_from_file_location(label, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[label] = module
        spec.loader.exec_module(module)
    return sys.modules[label]
