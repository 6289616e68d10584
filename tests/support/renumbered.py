"""Law tables read under another code: where a code repeats an older one, the older rows hold with its own numbers."""

import re
from collections.abc import Mapping, Sequence

from support.law_table import ACTS, GIVEN, LAW, THEN, Row

# Where the code of 1900 repeats that of 1864, by the numbers of 1864.
IN_1900 = dict(
    pair.split("=")
    for pair in """
    1=46 2=47 3=48 4=49 5=50 6=51 7=52 8=53 9=54 10=55 11=56 12=57 33=25 34=26 52=42 53=43 54=44 55=45 56=58 57=60 58=61
    59=62 61=76 62=64 63=66 64=67 65=68 66=69 67=70 68=71 70=73 71=74 72=75 73=77 74=78 75=79 76=80 77=81 78=82 79=83 80=84
    81=85 82=86 83=3 84=87 85=89 86=90 87=91 91=94
    """.split()
)


def renumbered(row: Row, code: str, numbers: Mapping[str, str]) -> Row:
    """The same header, acts and expectations under another code, which numbers the laws otherwise."""

    def cited(match: re.Match[str]) -> str:
        return f"{match[1]} {numbers[match[2]]}"

    cells = dict(row.cells)
    for column in (GIVEN, ACTS, THEN):
        if column in cells:
            cells[column] = re.sub(r"\b(law|refused) (\d+)\b", cited, cells[column])
    if LAW in cells:
        cells[LAW] = " ".join(numbers.get(word.strip(","), word) for word in cells[LAW].split())
    return Row(re.sub(r"Code: \S+", f"Code: {code}", row.header), cells, row.widths)


def by_case(rows: Sequence[Row]) -> dict[str, Row]:
    """The rows of a table by what they are called."""
    return {str(row): row for row in rows}
