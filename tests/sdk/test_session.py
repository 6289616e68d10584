"""The client's side of the conversation, without a connection."""

import pytest

from oddtrick_protocol import messages as m
from oddtrick_protocol.facts import event_to_wire, info_to_wire, view_to_wire
from oddtrick_protocol.table_info import TableInfo
from oddtrick_rules.cards import card_named
from oddtrick_rules.events import CardPlayed, TrickQuitted
from oddtrick_rules.seats import Seat
from oddtrick_sdk.errors import ProtocolViolation
from oddtrick_sdk.mirror import Happened, Resynced
from oddtrick_sdk.session import UNANSWERED_MAX, Answered, Gone, NotYet, Session, Welcomed, unaddressed
from oddtrick_sdk.testing import view_of

CARDS = ["S4", "S5", "S6", "S7", "S8", "S9"]
STATE = view_of("N", hand="SA SK SQ").state


def welcome(session: Session) -> list[m.FromClient]:
    """Connect, be welcomed; what goes out then."""
    session.opened()
    (hello,) = session.take_outgoing()
    assert isinstance(hello, m.Hello)
    session.received(m.Welcome(id=hello.id, token="t", identity="i", name="Ada", protocol=1))
    return session.take_outgoing()


def snapshot(seq: int) -> m.Snapshot:
    return m.Snapshot(table="T", seq=seq, info=info_to_wire(TableInfo()), view=view_to_wire(STATE), seat="N")


def played(seq: int) -> m.Event:
    event = CardPlayed(Seat.E, card_named(CARDS[seq % 6]), 11)
    return m.Event(table="T", seq=seq, event=event_to_wire(event), hand=1)


def at_table(seq: int = 4) -> Session:
    session = Session(name="Ada", nonce="x")
    welcome(session)
    session.received(snapshot(seq))
    return session


def test_nothing_but_hello_goes_out_before_the_welcome() -> None:
    """What is asked before the welcome waits for it."""
    session = Session(name="Ada", nonce="x")
    session.send(unaddressed(m.Tables))
    session.opened()
    assert [type(message) for message in session.take_outgoing()] == [m.Hello]
    session.send(unaddressed(m.Ping))
    assert session.take_outgoing() == []


def test_after_the_welcome_tables_are_resumed_before_anything_is_sent_again() -> None:
    """On a new connection one resume per table goes out, then what is unanswered, in order and with its old ids."""
    session = at_table(seq=4)
    first = session.send(unaddressed(m.Ping))
    second = session.send(unaddressed(m.Tables))
    session.take_outgoing()
    session.lost()
    again = welcome(session)
    assert isinstance(again[0], m.Resume)
    assert again[0].seq == 4
    assert [message.id for message in again[1:]] == [first, second]


def test_the_token_of_the_welcome_is_used_from_then_on() -> None:
    """The next hello brings back the identity of the first."""
    session = at_table()
    assert (session.identity, session.token) == ("i", "t")
    session.lost()
    session.opened()
    (hello,) = session.take_outgoing()
    assert isinstance(hello, m.Hello)
    assert hello.token == "t"


def test_ids_are_never_used_twice() -> None:
    """Over connections of one session every message has an id of its own."""
    session = at_table()
    ids = {session.send(unaddressed(m.Ping)) for _ in range(20)}
    session.lost()
    welcome(session)
    ids |= {session.send(unaddressed(m.Ping)) for _ in range(20)}
    assert len(ids) == 40


def test_an_event_is_told_once() -> None:
    """B60: a packet delivered twice was taken for two; here an event already seen is dropped, whether alone or in a run."""
    session = at_table(seq=4)
    assert isinstance(session.received(played(5))[0], Happened)
    assert session.received(played(5)) == []
    run = [m.Item(seq=item.seq, event=item.event) for item in (played(4), played(5), played(6))]
    assert [
        output.seq for output in session.received(m.Events(table="T", events=run)) if isinstance(output, Happened)
    ] == [6]


def test_a_gap_is_asked_for_once_and_nothing_beyond_it_is_told() -> None:
    """An event that comes too early is dropped, and the run after the last one seen is asked for, once (B60)."""
    session = at_table(seq=4)
    assert session.received(played(6)) == []
    assert session.received(played(7)) == []
    (resume,) = session.take_outgoing()
    assert isinstance(resume, m.Resume)
    assert resume.seq == 4
    session.received(m.Ok(id=resume.id))
    told = [output for seq in (5, 6, 7) for output in session.received(played(seq))]
    assert [output.seq for output in told if isinstance(output, Happened)] == [5, 6, 7]


