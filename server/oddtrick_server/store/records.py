"""The stored form of what a store keeps: versioned, checked, and the same for every keeper.

    record   version (1 byte) · CRC-32 (4) of the rest, begun from the version · the rest
    value    the rest is the body
    entry    the rest is index (2) · count (2) · length of key, 255 for none (1) · key · body

Numbers are big-endian. An append is stored as one record per entry; index and count say which
entry of how many it is. Two appends are therefore the same append exactly if their records are the
same bytes, and a keeper needs nothing more to tell DUP from CONFLICT.

A record of a higher version than ours is refused (StoreTooNew); nobody guesses what it means. When
the form changes, the version goes up, the first five bytes keep their meaning, and the old form
stays readable here.
"""

import struct
from collections.abc import Sequence
from zlib import crc32

from oddtrick_server.store.errors import StoreCorrupt, StoreTooNew

RECORD_VERSION = 1
_HEAD = struct.Struct(">BI")
_ENTRY = struct.Struct(">HHB")
_NO_KEY = 255


def encode_value(body: bytes) -> bytes:
    """The stored form of a single value."""
    return _HEAD.pack(RECORD_VERSION, crc32(body, RECORD_VERSION)) + body


def decode_value(record: bytes, what: str) -> bytes:
    """The body of a stored value.

    `what` names it for the message of StoreCorrupt or StoreTooNew.
    """
    if len(record) < _HEAD.size:
        raise StoreCorrupt(f"{what} is damaged: it is too short to be a record")
    version, checksum = _HEAD.unpack_from(record)
    rest = record[_HEAD.size :]
    if version < 1 or crc32(rest, version) != checksum:
        raise StoreCorrupt(f"{what} is damaged: restore it from a backup")
    if version > RECORD_VERSION:
        raise StoreTooNew(
            f"{what} was written in form {version} and this version of oddtrick reads up to"
            f" {RECORD_VERSION}: use a newer oddtrick"
        )
    return rest


def encode_append(entries: Sequence[bytes], command_key: bytes | None) -> list[bytes]:
    """The stored forms of one append's entries."""
    key = b"" if command_key is None else command_key
    key_length = _NO_KEY if command_key is None else len(key)
    count = len(entries)
    records = []
    for index, body in enumerate(entries):
        rest = _ENTRY.pack(index, count, key_length) + key + body
        records.append(_HEAD.pack(RECORD_VERSION, crc32(rest, RECORD_VERSION)) + rest)
    return records


def decode_entry(record: bytes, what: str) -> tuple[bytes | None, bytes]:
    """The command key and the body of a stored entry; raises as `decode_value` does."""
    rest = decode_value(record, what)
    if len(rest) < _ENTRY.size:
        raise StoreCorrupt(f"{what} is damaged: it is too short to be an entry")
    _, _, key_length = _ENTRY.unpack_from(rest)
    if key_length == _NO_KEY:
        return None, rest[_ENTRY.size :]
    body_at = _ENTRY.size + key_length
    if len(rest) < body_at:
        raise StoreCorrupt(f"{what} is damaged: its key is cut short")
    return rest[_ENTRY.size : body_at], rest[body_at:]
