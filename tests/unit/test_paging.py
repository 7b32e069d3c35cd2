"""Cursors and pages of lists."""

from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import InvalidInput
from sightline.paging import Cursor, page_of

ID = UUID(int=7)


@given(st.datetimes(timezones=st.just(UTC)), st.uuids())
def test_a_cursor_is_read_as_it_was_written(at, item_id):
    assert Cursor.parse(str(Cursor(at, item_id)), UUID) == Cursor(at, item_id)


def test_the_time_of_a_cursor_is_written_in_utc():
    elsewhere = datetime(2026, 1, 17, 12, 0, tzinfo=timezone(timedelta(hours=2)))
    assert str(Cursor(elsewhere, ID)) == f"2026-01-17T10:00:00Z_{ID}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "_",
        "2026-01-17T10:00:00Z",
        f"2026-01-17T10:00:00_{ID}",
        "2026-01-17T10:00:00Z_x",
        f"soon_{ID}",
        f"0001-01-01T00:00:00+14:00_{ID}",
    ],
)
def test_what_is_no_cursor_is_refused_in_plain_words(text):
    with pytest.raises(InvalidInput, match=r"^Invalid cursor$"):
        Cursor.parse(text, UUID)


def test_a_page_has_a_cursor_only_when_the_list_goes_on():
    assert page_of([3, 2, 1], 2, str).next_cursor == "2"
    assert page_of([3, 2], 2, str).next_cursor is None
    assert page_of([], 2, str).next_cursor is None
    assert list(page_of([3, 2, 1], 2, str).items) == [3, 2]
