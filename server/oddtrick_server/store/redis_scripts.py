"""The scripts that Redis runs for us: each is one step that nothing can come between (`lua/`)."""

from dataclasses import dataclass
from hashlib import sha1
from importlib.resources import files
from typing import Final, Literal, get_args

Script = Literal["append", "acquire", "renew", "holder", "read", "trim", "send"]


@dataclass(frozen=True, slots=True)
class ScriptText:
    """A script, and the name Redis knows it by."""

    text: str
    sha: str


def _loaded(name: str) -> ScriptText:
    text = (files("oddtrick_server.store") / "lua" / f"{name}.lua").read_text(encoding="utf-8")
    return ScriptText(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


SCRIPTS: Final[dict[Script, ScriptText]] = {name: _loaded(name) for name in get_args(Script)}
