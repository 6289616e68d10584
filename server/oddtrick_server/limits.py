"""Every bound of the server: its value, its unit (the name ends with it) and why it is what it is.

One frozen record, so that a test can run with a table of another size and an operator can set any of them in the configuration
file (`[limits]`). The bounds of single messages are the protocol's own (`oddtrick_protocol.limits`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The bounds of one server."""

    # --- connections ---
    connections_max: int = 10_000  # 15 KiB each
    connections_per_address_max: int = 50  # a club behind one router
    lines_spare: int = 100  # lines beyond those bounds, here and of one address: of upgrades under way, and of the page
    hello_s: float = 5.0  # to say who one is; nothing else is answered before
    outbox_bytes_max: int = 256 * 1024  # a reader this far behind is dropped, and may resume
    kernel_bytes_max: int = 64 * 1024  # the same of what the machine's own buffers take before our outbox does
    close_s: float = 2.0  # for a close code to get through before the line is cut
    ping_interval_s: float = 15.0
    ping_timeout_s: float = 15.0  # a line that is silent for 30 s is dead
    http_bytes_max: int = 16 * 1024  # of a request before the connection is ours: a bearer token may stand in it

    # --- rates (token buckets: so many at once, so many a second after that) ---
    messages_per_s: float = 20.0  # per identity, over all its connections; a person never sends two
    messages_burst: int = 60
    address_messages_per_s: float = 500.0  # per address: a club of people, or a stable of bots
    address_messages_burst: int = 3_000
    pings_per_s: float = 2.0  # pings and pongs of WebSocket itself, per line
    pings_burst: int = 20
    guests_per_s: float = 0.5  # new identities per address
    guests_burst: int = 200
    strikes_max: int = 100  # messages over the rate before the connection is closed
    connects_per_s: float = 10.0  # per address
    connects_burst: int = 100
    creates_per_s: float = 0.2  # tables opened per identity
    creates_burst: int = 20
    address_creates_per_s: float = 1.0  # the same per address
    address_creates_burst: int = 100
    reads_per_s: float = 1.0  # finished hands looked for or asked for, per identity
    reads_burst: int = 60
    address_reads_per_s: float = 5.0  # the same per address
    address_reads_burst: int = 300
    chats_per_s: float = 0.5  # per person and table
    chats_burst: int = 6
    claims_per_hand_max: int = 26  # charges of revoke by one seat: two a trick (acceptance B48)
    acts_per_hand_max: int = (
        800  # accepted acts, clocks and bots included; a long hand has 150. Its record stays under 1 MiB
    )
    rate_keys_max: int = 50_000  # buckets remembered; the oldest are forgotten

    # --- tables ---
    tables_max: int = 20_000
    tables_per_identity_max: int = 200  # that one identity sits at, watches or is host of; a bot's above all (R33)
    tables_listed_max: int = 200
    list_fresh_max: int = 500  # tables up to which the list is made anew for everybody who asks
    list_s: float = 1.0  # beyond that it may be this old
    bystanders_per_table_max: int = 2_500
    mailbox_max: int = 256  # commands waiting at one table; more are told to come again
    batch_max: int = 64  # commands judged before one append
    answers_per_table_max: int = 512  # accepted command ids a table remembers, for ids sent again
    answers_per_session_max: int = 256  # first answers a session remembers
    history_events_max: int = 600  # events a stream keeps for those who resume; then a snapshot is sent
    held_chats_max: int = 50  # words of bystanders kept until the hand is over
    banned_max: int = 200  # identities one table remembers as sent away
    sum_up_entries: int = (
        4_000  # of a log, then it is trimmed between two hands; some 40 hands, read again in half a second
    )
    entries_unsummed_max: int = 8_000  # of one hand drawn out: then nothing is taken but what ends it
    sum_bytes_max: int = 1_000_000  # of that sum; the most a store takes is 1 MiB, and 2,500 bystanders make 0.2
    resume_frame_events_max: int = 100  # events in one frame of a resume

    # --- time at the table, beyond the clocks that the host sets (R32) ---
    cut_to_deal_s: float = 2.0  # R13
    commit_s: float = 5.0  # for the seats' commitments to the deal
    reveal_s: float = 5.0  # for what they committed to
    regain_s: float = 5.0  # after a crash of ours, before anyone is called absent
    freeze_s: float = 10.0  # nobody connected: the table's clocks stop
    bot_think_s: float = 1.0  # a house bot acts this long after it may: the same whatever it holds (B92)
    pause_s: float = 1_800.0  # the longest pause
    unload_s: float = 60.0  # a frozen table leaves the memory
    unjoined_s: float = 300.0  # a table nobody ever sat at
    idle_s: float = 1_800.0  # a table without a rubber and without anybody
    frozen_s: float = 86_400.0  # a rubber nobody came back to is archived
    hands_s: float = (
        365 * 86_400.0
    )  # finished hands of closed tables are kept; 0: for good. On Redis each takes 12 KiB of memory
    sweep_s: float = 30.0  # how often the lobby looks for such tables
    store_retry_s: float = 0.5  # between attempts to write
    store_told_s: float = 1.0  # after this, everybody at a table is told that it waits for the store
    store_stuck_s: float = 30.0  # after this, a table that cannot write closes its connections

    # --- people ---
    token_s: float = 30 * 86_400.0  # a guest's token is good for
    token_renew_s: float = 7 * 86_400.0  # and is renewed when less than this is left
    account_token_s: float = 12 * 3600.0  # an account's own token here, before the issuer's must be shown again
    name_chars_max: int = 24  # after cleaning
    session_s: float = 600.0  # first answers are remembered after the last line is lost
    tasks_per_connection_max: int = 8  # things one line may have under way that need the store

    # --- stopping ---
    drain_s: float = 15.0  # from SIGTERM to the end, at most


DEFAULT_LIMITS = Limits()

NONE_IS_FINE: Final = frozenset(
    {"bystanders_per_table_max", "banned_max", "held_chats_max", "lines_spare", "list_fresh_max"}
)
"""Bounds of how many that may be 0: nobody may, or nothing is kept."""
WITHOUT_END: Final = frozenset(
    {
        "account_token_s",
        "bot_think_s",
        "close_s",
        "hello_s",
        "ping_interval_s",
        "ping_timeout_s",
        "store_retry_s",
        "sweep_s",
        "token_s",
    }
)
"""Times that may not be 0: nothing could be done within them, or the same would be done again without end."""


def may_be_zero(name: str) -> bool:
    """Whether a bound of that name may be 0 at a server that is to serve."""
    is_count = not name.endswith("_s")
    return name in NONE_IS_FINE if is_count else name not in WITHOUT_END
