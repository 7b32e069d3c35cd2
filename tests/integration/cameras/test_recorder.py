"""The recorder stores what its mode says, waits out an outage, and leaves nothing behind that no row names."""

import asyncio
import io
import os
from datetime import timedelta

import av
import pytest

from sightline.cameras.recording import RecordingSweep, mark_segments_viewed, recorder
from sightline.cameras.recording.store import segments_viewed_until
from sightline.errors import BackendUnavailable, InvalidInput
from sightline.objects import RECORDINGS_PREFIX, not_enough_space
from support.recording_rig import SEGMENT_S, START, add_camera, recorder_rig, segments_in
from support.waiting import soon, until


async def object_keys(platform):
    return [one.key async for one in platform.objects.find(RECORDINGS_PREFIX)]


class Outage:
    """An object store of which calls can be made to fail."""

    def __init__(self, objects):
        self._objects = objects
        self.error: Exception | None = None
        self.refused = 0

    def __getattr__(self, name):
        return getattr(self._objects, name)

    async def put_file(self, key, path, **more):
        if self.error is not None:
            self.refused += 1
            raise self.error
        return await self._objects.put_file(key, path, **more)

    async def usable_bytes(self):
        return None


@pytest.mark.req(583)
async def test_continuous_recording_stores_every_segment_with_its_time(platform, tmp_path):
    async with recorder_rig(platform, tmp_path / "camera") as rig:
        segments = segments_in(rig.directory, 10)
        await rig.keep(segments)
        await rig.until_stored(range(5))
        rows = await rig.rows("SELECT * FROM recordings ORDER BY number")
        assert [row["started_at"] for row in rows] == [one.started_at for one in segments]
        assert rows[0]["started_at"] - START < timedelta(seconds=0.2)
        content = await platform.objects.get(rows[2]["key"])
        with av.open(io.BytesIO(content), "r") as container:
            assert len(list(container.decode(video=0))) == 20
        await until(lambda: not list(rig.directory.iterdir()))
        assert rig.recorder.report.state == "recording"
    state = await rig.rows("SELECT state, reason FROM recorder_states")
    assert [tuple(row) for row in state] == [("recording", None)]


@pytest.mark.req(584)
async def test_mode_events_stores_what_was_before_and_after_an_event_and_nothing_else(platform, tmp_path):
    async with recorder_rig(platform, tmp_path / "camera", mode="events", pre_roll_s=4, post_roll_s=5) as rig:
        segments = segments_in(rig.directory, 60)
        await rig.keep(segments[:10])
        rig.recorder.hold(segments[9].started_at, segments[9].started_at + timedelta(seconds=0.5))
        await rig.keep(segments[10:])
        # Four seconds before the start of 9 is the start of 7; five after 18.5 s is within the segment that begins at 22 s.
        await rig.until_stored(range(7, 12))
        held = await rig.rows("SELECT count(*) AS held FROM recordings WHERE held_until > now() + interval '29 days'")
        assert held[0]["held"] == 5
        assert len(await object_keys(platform)) == 5
        own_files = list((tmp_path / "state" / "work").rglob("*.mp4"))
        assert 10 < len(own_files) < 18  # the ring reaches back a bounded time
    assert not list((tmp_path / "state" / "work").rglob("*.mp4"))


@pytest.mark.req(584)
async def test_an_event_that_goes_on_extends_what_is_stored(platform, tmp_path):
    async with recorder_rig(platform, tmp_path / "camera", mode="events", pre_roll_s=2, post_roll_s=2) as rig:
        segments = segments_in(rig.directory, 60)
        await rig.keep(segments[:4])
        for at in range(3, 12):
            rig.recorder.hold(segments[3].started_at, segments[at].ended_at - timedelta(seconds=0.1))
            await rig.keep(segments[at + 1 : at + 2])
        await rig.keep(segments[13:])
        await rig.until_stored(range(2, 13))
    assert len(await object_keys(platform)) == 11


