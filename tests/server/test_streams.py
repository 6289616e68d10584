"""The five numbered streams of a table."""

from hypothesis import given
from hypothesis import strategies as st

from oddtrick_server.streams import BYSTANDER, STREAMS, Streams

PUTS = st.lists(st.one_of(st.sampled_from(STREAMS), st.none()), max_size=60)


@given(PUTS, st.integers(1, 20))
def test_numbers_have_no_gap_and_the_latest_are_kept(puts: list[int | None], kept: int) -> None:
    """Each stream is numbered 1, 2, 3 ..., what is asked for after a number is all that came since, or is gone."""
    streams = Streams(history_events_max=kept)
    told: dict[int, list[int]] = {stream: [] for stream in STREAMS}
    for count, stream in enumerate(puts):
        event = {"t": "x", "n": count}
        if stream is None:
            streams.put_all(event, hand=0, by=None)
        else:
            streams.put(stream, event, hand=0, by=None)
        for each in STREAMS if stream is None else (stream,):
            told[each].append(count)
    for stream in STREAMS:
        assert streams.head(stream) == len(told[stream])
        for seq in range(len(told[stream]) + 1):
            run = streams.after(stream, seq)
            if len(told[stream]) - seq > kept:
                assert run is None
            else:
                assert run is not None
                assert [item.event["n"] for item in run] == told[stream][seq:]
                assert [item.seq for item in run] == list(range(seq + 1, len(told[stream]) + 1))


def test_streams_of_one_number_share_what_they_hold() -> None:
    """What everybody is shown is kept once where numbers agree, so that it is encoded once."""
    streams = Streams(history_events_max=10)
    streams.put(0, {"t": "secret"}, hand=0, by=None)
    streams.put_all({"t": "x"}, hand=1, by="clock")
    last = [streams.after(stream, streams.head(stream) - 1) for stream in STREAMS]
    items = [run[0] for run in last if run is not None]
    assert [item.seq for item in items] == [2, 1, 1, 1, 1]
    assert items[1] is items[BYSTANDER]
    assert items[0] is not items[1]