def test_a_second_gap_is_asked_for_again() -> None:
    """After the missing run has come, a new gap is another one."""
    session = at_table(seq=4)
    session.received(played(6))
    session.take_outgoing()
    session.received(played(5))
    session.received(played(9))
    assert [message.seq for message in session.take_outgoing() if isinstance(message, m.Resume)] == [5]


def test_a_snapshot_replaces_everything() -> None:
    """After a snapshot the table is as it says, whatever was known before."""
    session = at_table(seq=4)
    session.received(played(5))
    (output,) = session.received(snapshot(2))
    assert isinstance(output, Resynced)
    mirror = session.tables["T"]
    assert (mirror.seq, mirror.state, mirror.seat) == (2, STATE, Seat.N)


def test_a_server_that_has_forgotten_more_than_we_know_is_asked_for_everything() -> None:
    """If our last event is beyond the server's, the whole table is asked for."""
    session = at_table(seq=4)
    session.lost()
    (resume,) = welcome(session)
    session.received(m.Refused(id=resume.id, code="bad_seq"))
    (again,) = session.take_outgoing()
    assert isinstance(again, m.Resume)
    assert again.seq == 0


def test_a_table_that_is_gone_is_forgotten() -> None:
    """A resume that is refused takes the table away, and says so."""
    session = at_table()
    session.lost()
    (resume,) = welcome(session)
    (output,) = session.received(m.Refused(id=resume.id, code="no_such_table"))
    assert output == Gone("T", "no_such_table")
    assert "T" not in session.tables


def test_an_answer_is_told_once() -> None:
    """A second answer to one id, or one to a message given up, is nothing."""
    session = at_table()
    id_ = session.send(unaddressed(m.Ping))
    assert session.received(m.Pong(id=id_)) == [Answered(id_, m.Pong(id=id_))]
    assert session.received(m.Pong(id=id_)) == []
    given_up = session.send(unaddressed(m.Ping))
    session.give_up(given_up)
    assert session.received(m.Pong(id=given_up)) == []


def test_what_came_too_fast_is_sent_again() -> None:
    """A refusal for haste is no answer: the same message goes out again, with the same id."""
    session = at_table()
    id_ = session.send(unaddressed(m.Tables))
    session.take_outgoing()
    assert session.received(m.Refused(id=id_, code="rate", retry_after_ms=50)) == [NotYet(id_, 50)]
    session.resend(id_)
    assert [message.id for message in session.take_outgoing()] == [id_]


def test_what_always_comes_too_fast_is_refused_in_the_end() -> None:
    """A server that says `not now` for ever is believed at last."""
    session = at_table()
    id_ = session.send(unaddressed(m.Tables))
    outputs = [session.received(m.Refused(id=id_, code="busy", retry_after_ms=1))[0] for _ in range(21)]
    assert all(isinstance(output, NotYet) for output in outputs[:-1])
    assert isinstance(outputs[-1], Answered)


def test_the_unanswered_are_bounded() -> None:
    """A client that sends without end into a dead line is told so."""
    session = Session(name="Ada", nonce="x")
    for _ in range(UNANSWERED_MAX):
        session.send(unaddressed(m.Ping))
    with pytest.raises(RuntimeError, match="unanswered"):
        session.send(unaddressed(m.Ping))


def test_a_welcome_nobody_asked_for_is_a_violation() -> None:
    """A server may not welcome one who has not said hello."""
    session = Session(name="Ada", nonce="x")
    with pytest.raises(ProtocolViolation):
        session.received(m.Welcome(id="x-9", token="t", identity="i", name="Ada", protocol=1))


def test_an_event_that_cannot_be_read_is_a_violation_and_one_of_a_new_type_is_not() -> None:
    """A broken event gives the server up; an unknown one is passed over and counted."""
    session = at_table(seq=4)
    assert session.received(m.Event(table="T", seq=5, event={"t": "pack_burnt"})) == []
    assert session.tables["T"].seq == 5
    with pytest.raises(ProtocolViolation):
        session.received(m.Event(table="T", seq=6, event={"t": "card_played"}))


