"""Whose connection it is: the address of the line itself, or what a proxy that the operator named says of it.

`X-Forwarded-For` is a list to which every proxy adds, on the right, whom it was called by. So it is read from the right, past the
proxies that are trusted, up to the first address that is not: that one was seen by a proxy of ours, and all to the left of it is
what a stranger chose to write. From any other line the header counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address

HOPS_MAX: Final = 32  # entries of the header that are looked at
NETWORK_BITS: Final = 64  # of IPv6: what one customer of a provider is given at least


class Proxies:
    """The proxies that are believed; ValueError, naming it, for one that is neither an address nor a network."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._networks = tuple(ip_network(each) for each in trusted)

    def is_trusted(self, peer: str) -> bool:
        """Whether the other end of a line is one of the proxies."""
        address = _read(peer)
        return address is not None and self._trusts(address)

    def caller(self, peer: str, forwarded: Sequence[str]) -> str:
        """Return who called: `peer` is the other end of the line, `forwarded` the values of its `X-Forwarded-For` headers."""
        caller = _read(peer)
        if caller is None:
            return peer
        hops = ",".join(forwarded).rsplit(",", HOPS_MAX)[-HOPS_MAX:] if forwarded else []
        while hops and self._trusts(caller):
            before = _read(hops.pop())
            if before is None:
                break
            caller = before
        return str(caller)

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._networks)


def neighbourhood(address: str) -> str:
    """Return what the bounds per address count by: an IPv4 address, or the network that an IPv6 address is a customer's in."""
    read = _read(address)
    if isinstance(read, IPv6Address):
        return str(IPv6Network((int(read), NETWORK_BITS), strict=False))
    return address


def _read(text: str) -> Address | None:
    """An address as proxies write it: bare, with a port, in brackets; IPv4 written as IPv6 is IPv4."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
