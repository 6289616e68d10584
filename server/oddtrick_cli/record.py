"""`oddtrick record TABLE`: have a hand from a server, as a table record, as events or as PBN."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from oddtrick_cli.joining import CANNOT, DEFAULT_URL, REFUSED, code_after, is_of_account, say
from oddtrick_cli.reading import whole_number

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from websockets.sync.client import ClientConnection

    from oddtrick_protocol import messages

ANSWER_SECONDS_MAX: Final = 10.0
# Frames that may come before the answer: what the server says unasked to one who has just come in.
FRAMES_MAX: Final = 1_000


class NoAnswer(Exception):
    """The server gave no answer that can be used. The message is one line."""


def add_parser(subparsers: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `oddtrick`."""
    parser = subparsers.add_parser(
        "record",
        help="have a finished hand from a server",
        description="Print a finished hand of a table: as a table record that `oddtrick check` runs, as events (JSON "
        "Lines) or as PBN. Exit 1 if the server refuses, 2 if it cannot be asked.",
    )
    parser.add_argument("table", metavar="TABLE", help="the table's name")
    parser.add_argument("--hand", type=_hand, help="the number of the hand (default: the last one finished)")
    parser.add_argument("--format", choices=("whist", "jsonl", "pbn"), default="whist")
    parser.add_argument("--url", default=DEFAULT_URL, help=f"the server (default: {DEFAULT_URL})")
    parser.add_argument("--token", help="the token of one who may see the hand, where not everybody may")
    parser.set_defaults(run=run)


def _hand(text: str) -> int:
    from oddtrick_protocol.limits import HAND_NUMBER_MAX

    number = whole_number(text, most=HAND_NUMBER_MAX)
    if number is None:
        raise argparse.ArgumentTypeError(f"{text!r}: the number of a hand is 0 to {HAND_NUMBER_MAX}")
    return number


def run(args: argparse.Namespace) -> int:
    """Ask the server, print the hand and return the exit code."""
    from websockets.exceptions import ConnectionClosed, InvalidURI, WebSocketException
    from websockets.sync.client import connect
    from websockets.typing import Subprotocol

    from oddtrick_protocol.codec import BadMessage
    from oddtrick_protocol.limits import SERVER_MESSAGE_BYTES_MAX
    from oddtrick_protocol.version import MSGPACK

    token: str | None = args.token
    headers = {}
    if token is not None and is_of_account(token):
        headers["Authorization"] = f"Bearer {token}"
        token = None  # a hello has no room for it
    try:
        connection = connect(
            args.url,
            subprotocols=[Subprotocol(MSGPACK)],
            additional_headers=headers,
            open_timeout=ANSWER_SECONDS_MAX,
            max_size=SERVER_MESSAGE_BYTES_MAX,
        )
    except (InvalidURI, ValueError):  # ValueError: a port that is none, a name that no resolver can be asked for
        return _say(f"{args.url}: is not the URL of a server, as {DEFAULT_URL} is", CANNOT)
    except (OSError, WebSocketException) as failure:
        return _say(f"{args.url}: no server can be asked there: {failure}", CANNOT)
    try:
        with connection:
            return _ask(connection, args, token)
    except BadMessage as unsayable:
        return _say(f"refused ({unsayable.code}): not sent: {unsayable.text}", REFUSED)
    except NoAnswer as failure:
        return _say(f"{args.url}: {failure}", CANNOT)
    except ConnectionClosed as closed:
        code = None if closed.rcvd is None else closed.rcvd.code
        return _say(f"{args.url}: {(closed.rcvd and closed.rcvd.reason) or closed}", code_after(code))
    except (OSError, WebSocketException) as failure:
        return _say(f"{args.url}: it does not answer: {failure}", CANNOT)


def _say(line: str, code: int) -> int:
    say(line)
    return code


def _ask(connection: ClientConnection, args: argparse.Namespace, token: str | None) -> int:
    from oddtrick_protocol import messages, version

    hello = messages.Hello(id="1", name="record", protocol=version.PROTOCOL, client="oddtrick record", token=token)
    welcome = _answer(connection, hello)
    if isinstance(welcome, messages.Refused):
        return _refused(welcome)
    number = args.hand
    if number is None:
        hands = _answer(connection, messages.Hands(id="2", table=args.table))
        if isinstance(hands, messages.Refused):
            return _refused(hands)
        finished = [line.hand for line in (hands.hands or [])] if isinstance(hands, messages.Ok) else []
        if not finished:
            print(f"no hand of {args.table} is finished", file=sys.stderr)
            return REFUSED
        number = max(finished)
    answer = _answer(connection, messages.Record(id="3", table=args.table, hand=number, format=args.format))
    if isinstance(answer, messages.Refused):
        return _refused(answer)
    if not isinstance(answer, messages.Ok) or answer.record is None:
        raise NoAnswer("it answers without a record")
    sys.stdout.write(answer.record if answer.record.endswith("\n") else answer.record + "\n")
    return 0


def _refused(answer: messages.Refused) -> int:
    return _say(f"refused ({answer.code}): {answer.text}", REFUSED)


def _answer(
    connection: ClientConnection, message: messages.FromClient
) -> messages.Ok | messages.Refused | messages.Welcome:
    """Send a message and return its answer, passing over whatever else the server says; BadMessage if it cannot be sent."""
    from oddtrick_protocol import messages
    from oddtrick_protocol.codec import BadMessage, codec_for
    from oddtrick_protocol.version import MSGPACK

    codec = codec_for(MSGPACK)
    connection.send(codec.encode(message))
    for _ in range(FRAMES_MAX):
        try:
            received = codec.decode_server(connection.recv(timeout=ANSWER_SECONDS_MAX))
        except BadMessage as bad:
            raise NoAnswer(f"it does not speak this protocol: {bad}") from None
        if isinstance(received, messages.Ok | messages.Refused | messages.Welcome) and received.id == message.id:
            return received
    raise NoAnswer("it does not answer")
