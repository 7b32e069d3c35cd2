"""Quiet hours and the table of rules."""

from datetime import UTC, datetime

import pytest

from sightline.messages.preferences import Preferences, QuietHours

NIGHT = Preferences(quiet_hours={"start": "22:00", "end": "07:00", "zone": "America/Sao_Paulo"})


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-01-14T01:30", "2026-01-14T10:00"),  # 22:30 there
        ("2026-01-14T09:59", "2026-01-14T10:00"),
        ("2026-01-14T10:00", None),
        ("2026-01-14T15:00", None),
    ],
)
def test_quiet_hours_over_midnight_end_in_the_morning_of_their_zone(now, end):
    found = NIGHT.not_before("video_completed", datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert found == (None if end is None else datetime.fromisoformat(end).replace(tzinfo=UTC))


def test_critical_events_are_told_at_night():
    assert NIGHT.not_before("security_critical", datetime(2026, 1, 14, 2, tzinfo=UTC)) is None


def test_quiet_hours_within_a_day():
    noon = QuietHours(start="12:00", end="13:00")
    assert noon.end_after(datetime(2026, 1, 14, 12, 30, tzinfo=UTC)) == datetime(2026, 1, 14, 13, tzinfo=UTC)
    assert noon.end_after(datetime(2026, 1, 14, 13, tzinfo=UTC)) is None
