"""Every bound of the wire, with its unit; PROTOCOL.md lists them and a test holds the two together."""

from __future__ import annotations

from typing import Final

CLIENT_MESSAGE_BYTES_MAX: Final = 4096  # an act is under 200 bytes; the longest chat fits
HELLO_BYTES_MAX: Final = 1024  # before a connection has said who it is, it gets no more than this
SERVER_MESSAGE_BYTES_MAX: Final = 1 << 20  # the record of a long hand, or a run of missed events

MESSAGES_PER_S: Final = 15.0  # of one connection: a server takes at least this many for ever ...
MESSAGES_BURST: Final = 40  # ... and at least this many at once

ID_CHARS_MAX: Final = 64
TABLE_CHARS_MAX: Final = 32
IDENTITY_CHARS_MAX: Final = 64
NAME_CHARS_MAX: Final = 32
TOKEN_CHARS_MAX: Final = 512
INVITE_CHARS_MAX: Final = 64
CODE_CHARS_MAX: Final = 32  # the name of a code of laws
LAW_CHARS_MAX: Final = 16  # the number of a law
CLIENT_CHARS_MAX: Final = 64
SEED_CHARS_MAX: Final = 64
CHAT_CHARS_MAX: Final = 280
PHRASE_CHARS_MAX: Final = 32
PROMPT_CHARS_MAX: Final = 32
BOT_CHARS_MAX: Final = 32
COMMITMENT_HEX_CHARS: Final = 64
ENTROPY_HEX_CHARS_MIN: Final = 32
ENTROPY_HEX_CHARS_MAX: Final = 128

ACT_FIELDS_MAX: Final = 8
ACT_TEXT_CHARS_MAX: Final = 32
ACT_CARDS_MAX: Final = 13
ACT_NUMBER_MAX: Final = 1_000_000
SEQ_MAX: Final = (1 << 53) - 1  # what JavaScript counts exactly
HAND_NUMBER_MAX: Final = 1_000_000
BOTS_MAX: Final = 3
STAKES_MAX: Final = 1_000  # counters
NEW_CARDS_COUNTERS: Final = 1  # what new cards cost who calls for them
ACCOUNTS_MAX: Final = 100  # people whose counters one table keeps an account of

# R32: what a host may set, in milliseconds; 0 switches a clock off where that is allowed.
LINGER_MS: Final = (1_000, 15_000)
LINGER_MIN_MS: Final = (0, 5_000)
TURN_MS: Final = (10_000, 600_000)
CHOICE_MS: Final = (5_000, 600_000)
ABSENCE_MS: Final = (5_000, 3_600_000)
