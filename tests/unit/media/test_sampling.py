"""Which frames are looked at and kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.media.likeness import CELLS, DEFAULT_GRID, mark, similarity
from sightline.media.sampling import choose, cut_ranges, pack, packed_size, tick_of, unpack

TILES, PAIRS = DEFAULT_GRID.rows * DEFAULT_GRID.columns, CELLS * CELLS


@pytest.mark.req(98)
def test_of_a_second_at_120_frames_ten_are_candidates():
    ticks = [tick_of(frame / 120, 10) for frame in range(120)]
    assert len(set(ticks)) == 10
    assert [ticks.index(tick) for tick in sorted(set(ticks))] == list(range(0, 120, 12))


@pytest.mark.req(290)
@pytest.mark.req(293)
@given(st.floats(0.1, 20_000), st.floats(0.5, 60), st.integers(1, 16))
def test_ranges_hold_every_tick_once(duration_s, fps, most):
    ranges = cut_ranges(duration_s, fps, most)
    assert 1 <= len(ranges) <= most
    assert (ranges[0].first, ranges[-1].until) == (0, None)
    last = tick_of(duration_s, fps)
    for tick in {0, 1, last // 3, last // 2, last - 1, last, last + 5} - {-1}:
        assert sum(one.holds(tick) for one in ranges) == 1


@pytest.mark.req(290)
def test_a_short_video_is_not_cut():
    assert len(cut_ranges(59, 10, 8)) == 1
    assert len(cut_ranges(120, 10, 8)) == 2
    assert len(cut_ranges(3600, 10, 8)) == 8


def picture(digit: int) -> np.ndarray:
    """A slide of half 1080 rows with something small in one corner."""
    luma = np.full((540, 960), 230, np.uint8)
    luma[100:104, 100:800] = 20
    luma[500:520, 900 + 2 * digit : 904 + 2 * digit] = 20
    return luma


@pytest.mark.req(99)
def test_one_changed_digit_on_a_still_slide_is_kept_and_a_still_slide_is_not():
    marks = [mark(picture(digit)) for digit in (0, 0, 1, 1, 2)]
    assert similarity(marks[0], marks[1]) == 1.0
    assert choose(enumerate(marks), 0.95) == [0, 2, 4]
    assert choose(enumerate(marks), 0.0) == [0, 2, 4] or choose(enumerate(marks), 0.0) == [0]


@pytest.mark.req(99)
def test_a_slow_fade_still_yields_frames():
    """Each step is hardly a change; compared with the last frame kept, they add up."""
    picture = np.zeros((540, 960), np.uint8)
    marks = []
    for step in range(40):
        picture[:, 480:] = step * 4
        shown = picture.copy()
        shown[:, ::16] = np.minimum(255, shown[:, ::16].astype(np.int16) + step).astype(np.uint8)
        marks.append(mark(shown))
    kept = choose(enumerate(marks), 0.95)
    assert 1 < len(kept) < 40


@given(st.integers(0, 2**32 - 1))
def test_a_mark_survives_being_packed(seed):
    found = np.random.default_rng(seed).integers(-1, 2, (TILES, PAIRS)).astype(np.int8)
    packed = pack(found)
    assert len(packed) == packed_size(TILES, PAIRS)
    assert np.array_equal(unpack(packed, TILES, PAIRS), found)
