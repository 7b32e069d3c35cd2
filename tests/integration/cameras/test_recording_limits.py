"""What of a camera's recordings is kept: by its own days and bytes, by those of all, and what shows an event longest."""

from datetime import timedelta

import pytest

from sightline.cameras import SourceChange, create_source
from sightline.cameras.recording import RecordingLimits
from sightline.objects import RECORDINGS_PREFIX
from sightline.timing import utc_now
from support.recording_rig import add_camera, recorded


async def camera_with(platform, directory, name, *, days_ago=0.0, **limits):
    """A camera with these limits of which ten seconds were recorded so long ago."""
    key = await add_camera(platform, name)
    async with platform.database.transaction() as tx:
        change = SourceChange("sample", "", None, has_password=False, sealed=None, reach="public", **limits)
        await create_source(tx, key, change)
    await recorded(platform, directory / name, 10, at=utc_now() - timedelta(days=days_ago), camera_key=key)
    return key


async def rows(platform, statement, *arguments):
    async with platform.database.transaction() as tx:
        return await tx.fetch(statement, *arguments)


async def kept(platform, key):
    found = await rows(platform, "SELECT number FROM recordings WHERE camera_key = $1 ORDER BY number", key)
    return [row["number"] for row in found]


async def object_count(platform):
    return len([one async for one in platform.objects.find(RECORDINGS_PREFIX)])


def limits(platform, **of_all):
    return RecordingLimits(platform.database, platform.recording_sweep, **({"days": None, "max_bytes": None} | of_all))


@pytest.mark.req(596)
async def test_recordings_go_after_the_days_of_their_camera_or_of_all_unless_they_show_an_event(platform, tmp_path):
    short = await camera_with(platform, tmp_path, "short", days_ago=3, record_days=2)
    usual = await camera_with(platform, tmp_path, "usual", days_ago=3)
    long = await camera_with(platform, tmp_path, "long", days_ago=30, record_days=60)
    old = await camera_with(platform, tmp_path, "old", days_ago=15)
    await rows(
        platform,
        "UPDATE recordings SET held_until = now() + interval '1 day' WHERE camera_key = $1 AND number = 2",
        short,
    )
    chosen = limits(platform, days=14)
    assert len(await chosen.preview()) == 4 + 5
    assert await object_count(platform) == 20
    removed = await chosen.apply()
    assert len(removed) == 9
    assert [await kept(platform, key) for key in (short, usual, long, old)] == [
        [2],
        [0, 1, 2, 3, 4],
        [0, 1, 2, 3, 4],
        [],
    ]
    assert await object_count(platform) == 11
    await rows(platform, "UPDATE recordings SET held_until = now() - interval '1 second' WHERE held_until IS NOT NULL")
    await chosen.apply()
    assert await kept(platform, short) == []
    assert await limits(platform).apply() == {}  # without days, nothing goes by its age


@pytest.mark.req(596)
async def test_recordings_over_the_bytes_of_their_camera_go_oldest_first_and_events_last(platform, tmp_path):
    key = await camera_with(platform, tmp_path, "front", record_max_bytes=10**9)
    other = await camera_with(platform, tmp_path, "other")
    sizes = {
        row["number"]: row["bytes"]
        for row in await rows(platform, "SELECT number, bytes FROM recordings WHERE camera_key = $1", key)
    }
    await rows(
        platform,
        "UPDATE recordings SET held_until = now() + interval '1 day' WHERE camera_key = $1 AND number = 1",
        key,
    )
    await rows(
        platform,
        "UPDATE camera_sources SET record_max_bytes = $2 WHERE camera_key = $1",
        key,
        sizes[1] + sizes[3] + sizes[4],
    )
    await limits(platform).apply()
    assert await kept(platform, key) == [1, 3, 4]
    await rows(platform, "UPDATE camera_sources SET record_max_bytes = $2 WHERE camera_key = $1", key, sizes[1])
    await limits(platform).apply()
    assert await kept(platform, key) == [1]
    await rows(platform, "UPDATE camera_sources SET record_max_bytes = 1 WHERE camera_key = $1", key)
    await limits(platform).apply()
    assert await kept(platform, key) == []  # the limit is a limit
    assert await kept(platform, other) == [0, 1, 2, 3, 4]


@pytest.mark.req(596)
async def test_the_rules_of_retention_show_measure_and_limit_recordings_of_all_cameras(platform, tmp_path):
    await camera_with(platform, tmp_path, "first", days_ago=2)
    second = await camera_with(platform, tmp_path, "second", days_ago=1)
    await platform.storage_meter.measure()
    async with platform.database.transaction() as tx:
        measured = (await platform.storage_meter.read(tx)).kinds["recordings"]
    total = (await rows(platform, "SELECT sum(bytes)::bigint AS bytes FROM recordings WHERE camera_key = $1", second))[
        0
    ]["bytes"]
    assert measured.objects == 10
    assert measured.bytes > total
    outcomes = {one.rule: one for one in await platform.retention.preview()}
    assert outcomes["recordings"].count == 0
    await limits(platform, max_bytes=total).apply()
    assert await kept(platform, second) == [0, 1, 2, 3, 4]
    assert await object_count(platform) == 5
    await rows(
        platform, "UPDATE recordings SET started_at = now() - interval '20 days', ended_at = now() - interval '19 days'"
    )
    outcomes = {one.rule: one for one in await platform.retention.sweep()}
    assert (outcomes["recordings"].count, await object_count(platform)) == (5, 0)
