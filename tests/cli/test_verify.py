import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oddtrick_cli.main import run
from oddtrick_rules.cards import CARD_NAMES
from oddtrick_rules.shuffle import deal_hands, deal_order, seat_commitment, server_commitment

HAND_ID = "table-1/1"
DEALER = 3
SECRET = bytes(range(32))
ENTROPIES = tuple(bytes([seat]) * 16 for seat in range(4))


def record(*, hand: str = HAND_ID, sealed: bytes = SECRET, previous: str = "", **changes: Any) -> str:
    """A finished hand as JSON Lines, reduced to what a verifier needs; `changes` are made to its proof afterwards."""
    commitment = server_commitment(sealed, hand_id=hand, previous=bytes.fromhex(previous))
    order = deal_order(sealed, ENTROPIES, hand_id=hand, dealer=DEALER)
    hands = [[CARD_NAMES[card] for card in cards] for cards in deal_hands(order, DEALER).hands]
    proof = {
        "hand_id": hand,
        "dealer": "W",
        "previous": previous,
        "commitment": commitment.hex(),
        "secret": sealed.hex(),
        "seat_commitments": [
            seat_commitment(entropy, hand_id=hand, seat=seat, commitment=commitment).hex()
            for seat, entropy in enumerate(ENTROPIES)
        ],
        "entropies": [entropy.hex() for entropy in ENTROPIES],
    }
    hands = changes.pop("hands", hands)
    lines = [{"format": "oddtrick/hand/1"}, {"n": 1, "event": {"t": "hand_dealt", "dealer": "W", "hands": hands}}]
    return "".join(json.dumps(line) + "\n" for line in (*lines, {"proof": {**proof, **changes}}))


def verify(tmp_path: Path, text: str) -> int:
    path = tmp_path / "hand.jsonl"
    path.write_text(text, encoding="utf-8")
    return run(["verify", str(path)])


def test_an_honest_deal_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A deal that follows from its published inputs is ok."""
    assert verify(tmp_path, record()) == 0
    assert capsys.readouterr().out.startswith("ok ")


def test_a_seat_that_gave_nothing_is_noted_and_spoils_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A deal in which seats gave no entropy is reported as such: here the cards no longer follow, and that is what fails."""
    text = record(seat_commitments=[None] * 4, entropies=[""] * 4)
    assert verify(tmp_path, text) == 1
    assert "note: N: the seat gave no entropy" in capsys.readouterr().out


@pytest.mark.parametrize(
    "changes",
    [{"secret": bytes(32).hex()}, {"dealer": "N"}, {"entropies": [bytes([9]) * 16] * 4}, {"hand_id": "another"}],
)
def test_a_deal_that_somebody_chose_is_found_out(changes: dict[str, Any], tmp_path: Path) -> None:
    """Whatever input is exchanged afterwards, the deal does not hold."""
    changes = {
        name: [one.hex() for one in value] if isinstance(value, list) else value for name, value in changes.items()
    }
    assert verify(tmp_path, record(**changes)) == 1


def test_exchanged_cards_are_found_out(tmp_path: Path) -> None:
    """Two cards exchanged between hands after the commitment do not pass."""
    order = deal_order(SECRET, ENTROPIES, hand_id=HAND_ID, dealer=DEALER)
    hands = [[CARD_NAMES[card] for card in hand] for hand in deal_hands(order, DEALER).hands]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    assert verify(tmp_path, record(hands=hands)) == 1


def follower(**changes: Any) -> str:
    """The hand after `record()` at the same table."""
    before = server_commitment(SECRET, hand_id=HAND_ID).hex()
    return record(hand="table-1/2", sealed=bytes(32), previous=before, **changes)


def test_every_hand_of_a_file_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`oddtrick verify two.jsonl` said ok of the first hand and exited 0 whatever stood in the second."""
    assert verify(tmp_path, record() + follower()) == 0
    assert capsys.readouterr().out.count("ok ") == 2
    assert verify(tmp_path, record() + follower(secret=SECRET.hex())) == 1
    told = capsys.readouterr().out
    assert told.startswith("ok ")
    assert "\nNOT AS PROMISED " in told
    assert verify(tmp_path, record() + record()) == 1
    assert "chain: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "ok", "says"),
    [
        (
            record() + "".join(record().splitlines(keepends=True)[:2]),
            1,
            "hand 2 of 2 in it: holds no deal with its proof",
        ),
        (
            "".join(record().splitlines(keepends=True)[:2]) + record(),
            1,
            "hand 1 of 2 in it: holds no deal with its proof",
        ),
        (record() + '{"n": 1}\n', 1, "hand 2 of 2 in it: holds no deal with its proof"),
        (
            record().partition("\n")[2].partition("\n")[0] + "\n" + record().partition("\n")[2],
            0,
            "2 deals and one proof",
        ),
    ],
)
def test_no_deal_of_a_file_passes_unread(
    text: str, ok: int, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A deal without a proof of its own, before, after or beside one that has it, is exit 2; the others are verified."""
    assert verify(tmp_path, text) == 2
    shown = capsys.readouterr()
    assert shown.out.count("ok ") == ok
    (line,) = shown.err.splitlines()
    assert says in line


@pytest.mark.parametrize(
    "text", ["", "not json", "[[[", '{"proof": 3}', '{"event": {"t": "hand_dealt"}}\n{"proof": {}}']
)
def test_what_is_no_record_gets_one_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file without a proof is refused in one line, with an exit code of its own."""
    assert verify(tmp_path, text) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value that stands in a piece of JSON, itself included."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


LINES = [json.loads(line) for line in record().splitlines()]
PLACES = list(places(LINES))
ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["SA", "N", "00", "\ud800", 5]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def assert_an_answer(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Assert that the file holds, does not hold, or is no record, in a line: never a traceback."""
    capsys.readouterr()
    code = verify(tmp_path, text)
    shown = capsys.readouterr()
    assert code in {0, 1, 2}
    assert len(shown.err.splitlines()) == (1 if code == 2 else 0)
    assert bool(shown.out) == (code != 2)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(PLACES[1:]), ANY_JSON)
def test_whatever_stands_in_a_record_is_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: tuple[Any, ...], value: Any
) -> None:
    """Any JSON value in any place of a record gives an answer, and no traceback."""
    lines = copy.deepcopy(LINES)
    inner: Any = lines
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    assert_an_answer(tmp_path, "".join(json.dumps(line) + "\n" for line in lines), capsys)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"dealer": 5}, "dealer is a text"),
        ({"hand_id": "\ud800"}, "hand_id is a text"),
        ({"secret": "zz"}, "secret is written in hexadecimal digits"),
        ({"entropies": ["", ""]}, "entropies is a list of four"),
        ({"seat_commitments": {"N": ""}}, "seat_commitments is a list of four"),
        ({"hands": [list(range(13))] * 4}, "four hands of thirteen cards"),
    ],
)
def test_a_proof_that_cannot_be_read_is_said_to_be(
    changes: dict[str, Any], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A value that cannot stand where it does is exit 2, in a line that says what belongs there."""
    assert verify(tmp_path, record(**changes)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line


def test_a_number_without_end_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An integer of more digits than Python reads is exit 2, in one line."""
    assert verify(tmp_path, record().replace('"n": 1', f'"n": {"9" * 5000}')) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
