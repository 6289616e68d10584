"""Guests' tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_server.tokens import TokenMint, hash_of, new_identity

KEY = b"k" * 32
MINT = TokenMint({"k1": KEY}, current="k1")


def test_a_token_brings_its_identity_back_until_it_expires() -> None:
    """A token tells whose it is up to the second it expires, and not from then on."""
    token = MINT.mint("anna", expires=100)
    assert MINT.read(token, 99.9) == ("anna", 100)
    assert MINT.read(token, 100) is None


@given(st.data())
def test_a_changed_token_is_worthless(data: st.DataObject) -> None:
    """Whatever character of a token is changed, it is not ours any more."""
    token = MINT.mint("anna", expires=1e9)
    at = data.draw(st.integers(0, len(token) - 1))
    char = data.draw(st.characters().filter(lambda char: char != token[at]))
    assert MINT.read(token[:at] + char + token[at + 1 :], 0) is None


@pytest.mark.parametrize("garbage", ["", ".", "....", "o1.k1.anna.9.x", "o1.k1.anna.x.", "o2.k1.a.9.b", "\u0661" * 9])
def test_garbage_is_no_token(garbage: str) -> None:
    """Text that is no token is refused quietly."""
    assert MINT.read(garbage, 0) is None


def test_a_key_can_be_replaced_without_throwing_anybody_out() -> None:
    """The old key's tokens are good beside the new one's, and worthless once it is withdrawn."""
    old = MINT.mint("anna", expires=100)
    both = TokenMint({"k1": KEY, "k2": b"n" * 32}, current="k2")
    new = both.mint("anna", expires=100)
    assert both.read(old, 0) == both.read(new, 0) == ("anna", 100)
    only_new = TokenMint({"k2": b"n" * 32}, current="k2")
    assert only_new.read(old, 0) is None
    assert only_new.read(new, 0) == ("anna", 100)


def test_a_weak_key_is_refused() -> None:
    """A mint takes no key of less than 32 bytes, and needs the one it signs with."""
    with pytest.raises(ValueError, match="32 bytes"):
        TokenMint({"k1": b"short"}, current="k1")
    with pytest.raises(ValueError, match="current"):
        TokenMint({"k1": KEY}, current="k2")


def test_what_is_kept_of_a_token_does_not_give_it_back() -> None:
    """The hash at rest is not the token, and no two tokens share one."""
    token = MINT.mint("anna", expires=100)
    assert token not in hash_of(token)
    assert hash_of(token) != hash_of(MINT.mint("anna", expires=101))


def test_an_identity_says_nothing() -> None:
    """An identity is letters and digits made of chance alone."""
    assert new_identity(b"\x00" * 15) != new_identity(b"\x01" * 15)
    assert new_identity(bytes(range(15))).isalnum()
