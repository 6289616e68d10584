"""Whose connection it is, behind proxies and without."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_server.proxies import Proxies, neighbourhood

OURS = Proxies(["10.0.0.0/8", "fd00::/8"])


@pytest.mark.parametrize(
    ("peer", "forwarded", "caller"),
    [
        ("203.0.113.9", [], "203.0.113.9"),
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["6.6.6.6, 198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["6.6.6.6", "198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["198.51.100.1, nonsense"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1, "], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
        ("10.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("fd00::1", ["2001:db8::1"], "2001:db8::1"),
        ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("::ffff:203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("fe80::1%eth0", ["198.51.100.1"], "fe80::1"),
        ("", ["198.51.100.1"], ""),
    ],
)
def test_who_called(peer: str, forwarded: list[str], caller: str) -> None:
    """What a trusted proxy saw itself is believed; what it was told, and what anybody else says, is not."""
    assert OURS.caller(peer, forwarded) == caller


def test_without_proxies_nobody_is_believed() -> None:
    """An operator who names no proxy has none, not even on the machine itself."""
    assert Proxies().caller("127.0.0.1", ["198.51.100.1"]) == "127.0.0.1"


@given(st.lists(st.text(max_size=40), max_size=60))
def test_any_header_will_do(forwarded: list[str]) -> None:
    """Whatever stands in the header, somebody called; and a stranger is always himself."""
    assert OURS.caller("10.0.0.1", forwarded)
    assert OURS.caller("203.0.113.9", forwarded) == "203.0.113.9"


def test_a_wrong_proxy_is_named() -> None:
    """A trusted proxy that is no address or network is refused with its name."""
    with pytest.raises(ValueError, match="nowhere"):
        Proxies(["nowhere"])
    with pytest.raises(ValueError, match="host bits"):
        Proxies(["10.0.0.1/8"])


def test_an_ipv6_customer_is_one_caller() -> None:
    """Addresses of one IPv6 network of 64 bits count as one, since whoever has one of them has all; IPv4 addresses do not."""
    assert neighbourhood("2001:db8::1") == neighbourhood("2001:db8::ffff:1") == "2001:db8::/64"
    assert neighbourhood("2001:db8:0:1::1") != neighbourhood("2001:db8::1")
    assert neighbourhood("198.51.100.1") == "198.51.100.1"
    assert neighbourhood("") == ""
