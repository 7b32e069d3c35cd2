"""The rule that decides between replay and gap, case by case."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.live.resume import Position, Standing, why_not

FULL = Standing("now", top=257, oldest=158)
EMPTY = Standing("now", top=257, oldest=258)
NEW = Standing("now", top=0, oldest=1)


@pytest.mark.req(210)
@pytest.mark.req(212)
@pytest.mark.parametrize(
    ("position", "standing", "reason"),
    [
        (Position(257, "now"), FULL, None),  # missed nothing
        (Position(256, "now"), FULL, None),  # missed one
        (Position(157, "now"), FULL, None),  # missed all that is buffered
        (Position(156, "now"), FULL, "buffer_exceeded"),  # missed one more
        (Position(0, "now"), FULL, "buffer_exceeded"),
        (Position(258, "now"), FULL, "ahead"),
        (Position(10_000, "now"), FULL, "ahead"),
        (Position(257, "then"), FULL, "epoch_changed"),  # the number alone would look right
        (Position(10_000, "then"), FULL, "epoch_changed"),
        (Position(200), FULL, None),  # an epoch need not be told
        (Position(100), FULL, "buffer_exceeded"),
        (Position(257, "now"), EMPTY, None),  # an empty buffer is no loss to who has missed nothing
        (Position(256, "now"), EMPTY, "buffer_exceeded"),
        (Position(0, "now"), NEW, None),
        (Position(1, "now"), NEW, "ahead"),
    ],
)
def test_what_a_returning_client_is_told(position, standing, reason):
    assert why_not(position, standing) == reason


@given(last=st.integers(0, 400), top=st.integers(0, 300), size=st.integers(0, 100))
def test_a_replay_is_promised_exactly_if_every_missed_number_is_there(last, top, size):
    oldest = max(1, top - size + 1)
    buffered = set(range(oldest, top + 1))
    missed = set(range(last + 1, top + 1))
    is_promised = why_not(Position(last), Standing("e", top, oldest)) is None
    assert is_promised == (last <= top and missed <= buffered)
