"""What a clip covers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import InvalidInput
from sightline.media.clips import ClipSpan, clip_span


@pytest.mark.req(125, 126)
@pytest.mark.parametrize(
    ("t_start", "t_end", "padding", "duration", "expected"),
    [
        (3000, 4000, 2000, 10_000, ClipSpan(1000, 6000)),
        (500, 1000, 2000, 10_000, ClipSpan(0, 3000)),
        (9000, 9500, 2000, 10_000, ClipSpan(7000, 10_000)),
        (0, 60_000, 0, 10_000, ClipSpan(0, 10_000)),
        (3000, 4000, 2000, None, ClipSpan(1000, 6000)),
    ],
)
def test_padding_is_added_within_the_video(t_start, t_end, padding, duration, expected):
    assert clip_span(t_start, t_end, padding, duration) == expected


def test_a_clip_that_begins_behind_the_end_is_refused():
    with pytest.raises(InvalidInput, match="the video ends at 10000 ms"):
        clip_span(10_000, 11_000, 2000, 10_000)


@given(st.integers(0, 10**7), st.integers(1, 10**6), st.integers(0, 10**5), st.integers(1, 10**7))
def test_the_span_is_never_empty_and_holds_the_requested_times(t_start, length, padding, duration):
    if t_start >= duration:
        return
    span = clip_span(t_start, t_start + length, padding, duration)
    assert 0 <= span.start_ms <= t_start < span.end_ms <= duration