def test_an_event_that_does_not_fit_has_the_whole_table_sent() -> None:
    """A client out of step asks for everything, once, and goes on from there."""
    session = at_table(seq=4)
    stray = TrickQuitted(3, None)
    assert session.received(m.Event(table="T", seq=5, event=event_to_wire(stray))) == []
    (resume,) = session.take_outgoing()
    assert isinstance(resume, m.Resume)
    assert resume.seq == 0
    assert session.received(played(6)) == []
    assert session.take_outgoing() == []
    session.received(m.Ok(id=resume.id))
    session.received(snapshot(6))
    assert isinstance(session.received(played(7))[0], Happened)


def test_a_table_we_have_left_is_not_listened_to() -> None:
    """The tail of a table that was left neither tells anything nor asks for more."""
    session = at_table(seq=4)
    session.forget("T")
    assert session.received(played(9)) == []
    assert session.received(m.May(table="T", acts=[])) == []
    assert session.take_outgoing() == []


def test_a_welcome_is_told() -> None:
    """The identity and its token are told to whoever listens."""
    session = Session(name="Ada", nonce="x")
    session.opened()
    (hello,) = session.take_outgoing()
    outputs = session.received(m.Welcome(id=hello.id, token="t", identity="i", name="Ada", protocol=1, caps=["resume"]))
    assert outputs[0] == Welcomed("i", "Ada", "t", "", ("resume",))


def watching() -> Session:
    session = Session(name="Ada", nonce="x")
    welcome(session)
    session.give_up(session.send(unaddressed(m.Watch, table="T", invite="please")))
    session.take_outgoing()
    session.received(m.Snapshot(table="T", seq=4, info=info_to_wire(TableInfo()), view=view_to_wire(STATE), seat=None))
    return session


def test_a_bystander_who_was_away_comes_in_again_by_the_same_door() -> None:
    """A table lets go of a bystander whose line is down; back on line he watches it again, with his invite, unasked."""
    session = watching()
    session.lost()
    (resume,) = welcome(session)
    assert session.received(m.Refused(id=resume.id, code="not_at_table")) == []
    (again,) = session.take_outgoing()
    assert isinstance(again, m.Watch)
    assert (again.table, again.invite) == ("T", "please")
    session.received(m.Ok(id=again.id))
    assert "T" in session.tables


def test_a_bystander_who_may_not_come_in_again_is_told_so() -> None:
    """Refused at the door, he is told that the table is gone for him, and does not knock for ever."""
    session = watching()
    session.lost()
    (resume,) = welcome(session)
    session.received(m.Refused(id=resume.id, code="not_at_table"))
    (again,) = session.take_outgoing()
    (gone,) = session.received(m.Refused(id=again.id, code="no_watching"))
    assert isinstance(gone, Gone)
    assert session.take_outgoing() == []


def test_a_line_that_breaks_between_a_seat_and_its_snapshot() -> None:
    """Who was told that he has a seat, and no more, asks for the whole table on his next line."""
    session = Session(name="Ada", nonce="x")
    welcome(session)
    sat = session.send(unaddressed(m.Sit, table="T"))
    session.received(m.Ok(id=sat, table="T", seat="N"))
    session.lost()
    (resume,) = welcome(session)
    assert isinstance(resume, m.Resume)
    assert (resume.table, resume.seq) == ("T", 0)


def test_a_line_that_breaks_while_a_bystander_comes_in_again() -> None:
    """A bystander whose line breaks again before he is in asks once more by the same door."""
    session = Session(name="Ada", nonce="x")
    welcome(session)
    watched = session.send(unaddressed(m.Watch, table="T", invite="i"))
    session.received(m.Ok(id=watched, table="T"))
    for _ in range(2):
        session.lost()
        (resume,) = welcome(session)
        assert session.received(m.Refused(id=resume.id, code="not_at_table")) == []
        (again,) = session.take_outgoing()
        assert isinstance(again, m.Watch)
        assert again.invite == "i"


def test_a_table_too_busy_to_be_resumed_is_asked_again() -> None:
    """A store that cannot be reached keeps a table busy; nobody at it is lost, he asks until he is answered."""
    session = at_table(seq=4)
    session.lost()
    (resume,) = welcome(session)
    for _ in range(UNANSWERED_MAX):
        (later,) = session.received(m.Refused(id=resume.id, code="busy", retry_after_ms=300))
        assert later == NotYet(resume.id, 300)
        session.resend(resume.id)
        assert session.take_outgoing() == [resume]
    session.received(m.Ok(id=resume.id))
    assert "T" in session.tables
    session.resend(resume.id)
    assert session.take_outgoing() == []
