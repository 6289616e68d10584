"""A table taken up from its log is the table that was lost: state, numbers, prompts, clocks, answers."""

import random

import msgspec
import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol.facts import command_to_wire
from oddtrick_protocol.table_events import TableEvent
from oddtrick_rules.legal import legal
from oddtrick_rules.seats import SEATS, Seat
from oddtrick_server.book import Book
from oddtrick_server.entries import (
    ENTRY_VERSION,
    SUMMED_VERSION,
    Entry,
    Regained,
    Step,
    Summed,
    decode_entry,
    encode_entry,
    form_of,
)
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.person import Done
from oddtrick_server.store.errors import StoreCorrupt, StoreTooNew
from oddtrick_server.streams import STREAMS
from support.tables import ANNA, BEN, CLARA, EVE, Seated, people

ROUNDS = 250
KINDS: list[type[m.ClientMessage]] = [m.Watch, m.Away, m.Back, m.Leave, m.Sit, m.Pause, m.Unpause]


def folded(table: Seated) -> Book:
    book = Book(table.limits)
    for entry in table.entries():
        book.fold(entry)
    return book


def same(table: Seated, book: Book) -> None:
    """Assert that what the log tells is what the live table is."""
    live = table.fingerprint()
    kept, table.table.book = table.table.book, book
    again = table.fingerprint()
    table.table.book = kept
    assert again == live
    assert book.answers == kept.answers
    for stream in STREAMS:
        assert book.streams.after(stream, 0) == kept.streams.after(stream, 0)


@pytest.mark.parametrize("enforcement", ["strict", "guided", "club"])
@pytest.mark.parametrize("code", ["english-1864", "whist-1900", "bridge-1904"])
def test_the_log_tells_the_table(code: str, enforcement: str, seed: int) -> None:
    """Whatever is asked of a table, in whatever order, folding its log gives the same table, at every step."""
    rng = random.Random(f"{seed}/{code}/{enforcement}")
    table = Seated(chance=seed, code=code, enforcement=enforcement)
    table.play_on()
    for _ in range(ROUNDS):
        who = rng.choice([*people, EVE])
        what = rng.random()
        if what < 0.4:
            table.wait(rng.choice([0.5, 1, 3, 10]))
        elif what < 0.85:
            table.act_anyhow(rng.choice(SEATS), rng)
        elif what < 0.9:
            table.lose(who)
        elif what < 0.95:
            table.arrive(who)
        else:
            table.ask(who, rng.choice(KINDS))
        if rng.random() < 0.1:
            same(table, folded(table))
    same(table, folded(table))


def test_a_crash_costs_nobody_time() -> None:
    """No clock runs while no server does: prompts keep their ids, and what was left of them."""
    table = Seated()
    table.play_on()
    table.wait(10)
    wait = next(iter(table.table.book.waits))
    assert wait.countdown is not None
    since = table.table.book.at
    left = wait.countdown.left_s(since)
    table.now += 10_000
    table.crash()
    again = next(iter(table.table.book.waits))
    assert again.id == wait.id
    assert again.countdown is not None
    assert again.countdown.left_s(table.now) == left


def test_nobody_is_called_away_for_a_crash_of_ours() -> None:
    """Who is back within the grace after a crash was never away; who is not is away then."""
    table = Seated()
    table.play_on()
    table.done(EVE, m.Watch)
    heads = [table.table.book.streams.head(stream) for stream in STREAMS]
    table.crash()
    assert [table.table.book.streams.head(stream) for stream in STREAMS] == heads
    for one in (ANNA, BEN, EVE):
        table.arrive(one)
    assert [table.table.book.streams.head(stream) for stream in STREAMS] == heads
    table.wait(DEFAULT_LIMITS.regain_s)
    info = table.table.book.info
    assert [one is not None and one.away for one in info.seats] == [False, False, True, True]
    assert [one.name for one in info.bystanders] == ["Eve"]


def test_bystanders_who_do_not_come_back_are_gone() -> None:
    """After the grace, a bystander who is not back watches no longer."""
    table = Seated()
    table.play_on()
    table.done(EVE, m.Watch)
    table.crash()
    table.arrive(ANNA)
    table.wait(DEFAULT_LIMITS.regain_s)
    assert not table.table.book.info.bystanders


def test_an_accepted_id_is_answered_after_a_crash_and_not_done_again() -> None:
    """The same id of the same person gets its first answer from a table taken up again (B58)."""
    table = Seated()
    assert table.done(ANNA, m.Sit, id="sit-1", seat="W").seat is Seat.W
    table.crash()
    entries = table.table.book.entries
    assert table.done(ANNA, m.Sit, id="sit-1", seat="W").seat is Seat.W
    assert table.table.book.entries == entries
    assert table.refused(BEN, m.Sit, id="sit-1", seat="W") == "seat_taken"


def test_a_card_sent_five_times_is_played_once() -> None:
    """B58: a card sent again for want of an answer was played twice; here it is done once, however often it comes with one id."""
    table = Seated()
    table.play_on()
    wait = next(iter(table.table.book.waits))
    seat = wait.seats[0]
    card = next(one for one in legal(table.state, seat) if type(one).__name__ == "Play")
    fields = {"id": "play-1", "act": command_to_wire(card), "prompt": wait.id}
    replies = [table.ask(table.at(seat), m.Act, **fields) for _ in range(5)]
    assert replies == [Done()] * 5
    assert table.state.hand is not None
    assert table.state.hand.held[seat] == 12


def test_remembered_ids_are_bounded() -> None:
    """A table remembers its last accepted ids and forgets older ones."""
    table = Seated()
    table.done(CLARA, m.Sit)
    for _ in range(400):
        table.done(CLARA, m.Away)
        table.done(CLARA, m.Back)
    assert len(table.table.book.answers) == DEFAULT_LIMITS.answers_per_table_max


def test_an_entry_of_a_newer_form_is_refused() -> None:
    """A log that a newer version wrote is not guessed at, and a damaged one is named."""
    newer = encode_entry(Entry(v=ENTRY_VERSION + 1, at=0.0, steps=[]))
    with pytest.raises(StoreTooNew, match="entry 7"):
        decode_entry(newer, "entry 7")
    with pytest.raises(StoreCorrupt, match="entry 7"):
        decode_entry(newer[:-1], "entry 7")


@pytest.mark.parametrize(
    ("steps", "form"), [([], 1), ([Regained()], 1), ([Summed({})], SUMMED_VERSION), ([Regained(), Summed({})], 2)]
)
def test_an_entry_says_which_form_it_needs(steps: list[Step], form: int) -> None:
    """An older version reads what has nothing new in it, and refuses a sum, which it would not know."""
    entry = Entry(v=form_of(steps), at=1.0, steps=steps)
    assert msgspec.msgpack.decode(encode_entry(entry)).get("v", 1) == form
    assert decode_entry(encode_entry(entry), "it") == entry


def test_every_event_of_the_table_is_known_to_the_log() -> None:
    """Each kind of table event can be written into an entry and read again."""
    assert len(TableEvent.__args__) >= 25
