"""Close codes, refusal codes, versions."""

import tomllib

import pytest

from oddtrick_protocol.closing import (
    CLOSE_CODES,
    LAW_REFUSALS,
    REFUSALS,
    Close,
    Refuse,
    Then,
    after_close,
    refusal_codes,
)
from oddtrick_protocol.version import BUILD, JSON, MSGPACK, PROTOCOL, choose_subprotocol, speaks, subprotocol_refusal
from oddtrick_rules.refusals import Why
from support.sources import ROOT


def test_every_close_code_says_what_to_do() -> None:
    """Each close code has its row."""
    assert set(CLOSE_CODES) == set(Close)


@pytest.mark.parametrize(
    ("code", "then"),
    [(1012, Then.RESUME), (1013, Then.LATER), (4408, Then.RESUME), (4409, Then.STOP), (4999, Then.LATER)],
)
def test_what_a_client_does_after_a_close(code: int, then: Then) -> None:
    """A restart is resumed, an overload waited out, a replaced connection left alone, an unknown code treated with care."""
    assert after_close(code) is then


def test_every_refusal_has_a_meaning() -> None:
    """Each reason of the server and of the laws stands in one table, once."""
    assert set(REFUSALS) == {code.value for code in Refuse}
    assert set(LAW_REFUSALS) == {why.value for why in Why}
    assert len(refusal_codes()) == len(Refuse) + len(Why)


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [([JSON, MSGPACK], JSON), (["chat", MSGPACK], MSGPACK), ([], None), (["oddtrick.v2.msgpack"], None)],
)
def test_the_clients_order_of_subprotocols_counts(offered: list[str], chosen: str | None) -> None:
    """The first subprotocol offered that we speak is taken; none if there is none."""
    assert choose_subprotocol(offered) == chosen


def test_who_offers_no_subprotocol_is_told_which_there_are() -> None:
    """The refusal of the upgrade names both."""
    assert MSGPACK in subprotocol_refusal()
    assert JSON in subprotocol_refusal()


def test_only_our_major_version_is_spoken() -> None:
    """Another major version is not served."""
    assert speaks(PROTOCOL)
    assert not speaks(PROTOCOL + 1)


def test_the_build_is_the_distributions_version() -> None:
    """What `hello` and `welcome` carry is the version of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == BUILD
