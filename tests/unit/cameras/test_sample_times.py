"""Times of recorded samples: whatever a camera sends, decoding times rise and segments meet."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.cameras.recording.holds import Holds
from sightline.cameras.recording.segments import FinishedSegment
from sightline.cameras.recording.segments.parameter_sets import parameter_sets, without_adts
from sightline.cameras.recording.segments.sample_times import TICKS, CodedSample, is_jump, sample_times, with_clock
from sightline.cameras.recording.segments.wall_clock import WallClock
from sightline.errors import InvalidInput

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def sample(pts_s, dts_s=None, *, arrived_s=None, is_key=False):
    return CodedSample(b"x", pts_s, dts_s, is_key, arrived_s if arrived_s is not None else (pts_s or 0.0))


@given(
    st.lists(
        st.tuples(st.floats(0, 30), st.one_of(st.none(), st.floats(0, 30))),
        min_size=1,
        max_size=40,
    ),
    st.one_of(st.none(), st.integers(0, 20 * TICKS)),
)
def test_decoding_times_always_rise_and_no_picture_is_shown_before_it_is_decoded(given_times, after):
    samples = [sample(pts, dts) for pts, dts in given_times]
    times = sample_times(samples, origin_s=-1.0, after=after, following=None)
    assert all(earlier.dts < later.dts for earlier, later in pairwise(times))
    assert all(one.pts >= one.dts and one.duration > 0 for one in times)
    assert after is None or times[0].dts >= after


def test_reordered_pictures_without_decoding_times_get_the_usual_ones():
    shown = [0.0, 0.3, 0.1, 0.2, 0.6, 0.4, 0.5]
    times = sample_times([sample(at) for at in shown], origin_s=-1.0, after=None, following=None)
    assert [one.pts for one in times] == [round((at + 1) * TICKS) for at in shown]
    assert {later.dts - earlier.dts for earlier, later in pairwise(times)} == {TICKS // 10}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (sample(10.0), sample(10.04, arrived_s=10.04), False),
        (sample(10.3), sample(10.1, arrived_s=10.34), False),  # reordered
        (sample(10.0), sample(3.0, arrived_s=10.04), True),  # the camera set its clock back
        (sample(10.0), sample(3600.0, arrived_s=10.04), True),
        (sample(10.0), sample(17.0, arrived_s=17.0), False),  # seven seconds were lost on the way
        (sample(10.0), sample(17.0, arrived_s=10.1), True),
        (sample(None, arrived_s=10.0), sample(None, arrived_s=60.0), True),
    ],
)
def test_a_clock_that_was_set_anew_is_told_from_lost_packets(before, after, expected):
    assert is_jump(before, after) is expected


def test_packets_without_any_time_are_timed_by_their_arrival():
    first = with_clock(CodedSample(b"", None, None, True, 100.0), None)
    second = with_clock(CodedSample(b"", None, None, False, 100.5), first)
    assert (first.pts_s, second.pts_s) == (100.0, 100.5)
    assert with_clock(CodedSample(b"", None, 7.0, False, 101.0), second).pts_s == 7.0


def test_a_burst_at_the_beginning_does_not_move_the_clock_into_the_future():
    """Four seconds that a server had in its buffer arrive at once; they were taken before."""
    clock = WallClock()
    assert clock.started_at_s(0.0, [(at, 1000.0 + at / 100) for at in (0.0, 2.0, 4.0)]) == pytest.approx(996.04)
    # The next one comes as it is taken; a drift below a second changes nothing, and a larger one does.
    assert clock.started_at_s(4.0, [(4.0, 1000.5)]) == pytest.approx(1000.04)
    assert clock.started_at_s(8.0, [(8.0, 1010.0)]) == pytest.approx(1010.0)


def test_parameter_sets_are_found_before_the_picture_only():
    unit = b"\x00\x00\x00\x01"
    key_frame = unit + b"\x09\xf0" + unit + b"\x67sps" + unit + b"\x68pps" + unit + b"\x65slice" + unit + b"\x67no"
    assert parameter_sets(key_frame, "h264") == (b"\x67sps", b"\x68pps")
    assert parameter_sets(b"\x00\x00\x00\x05\x67abcd", "h264") == ()
    h265 = unit + b"\x40\x01v" + unit + b"\x42\x01s" + unit + b"\x44\x01p" + unit + b"\x26\x01slice"
    assert parameter_sets(h265, "hevc") == (b"\x40\x01v", b"\x42\x01s", b"\x44\x01p")


def test_headers_of_sound_become_its_configuration():
    # AAC LC, 16 kHz, one channel, without a checksum.
    header = bytes([0xFF, 0xF1, 0x60, 0x40, 0x01, 0x1F, 0xFC])
    assert without_adts(header + b"sound") == (b"sound", bytes([0x14, 0x08]))
    assert without_adts(b"sound") == (b"sound", None)


def segment(started_at: datetime = NOON, *, duration_s: float = 4.0, **more: Any) -> FinishedSegment:
    usual: dict[str, Any] = {
        "run": "0" * 32,
        "number": 1,
        "bytes": 1000,
        "init_bytes": 700,
        "codec": "h264",
        "width": 160,
        "height": 96,
        "has_audio": False,
        "is_independent": True,
    }
    return FinishedSegment(started_at=started_at, duration_s=duration_s, **(usual | more))


def test_a_segment_survives_the_way_between_processes():
    assert FinishedSegment.from_json(segment().to_json()) == segment()


@pytest.mark.parametrize(
    "change",
    [
        {"run": "../../etc/passwd"},
        {"number": -1},
        {"duration_s": 0},
        {"duration_s": 1e9},
        {"duration_s": float("nan")},
        {"bytes": 5},
        {"codec": "theora"},
        {"width": 10**9},
        {"started_at": 1e300},
        {"run": None},
    ],
)
def test_what_a_compromised_process_may_report_is_refused(change):
    with pytest.raises(InvalidInput):
        FinishedSegment.from_json(segment().to_json() | change)


def test_holds_join_and_reach_before_and_after():
    holds = Holds(timedelta(seconds=10), timedelta(seconds=20))
    assert holds.add(NOON, NOON) == (NOON - timedelta(seconds=10), NOON + timedelta(seconds=20))
    holds.add(NOON + timedelta(seconds=15), NOON + timedelta(seconds=40))
    covered = [at for at in range(-30, 90, 5) if holds.covers(segment(NOON + timedelta(seconds=at)))]
    assert covered == list(range(-10, 60, 5))
    assert holds.is_open_at(NOON + timedelta(seconds=59))
    holds.forget_before(NOON + timedelta(minutes=10))
    assert not holds.covers(segment(NOON))
