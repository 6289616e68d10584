"""Guests' tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_server.tokens import TokenMint, hash_of, new_identity
from support.old_tokens import old_token

CHANCE = b"c" * 16
KEY = b"k" * 32
MINT = TokenMint({"k1": KEY}, current="k1")


def test_a_token_brings_its_identity_back_until_it_expires() -> None:
    """A token tells whose it is up to the second it expires, and not from then on."""
    token = MINT.mint("anna", expires=100, entropy=CHANCE)
    assert MINT.read(token, 99.9) == ("anna", 100)
    assert MINT.read(token, 100) is None


@given(st.data())
def test_a_changed_token_is_worthless(data: st.DataObject) -> None:
    """Whatever character of a token is changed, it is not ours any more."""
    token = MINT.mint("anna", expires=1e9, entropy=CHANCE)
    at = data.draw(st.integers(0, len(token) - 1))
    char = data.draw(st.characters().filter(lambda char: char != token[at]))
    assert MINT.read(token[:at] + char + token[at + 1 :], 0) is None


@pytest.mark.parametrize(
    "garbage", ["", ".", "....", "o1.k1.anna.9.x", "o2.k1.anna.x.c.", "o2.k1.a.9.b", "o3.k1.a.9.c.d", "\u0661" * 9]
)
def test_garbage_is_no_token(garbage: str) -> None:
    """Text that is no token is refused quietly."""
    assert MINT.read(garbage, 0) is None


def test_a_token_of_the_form_before_is_good_until_it_expires() -> None:
    """Who got his token from an older server is not thrown out, and is due for one of the form of now."""
    token = old_token("k1", KEY, "anna", expires=100)
    assert MINT.read(token, 99) == ("anna", 100)
    assert MINT.read(token, 100) is None
    assert MINT.knows_key_of(token)
    assert not MINT.is_signed_anew(token)
    assert MINT.is_signed_anew(MINT.mint("anna", expires=100, entropy=CHANCE))


def test_a_token_is_made_of_enough_chance() -> None:
    """Two tokens that are alike but for chance are two, and with less of it none is made."""
    assert MINT.mint("anna", expires=100, entropy=CHANCE) != MINT.mint("anna", expires=100, entropy=b"d" * 16)
    with pytest.raises(ValueError, match="16 random bytes"):
        MINT.mint("anna", expires=100, entropy=b"")


def test_a_key_can_be_replaced_without_throwing_anybody_out() -> None:
    """The old key's tokens are good beside the new one's, and worthless once it is withdrawn."""
    old = MINT.mint("anna", expires=100, entropy=CHANCE)
    both = TokenMint({"k1": KEY, "k2": b"n" * 32}, current="k2")
    new = both.mint("anna", expires=100, entropy=CHANCE)
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
    token = MINT.mint("anna", expires=100, entropy=CHANCE)
    assert token not in hash_of(token)
    assert hash_of(token) != hash_of(MINT.mint("anna", expires=101, entropy=CHANCE))


def test_an_identity_says_nothing() -> None:
    """An identity is letters and digits made of chance alone."""
    assert new_identity(b"\x00" * 15) != new_identity(b"\x01" * 15)
    assert new_identity(bytes(range(15))).isalnum()
