"""The page's own fold of events into views: `client_sdk/oddtrick_sdk/js/fold.js` against `evolve` and `view`."""

import json
import subprocess
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from oddtrick_rules.codes.registry import CODES
from oddtrick_rules.state import Enforcement
from web.made_views import played

if TYPE_CHECKING:
    from conftest import Size

CHECK = Path(__file__).with_name("fold_check.mjs")
ACTS = 300


@pytest.mark.parametrize("enforcement", Enforcement)
@pytest.mark.parametrize("code", CODES)
def test_what_the_page_folds_is_the_view(code: str, enforcement: Enforcement, size: "Size", request: Any) -> None:
    """After every act of rubbers played at random, each viewer's page holds exactly the view the table would send him."""
    lines = []
    tables = size(1, 20)
    for number in range(tables):
        chance = Random(f"{request.config.option.seed} {code} {enforcement} {number}")
        shown = list(played(code, enforcement, chance, ACTS))
        first = shown[0][0]["view"]
        start = {"code": code, "enforcement": enforcement.value, "dealer": first["dealer"]}
        lines.append(json.dumps({"start": start}))
        lines += [json.dumps({"shown": one}) for one in shown]
    done = subprocess.run(
        ["node", CHECK], input="\n".join(lines), text=True, capture_output=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    agreed = int(done.stdout.split()[0])
    assert agreed > tables * ACTS
