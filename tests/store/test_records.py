from collections.abc import Sequence
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick_server.store.errors import StoreCorrupt, StoreTooNew
from oddtrick_server.store.records import decode_entry, decode_value, encode_append, encode_value

KEY = st.none() | st.binary(max_size=200)
BODIES = st.lists(st.binary(max_size=40), min_size=1, max_size=5)


@given(body=st.binary(max_size=200))
def test_a_value_comes_back(body: bytes) -> None:
    """What is encoded is decoded, whatever the bytes."""
    assert decode_value(encode_value(body), "it") == body


@given(bodies=BODIES, key=KEY)
def test_entries_come_back(bodies: Sequence[bytes], key: bytes | None) -> None:
    """Each entry of an append has its body and the append's key; no key is not an empty key."""
    decoded = [decode_entry(record, "it") for record in encode_append(bodies, key)]
    assert decoded == [(key, body) for body in bodies]


@given(one=BODIES, one_key=KEY, two=BODIES, two_key=KEY)
def test_only_the_same_append_has_the_same_records(
    one: Sequence[bytes], one_key: bytes | None, two: Sequence[bytes], two_key: bytes | None
) -> None:
    """Records are equal exactly if entries, their number and the key are."""
    same = encode_append(one, one_key) == encode_append(two, two_key)
    assert same == ((one, one_key) == (two, two_key))


def test_the_stored_form() -> None:
    """The bytes of form 1 are those its first version wrote, so that old stores stay readable."""
    assert encode_value(b"meta").hex() == "016f4e7350" + b"meta".hex()
    assert [record.hex() for record in encode_append([b"a", b"b"], b"k")] == [
        "012c6c95d4" + "0000" + "0002" + "01" + b"ka".hex(),
        "017e3917cb" + "0001" + "0002" + "01" + b"kb".hex(),
    ]
    assert encode_append([b"a"], None)[0].hex() == "01d2cdb48d" + "0000" + "0001" + "ff" + b"a".hex()


def test_any_damage_is_found() -> None:
    """A bit turned anywhere, or an end cut off, is StoreCorrupt, with what it is and what to do."""
    (record,) = encode_append([b"a card"], b"key")
    for bit in range(len(record) * 8):
        damaged = bytearray(record)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(StoreCorrupt, match=r"^entry 7 is damaged: restore it from a backup$"):
            decode_entry(bytes(damaged), "entry 7")
    for length in range(len(record)):
        with pytest.raises(StoreCorrupt, match=r"^entry 7 is damaged: "):
            decode_entry(record[:length], "entry 7")


@pytest.mark.parametrize("rest", [b"", b"\x00\x00\x00\x01", b"\x00\x00\x00\x01\x05four"])
def test_a_sound_record_that_is_no_entry(rest: bytes) -> None:
    """A value, or an entry whose key is longer than it, is StoreCorrupt when an entry is due."""
    with pytest.raises(StoreCorrupt, match="is damaged"):
        decode_entry(encode_value(rest), "it")


def test_a_record_of_a_newer_version_is_refused() -> None:
    """A sound record of form 2 is StoreTooNew, and says to use a newer version."""
    record = b"\x02" + crc32(b"body", 2).to_bytes(4, "big") + b"body"
    with pytest.raises(StoreTooNew, match="use a newer oddtrick"):
        decode_value(record, "it")
