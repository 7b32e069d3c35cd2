"""The rule that decides between replay and gap, case by case."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.live.resume import ResumePoint, StreamState, gap_reason

FULL = StreamState("now", top=257, oldest=158)
EMPTY = StreamState("now", top=257, oldest=258)
NEW = StreamState("now", top=0, oldest=1)


@pytest.mark.req(210, 212)
@pytest.mark.parametrize(
    ("position", "standing", "reason"),
    [
        (ResumePoint(257, "now"), FULL, None),  # missed nothing
        (ResumePoint(256, "now"), FULL, None),  # missed one
        (ResumePoint(157, "now"), FULL, None),  # missed all that is buffered
        (ResumePoint(156, "now"), FULL, "buffer_exceeded"),  # missed one more
        (ResumePoint(0, "now"), FULL, "buffer_exceeded"),
        (ResumePoint(258, "now"), FULL, "ahead"),
        (ResumePoint(10_000, "now"), FULL, "ahead"),
        (ResumePoint(257, "then"), FULL, "epoch_changed"),  # the number alone would look right
        (ResumePoint(10_000, "then"), FULL, "epoch_changed"),
        (ResumePoint(200), FULL, None),  # an epoch need not be told
        (ResumePoint(100), FULL, "buffer_exceeded"),
        (ResumePoint(257, "now"), EMPTY, None),  # an empty buffer is no loss to who has missed nothing
        (ResumePoint(256, "now"), EMPTY, "buffer_exceeded"),
        (ResumePoint(0, "now"), NEW, None),
        (ResumePoint(1, "now"), NEW, "ahead"),
    ],
)
def test_what_a_returning_client_is_told(position, standing, reason):
    assert gap_reason(position, standing) == reason


@given(last=st.integers(0, 400), top=st.integers(0, 300), size=st.integers(0, 100))
def test_a_replay_is_promised_exactly_if_every_missed_number_is_there(last, top, size):
    oldest = max(1, top - size + 1)
    buffered = set(range(oldest, top + 1))
    missed = set(range(last + 1, top + 1))
    is_promised = gap_reason(ResumePoint(last), StreamState("e", top, oldest)) is None
    assert is_promised == (last <= top and missed <= buffered)