@pytest.mark.req(585)
async def test_a_store_that_is_down_pauses_recording_says_so_and_loses_nothing_that_fits(platform, tmp_path):
    objects = Outage(platform.objects)
    async with recorder_rig(platform, tmp_path / "camera", objects=objects) as rig:
        segments = segments_in(rig.directory, 10)
        objects.error = BackendUnavailable("objects", "inside", public="The object store is not available")
        await rig.keep(segments)
        await until(lambda: rig.recorder.report.state == "paused")

        async def says_so() -> bool:
            rows = await rig.rows("SELECT state, reason FROM recorder_states")
            return [tuple(row) for row in rows] == [("paused", "The object store is not available")]

        await until(says_so)
        assert await rig.stored() == []
        objects.error = None
        await rig.until_stored(range(5))
        await until(lambda: rig.recorder.report.state == "recording")
    assert rig.recorder.report.dropped == 0
    assert len(await object_keys(platform)) == 5


@pytest.mark.req(585)
async def test_a_full_disk_drops_the_oldest_that_wait_and_counts_them(platform, tmp_path):
    objects = Outage(platform.objects)
    objects.error = not_enough_space(1000, 0)
    async with recorder_rig(platform, tmp_path / "camera", objects=objects) as rig:
        segments = segments_in(rig.directory, 60)
        # The setting has a lower bound that these small segments never reach.
        rig.recorder._parts.settings.waiting_max_bytes = sum(one.bytes for one in segments[:4])
        await rig.keep(segments)
        await until(lambda: objects.refused > 0)
        assert rig.recorder.report.state == "paused"
        assert "Not enough space" in (rig.recorder.report.reason or "")
        assert rig.recorder.report.dropped >= 25
        objects.error = None

        async def has_resumed() -> bool:
            return (await rig.stored())[-1:] == [29]

        await until(has_resumed)


@pytest.mark.req(586)
async def test_what_a_killed_process_was_storing_is_swept(platform, tmp_path):
    """Killed after the row, killed after the object: neither row nor object is left."""
    async with recorder_rig(platform, tmp_path / "camera") as rig:
        await rig.keep(segments_in(rig.directory, 4))
        await rig.until_stored(range(2))
        await rig.rows("UPDATE recordings SET state = 'storing'")
        sweep = RecordingSweep(platform.database, platform.objects)
        assert await sweep.sweep() == 0  # it may still be under way
        await rig.rows("UPDATE recordings SET created_at = now() - interval '1 hour' WHERE number = 0")
        assert await sweep.sweep() == 1
        assert [row["number"] for row in await rig.rows("SELECT number FROM recordings")] == [1]
        assert len(await object_keys(platform)) == 1


@pytest.mark.req(587)
async def test_a_deleted_camera_takes_its_recordings_along(platform, tmp_path):
    other = await add_camera(platform, "other")
    async with recorder_rig(platform, tmp_path / "other", camera_key=other) as rig:
        await rig.keep(segments_in(rig.directory, 4))
        await rig.until_stored(range(2))
    async with recorder_rig(platform, tmp_path / "camera") as rig:
        segments = segments_in(rig.directory, 10)
        await rig.keep(segments[:2])
        await until(lambda: not list(rig.directory.glob(segments[1].name)))
        await rig.until_stored(range(2))
        await rig.rows("DELETE FROM cameras WHERE camera_key = $1", rig.camera_key)
        await rig.keep(segments[2:])  # the process of the camera does not know yet
    sweep = RecordingSweep(platform.database, platform.objects)
    await sweep.sweep()
    assert {key.split("/")[1] for key in await object_keys(platform)} == {str(other)}
    assert {row["camera_key"] for row in await rig.rows("SELECT camera_key FROM recordings")} == {other}
    await rig.rows("UPDATE recording_removals SET requested_at = now() - interval '1 hour'")
    await sweep.sweep()
    assert await rig.rows("SELECT * FROM recording_removals") == []


async def test_a_process_that_reports_another_file_than_its_own_is_refused(platform, tmp_path):
    async with recorder_rig(platform, tmp_path / "camera") as rig:
        first, second = segments_in(rig.directory, 4)
        (rig.directory / first.name).unlink()
        os.symlink("/etc/passwd", rig.directory / first.name)
        with pytest.raises(InvalidInput):
            await rig.recorder.keep(first)
        (rig.directory / second.name).write_bytes(b"short")
        with pytest.raises(InvalidInput):
            await rig.recorder.keep(second)
        assert await object_keys(platform) == []


