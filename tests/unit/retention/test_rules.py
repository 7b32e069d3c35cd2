"""Which removals are announced, which settings are refused, and how limits read."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from sightline.byte_sizes import bytes_text
from sightline.config import load_settings
from sightline.errors import ConfigurationError
from sightline.retention import RetentionSettings, upcoming_removals
from sightline.timing import utc_now
from sightline.videos import Video, VideoPart, VideoStatus

NOW = utc_now()


def video(days_old, *, status=VideoStatus.COMPLETED, **others):
    values: dict[str, Any] = dict.fromkeys(Video.__dataclass_fields__)
    values |= {
        "id": uuid4(),
        "status": status,
        "index_status": "ready" if status is VideoStatus.COMPLETED else "failed",
        "created_at": NOW - timedelta(days=days_old),
    }
    return Video(**(values | others))


def parts(settings, one):
    return [removal.part for removal in upcoming_removals(RetentionSettings(**settings), one, now=NOW)]


@pytest.mark.req(404)
@pytest.mark.parametrize(
    ("settings", "one", "announced"),
    [
        ({}, video(5000), []),
        ({"originals_days": 30}, video(22), []),
        ({"originals_days": 30}, video(24), [VideoPart.ORIGINAL]),
        ({"originals_days": 30}, video(99), [VideoPart.ORIGINAL]),
        ({"originals_days": 30}, video(99, original_removed_at=NOW), []),
        ({"originals_days": 30}, video(24, status=VideoStatus.PRINTING), []),
        ({"originals_days": 30, "notice_days": 1}, video(24), []),
        ({"frames_days": 30}, video(24, status=VideoStatus.FAILED), []),
        ({"frames_days": 28, "originals_days": 26}, video(24), [VideoPart.ORIGINAL, VideoPart.FRAMES]),
        ({"videos_days": 26, "originals_days": 26, "frames_days": 28}, video(24), [VideoPart.WHOLE]),
    ],
)
def test_a_removal_is_announced_within_the_days_of_notice(settings, one, announced):
    assert parts(settings, one) == announced


@pytest.mark.req(400)
def test_failed_jobs_cannot_be_removed_sooner_than_finished_ones():
    for environment in (
        {"SIGHTLINE_RETENTION_FAILED_JOBS_DAYS": "10"},
        {"SIGHTLINE_RETENTION_FAILED_JOBS_DAYS": "10", "SIGHTLINE_RETENTION_DONE_JOBS_DAYS": "11"},
    ):
        with pytest.raises(ConfigurationError, match="failed jobs are kept for investigation"):
            load_settings(environment, env_file=None)
    RetentionSettings(done_jobs_days=10, failed_jobs_days=10)
    RetentionSettings(done_jobs_days=10)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (1500, "1.5 kB"),
        (999_960, "1 MB"),
        (650_000_000, "650 MB"),
        (10**10, "10 GB"),
        (10**19, "10000 PB"),
    ],
)
def test_sizes_read_as_on_the_page(count, text):
    assert bytes_text(count) == text
