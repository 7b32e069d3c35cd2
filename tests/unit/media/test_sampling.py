"""Which frames are looked at and kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.media.sampling.frame_fingerprint import fingerprint
from sightline.media.sampling.frame_similarity import (
    FINGERPRINT_BYTES,
    FrameSelector,
    fingerprint_from_bytes,
    similarity,
)
from sightline.media.sampling.ranges import cut_ranges, select_frames, tick_of


@pytest.mark.req(98)
def test_of_a_second_at_120_frames_ten_are_candidates():
    ticks = [tick_of(frame / 120, 10) for frame in range(120)]
    assert len(set(ticks)) == 10
    assert [ticks.index(tick) for tick in sorted(set(ticks))] == list(range(0, 120, 12))


@pytest.mark.req(290, 293)
@given(st.floats(0.1, 20_000), st.floats(0.5, 60), st.integers(1, 16), st.floats(0.2, 12))
def test_ranges_hold_every_tick_once(duration_s, fps, processes, gop_s):
    keyframes = [number * gop_s for number in range(int(duration_s / gop_s) + 1)]
    ranges = cut_ranges(duration_s, fps, processes, keyframes)
    assert (ranges[0].first, ranges[-1].until) == (0, None)
    last = tick_of(duration_s, fps)
    for tick in {0, 1, last // 3, last // 2, last - 1, last, last + 5} - {-1}:
        assert sum(one.holds(tick) for one in ranges) == 1


@pytest.mark.req(290)
def test_all_processes_get_a_range_and_a_short_or_unmarked_video_is_not_cut():
    every_two_seconds = [2.0 * number for number in range(1800)]
    assert len(cut_ranges(14, 10, 8, every_two_seconds)) == 1
    assert len(cut_ranges(60, 10, 2, every_two_seconds)) == 2
    assert len(cut_ranges(60, 10, 1, every_two_seconds)) == 1
    assert len(cut_ranges(60, 10, 2, [])) == 1
    assert len(cut_ranges(3600, 10, 8, every_two_seconds)) == 30


def test_a_range_begins_right_after_a_frame_that_decoding_can_begin_at():
    assert [one.first for one in cut_ranges(60, 10, 2, [0.0, 8.3, 31.27, 45.0])] == [0, 313]


def picture(digit: int) -> np.ndarray:
    """A slide of half 1080 rows with something small in one corner."""
    luma = np.full((540, 960), 230, np.uint8)
    luma[100:104, 100:800] = 20
    luma[500:520, 900 + 2 * digit : 904 + 2 * digit] = 20
    return luma


@pytest.mark.req(99)
def test_one_changed_digit_on_a_still_slide_is_kept_and_a_still_slide_is_not():
    fingerprints = [fingerprint(picture(digit)) for digit in (0, 0, 1, 1, 2)]
    assert similarity(fingerprints[0], fingerprints[1]) == 1.0
    assert select_frames(enumerate(fingerprints), FrameSelector(0.95)) == [0, 2, 4]


@pytest.mark.req(99)
def test_a_slow_fade_still_yields_frames():
    """Each step is hardly a change; compared with the last frame kept, they add up."""
    picture = np.zeros((540, 960), np.uint8)
    fingerprints = []
    for step in range(40):
        picture[:, 480:] = step * 4
        shown = picture.copy()
        shown[:, ::16] = np.minimum(255, shown[:, ::16].astype(np.int16) + step).astype(np.uint8)
        fingerprints.append(fingerprint(shown))
    kept = select_frames(enumerate(fingerprints), FrameSelector(0.95))
    assert 1 < len(kept) < 40


def test_similarity_counts_the_pairs_of_the_least_similar_tile():
    one = np.zeros((2, 576), np.uint64)
    other = one.copy()
    other[0, 17] = 0b101  # two pairs say brighter
    other[1, 17] = 0b1000  # a third says darker
    other[1, 400] = 0b1
    assert similarity(one, other) == similarity(other, one) == 1 - 3 / 64
    assert similarity(other, other) == 1.0


def test_only_what_exceeds_the_threshold_is_skipped():
    one, other = np.zeros((2, 576), np.uint64), np.zeros((2, 576), np.uint64)
    other[0, 0] = 0xFFFF  # 16 of 64 pairs
    assert similarity(one, other) == 0.75
    assert select_frames([(0, one), (100, other)], FrameSelector(0.75)) == [0, 100]
    assert select_frames([(0, one), (100, other)], FrameSelector(0.74)) == [0]


def test_a_mark_is_kept_as_bytes():
    found = fingerprint(picture(3))
    assert len(found.tobytes()) == FINGERPRINT_BYTES
    assert np.array_equal(fingerprint_from_bytes(found.tobytes()), found)