@pytest.mark.req(588)
async def test_a_viewer_gets_the_last_seconds_even_if_nothing_is_recorded(platform, tmp_path):
    now = START + timedelta(seconds=20)
    async with recorder_rig(platform, tmp_path / "camera", mode="events", now=now) as rig:
        assert rig.recorder.wants_segments
        segments = segments_in(rig.directory, 20)
        await rig.keep(segments)
        async with platform.database.transaction() as tx:
            await mark_segments_viewed(tx, rig.camera_key)

        async def is_shown() -> bool:
            rows = await rig.rows("SELECT number FROM recordings WHERE state = 'stored' AND expires_at IS NOT NULL")
            return sorted(row["number"] for row in rows) == list(range(int(5 / SEGMENT_S), 10))

        await until(is_shown)
        assert await rig.stored() == []
        # An event of the same moments keeps them after all.
        rig.recorder.hold(segments[8].started_at, segments[9].ended_at)

        async def is_kept() -> bool:
            return set(await rig.stored()) >= {8, 9}

        await until(is_kept)
        await rig.rows("UPDATE recordings SET expires_at = now() WHERE expires_at IS NOT NULL")
        await RecordingSweep(platform.database, platform.objects).sweep()
        assert len(await object_keys(platform)) == len(await rig.stored())


@pytest.mark.req(588)
async def test_a_camera_that_is_not_recorded_writes_segments_only_while_somebody_looks(platform, tmp_path):
    async with recorder_rig(platform, tmp_path / "camera", mode="off") as rig:
        assert not rig.recorder.wants_segments
        async with platform.database.transaction() as tx:
            await mark_segments_viewed(tx, rig.camera_key)
        await until(lambda: rig.recorder.wants_segments)


@pytest.mark.req(588)
async def test_who_begins_to_look_while_the_recorder_asks_for_viewers_is_noticed(platform, tmp_path, monkeypatch):
    asked = 0

    async def read_and_be_overtaken(tx, camera_key):
        nonlocal asked
        asked += 1
        found = await segments_viewed_until(tx, camera_key)
        if asked == 1:
            async with platform.database.transaction() as other:
                await mark_segments_viewed(other, camera_key)
            rigs[0].recorder.notice_viewer(str(camera_key))
        return found

    rigs = []
    async with recorder_rig(platform, tmp_path / "camera", mode="off") as rig:
        rigs.append(rig)
        await until(lambda: not rig.recorder._may_be_viewed)
        monkeypatch.setattr(recorder, "segments_viewed_until", read_and_be_overtaken)
        rig.recorder.notice_viewer("")
        await until(lambda: rig.recorder.wants_segments)
    assert asked >= 2


@pytest.mark.req(653)
async def test_a_recorder_whose_watch_is_cancelled_while_it_stores_counts_as_paused_no_longer(
    platform, tmp_path, monkeypatch
):
    objects, hangs, leaving = Outage(platform.objects), asyncio.Event(), asyncio.Event()
    rigs = []

    async def hang(*_, **__):
        hangs.set()
        await asyncio.Event().wait()

    async def watch() -> None:
        async with recorder_rig(platform, tmp_path / "camera", objects=objects) as rig:
            rigs.append(rig)
            objects.error = BackendUnavailable("objects", "inside", public="The object store is not available")
            await rig.keep(segments_in(rig.directory, 4))
            await until(lambda: rig.recorder.report.state == "paused")
            monkeypatch.setattr(objects, "put_file", hang)
            await hangs.wait()
            leaving.set()

    watching = asyncio.create_task(watch())
    await soon(leaving.wait())
    await asyncio.sleep(0)  # it waits for what is being stored now
    watching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watching
    registry = rigs[0].registry
    assert registry.get_sample_value("sightline_recording_paused_cameras") == 0
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("recorder-")]
