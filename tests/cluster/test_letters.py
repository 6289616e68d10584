import msgspec
import pytest

from oddtrick_protocol import messages as m
from oddtrick_rules.seats import Seat
from oddtrick_server.cluster.letters import (
    Answer,
    Ask,
    Beat,
    Follow,
    Gone,
    Guest,
    Head,
    Letter,
    News,
    NotMine,
    Released,
    Replaced,
    Unfollow,
    answer_of,
    decode_letter,
    encode_letter,
    lines_digest,
    message_in,
    raw_message,
)
from oddtrick_server.person import Done, No, Person, Reply

GUEST = Guest(7, "ann", "Ann", bot=False, shown=True)
LETTERS: list[Letter] = [
    Follow("one", "t", [GUEST]),
    Unfollow("one", "t"),
    Gone("one", "t", 7),
    News("one", "t", 3, 12, [b"entry"], [Answer(7, "id", seat="N")], 1.5),
    Replaced("one", "t", 7),
    NotMine("one", "t"),
    Released("one", "t"),
    Beat("one", [Head("t", 3, 12)], ["u"], 1.5),
    Beat("one", [Head("t", 3, 12)], ["u"], 1.5, {"u": 4_000_000_000}),
]


@pytest.mark.parametrize("letter", LETTERS, ids=lambda letter: type(letter).__name__)
def test_letters_arrive_as_they_were_written(letter: Letter) -> None:
    """What one server writes another reads."""
    assert decode_letter(encode_letter(letter)) == letter


def test_a_clients_message_travels_whole() -> None:
    """A message of a client comes out of a letter as it went in."""
    message = m.Act(id="x", table="t", act={"do": "play", "card": "SA"}, prompt="p1")
    letter = decode_letter(encode_letter(Ask("one", "t", GUEST, raw_message(message))))
    assert isinstance(letter, Ask)
    assert message_in(letter.message) == message
    assert letter.guest.person == Person("ann", "Ann")


@pytest.mark.parametrize(
    "reply",
    [Done(), Done(Seat.S, "invite"), No("seat_taken", "taken", ("R33",), 500)],
    ids=lambda reply: str(reply)[:20],
)
def test_answers_travel_whole(reply: Reply) -> None:
    """What a table replied is what the line's own server is told."""
    assert answer_of(7, "id", reply).reply == reply


@pytest.mark.parametrize(
    "data",
    [b"", b"\xc1", msgspec.msgpack.encode({"type": "a thought"}), msgspec.msgpack.encode([1]), b"\x91" * 5_000],
)
def test_what_is_no_letter_of_ours(data: bytes) -> None:
    """Letters that this version does not know, and what is none, are left unread."""
    assert decode_letter(data) is None


def test_a_field_that_is_not_known_yet() -> None:
    """A letter of a newer version is read for what is known of it."""
    fields = msgspec.msgpack.decode(encode_letter(Gone("one", "t", 7)))
    assert decode_letter(msgspec.msgpack.encode({**fields, "mood": "hopeful"})) == Gone("one", "t", 7)


def test_a_beat_of_an_older_build_tells_no_lines() -> None:
    """A beat without the lines is read, and says nothing of them; one with them is read by who does not know of it."""
    fields = msgspec.msgpack.decode(encode_letter(Beat("one", [], ["u"], 1.5, {"u": 1})))
    del fields["lines"]
    assert decode_letter(msgspec.msgpack.encode(fields)) == Beat("one", [], ["u"], 1.5)
    assert not Beat("one", [], ["u"], 1.5).lines


def test_the_same_lines_have_the_same_digest() -> None:
    """In whatever order they are; others, more or fewer have another."""
    assert lines_digest([3, 1, 2]) == lines_digest(iter([1, 2, 3]))
    assert len({lines_digest(lines) for lines in ([], [1], [2], [1, 2], [1, 4], [2, 3], [258], [1, 2, 3])}) == 8
