from collections.abc import Callable, Iterator
from threading import Thread

import pytest
from websockets.sync.server import ServerConnection, serve

from oddtrick_cli import main
from oddtrick_protocol import messages as m
from oddtrick_protocol.codec import codec_for
from oddtrick_protocol.version import MSGPACK, PROTOCOL
from support.records import REVOKE

Answer = Callable[[m.FromClient], m.Ok | m.Refused | m.Welcome | bytes]


class Fake:
    """A server of one connection at a time that answers as the test says, and keeps what it was sent."""

    def __init__(self) -> None:
        self.received: list[m.FromClient] = []
        self.answer: Answer = self.hands_and_record
        self.server = serve(self.talk, "127.0.0.1", 0, subprotocols=[MSGPACK])  # type: ignore[list-item]
        self.url = f"ws://127.0.0.1:{self.server.socket.getsockname()[1]}"

    def talk(self, connection: ServerConnection) -> None:
        codec = codec_for(MSGPACK)
        for data in connection:
            message = codec.decode_client(data)
            self.received.append(message)
            connection.send(codec.encode(m.Pong(id="unasked")))
            answer = self.answer(message)
            connection.send(answer if isinstance(answer, bytes) else codec.encode(answer))

    def hands_and_record(self, message: m.FromClient) -> m.Ok | m.Refused | m.Welcome | bytes:
        match message:
            case m.Hello(id=id_, name=name):
                return m.Welcome(id=id_, token="t", identity="i", name=name, protocol=PROTOCOL)
            case m.Hands(id=id_):
                return m.Ok(id=id_, hands=[m.HandLine(table="T1", hand=hand) for hand in (1, 3, 2)])
            case m.Record(id=id_, hand=hand) if hand in {2, 3}:
                return m.Ok(id=id_, record=REVOKE)
        return m.Refused(id=message.id, code="no_such_hand", text="there is no hand 7\x1b[2J")


@pytest.fixture
def server() -> Iterator[Fake]:
    fake = Fake()
    thread = Thread(target=fake.server.serve_forever)
    thread.start()
    yield fake
    fake.server.shutdown()
    thread.join()


def test_the_last_hand_is_printed(server: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a number the last finished hand of the table is asked for, and printed as it comes."""
    assert main.run(["record", "T1", "--url", server.url]) == 0
    assert capsys.readouterr().out == REVOKE
    assert server.received[-1] == m.Record(id="3", table="T1", hand=3, format="whist")


def test_a_hand_is_had_by_its_number_and_form(server: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    """With a number, a form and a token, these are what the server is asked for and with."""
    asked = ["record", "T1", "--url", server.url, "--hand", "2", "--format", "pbn", "--token", "secret"]
    assert main.run(asked) == 0
    hello, record = server.received
    assert isinstance(hello, m.Hello)
    assert hello.token == "secret"
    assert record == m.Record(id="3", table="T1", hand=2, format="pbn")


def test_a_refusal_is_one_line(server: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    """What the server refuses is said in one printable line, with exit code 1."""
    assert main.run(["record", "T1", "--url", server.url, "--hand", "7"]) == 1
    assert capsys.readouterr().err == "refused (no_such_hand): there is no hand 7\\x1b[2J\n"


def test_a_table_without_a_finished_hand_is_said_to_be(server: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no hand is finished there is nothing to ask for, and exit code 1."""
    welcome = server.answer
    server.answer = lambda message: m.Ok(id=message.id) if isinstance(message, m.Hands) else welcome(message)
    assert main.run(["record", "T1", "--url", server.url]) == 1
    assert capsys.readouterr().err == "no hand of T1 is finished\n"


def test_what_is_no_server_of_ours_is_said_to_be(server: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    """An answer that is no message, a port without a server, a URL that is none: one line, exit code 2."""
    server.answer = lambda _: b"\xc1"
    for url in (server.url, "ws://127.0.0.1:1", "whist"):
        assert main.run(["record", "T1", "--url", url]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"{url}: ")


@pytest.mark.parametrize("number", ["9" * 26, "9" * 5000, "1000001", "-1", "two", "²"])
def test_a_number_that_no_hand_has_is_not_asked_for(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A number outside the protocol's bounds is the command line's error."""
    with pytest.raises(SystemExit) as ended:
        main.run(["record", "T1", f"--hand={number}", "--url", "ws://127.0.0.1:1"])
    assert ended.value.code == 2
    assert "the number of a hand is 0 to 1000000" in capsys.readouterr().err
