"""What every keeper asks of a call before it does anything: sizes, and whether an append fits.

A keeper that calls these first cannot be filled by one call, and answers as every other does.
"""

from collections.abc import Sequence

from oddtrick_server.store.interface import Outcome, StoreBounds


def check_names(bounds: StoreBounds, *names: str) -> None:
    """Raise ValueError unless each name is text a store can keep."""
    for name in names:
        if not 0 < len(name) <= bounds.name_chars_max or "\x00" in name:
            raise ValueError(f"a name is 1 to {bounds.name_chars_max} characters: {name[:40]!r}")
        name.encode()  # a lone surrogate is a ValueError too: it has no UTF-8


def check_body(bounds: StoreBounds, body: bytes) -> None:
    """Raise ValueError if a body is longer than a store takes."""
    if len(body) > bounds.body_bytes_max:
        raise ValueError(f"a body is at most {bounds.body_bytes_max} bytes, not {len(body)}")


def check_append(bounds: StoreBounds, entries: Sequence[bytes], command_key: bytes | None) -> None:
    """Raise ValueError if an append makes no sense, whatever the log holds."""
    if not 0 < len(entries) <= bounds.append_entries_max:
        raise ValueError(f"an append is 1 to {bounds.append_entries_max} entries")
    if command_key is not None and len(command_key) > bounds.command_key_bytes_max:
        raise ValueError(f"a command key is at most {bounds.command_key_bytes_max} bytes")
    for body in entries:
        check_body(bounds, body)


def check_numbers(*numbers: int | None) -> None:
    """Raise ValueError unless each number is one that every keeper can keep; None is no number."""
    for number in numbers:
        if number is not None and not 0 <= number < 1 << 63:
            raise ValueError(f"a number is 0 or more and has 63 bits at most, not {number}")


def judge_append(*, head_seq: int, expected_seq: int, owner_fence: int, fence: int) -> Outcome | None:
    """What becomes of an append by its numbers alone; None if the entries must be compared.

    None means that something is at the place already: the very same append is DUP, any other
    CONFLICT.
    """
    if fence != owner_fence:
        return Outcome.FENCED
    if head_seq < expected_seq:
        return Outcome.GAP
    if head_seq == expected_seq:
        return Outcome.OK
    return None
