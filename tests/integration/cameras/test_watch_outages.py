"""Watching cameras while something else fails: the database, the disk, a detector, a camera that refuses every transport."""

import asyncio

import cv2
import numpy as np
import pytest

from sightline.api import create_app
from sightline.cameras import CamerasSettings, SourceChange, create_source
from sightline.cameras.problems import SourceProblem
from sightline.cameras.recording import recorder
from sightline.cameras.sources import Alive, CameraProcess, GateLearned
from sightline.cameras.watch import CameraStates
from sightline.cameras.watch import camera_watch as watch_module
from sightline.cameras.watch import service as service_module
from sightline.cameras.watch.camera_watch import CameraWatch
from sightline.cameras.watch.leases_store import claim_sources, watched_camera
from sightline.errors import TransientFailure
from support.bright_detector import BrightDetector
from support.camera_clips import jpeg
from support.recording_rig import add_camera
from support.rtsp_server import RtspCamera
from support.waiting import soon, until
from support.watch_rig import state_of, until_detections, until_state, watching

PATIENT = CamerasSettings(stall_timeout_s=600, connect_timeout_s=600, picture_every_s=0.2, lease_s=600, max_watched=1)
pytestmark = pytest.mark.time_limit(240)


@pytest.fixture
async def platform(platform_with):
    return await platform_with(cameras=PATIENT)


async def add(client, name, **source):
    answer = await client.post("/api/cameras", json={"name": name, "source": source})
    assert answer.status_code == 201, answer.text


@pytest.mark.req(652)
async def test_a_camera_that_refuses_both_transports_is_a_state_and_not_connected_all_the_time(client, platform):
    async with RtspCamera() as camera, watching(platform):
        camera.refuses_tcp = camera.refuses_udp = True
        await add(client, "Yard", address=camera.address)
        assert (await until_state(client, "yard", "refused"))["code"] == "transport_refused"
        assert camera.requests.count(f"DESCRIBE {camera.address}") <= 4


@pytest.mark.req(652)
async def test_a_disk_that_is_full_does_not_disconnect_the_camera(client, platform, monkeypatch, log_lines):
    put, failures = platform.objects.put, 0

    async def fails(key, *arguments, **options):
        nonlocal failures
        if key.endswith("latest.jpg"):
            failures += 1
            raise TransientFailure("the disk is full")
        await put(key, *arguments, **options)

    monkeypatch.setattr(platform.objects, "put", fails, raising=False)
    async with RtspCamera() as camera, watching(platform):
        await add(client, "Yard", address=camera.address)
        await until_state(client, "yard", "live")
        await until(lambda: failures > 2)
        assert camera.connections == 1
    assert "camera.disconnected" not in [line["event"] for line in log_lines()]


@pytest.mark.req(652)
async def test_what_was_learned_during_an_outage_does_not_disconnect_the_camera(client, platform, monkeypatch):
    asked = 0

    async def is_away(*_):
        nonlocal asked
        asked += 1
        raise TransientFailure("the database is not available")

    monkeypatch.setattr(watch_module, "revision_of", is_away)
    receive = CameraProcess.receive

    async def receives_a_state(process):
        """As if the motion gate told what it has learned with each picture, and not every few minutes."""
        message = await receive(process)
        return GateLearned(b"learned") if isinstance(message, Alive) else message

    monkeypatch.setattr(CameraProcess, "receive", receives_a_state)
    async with RtspCamera() as camera, watching(platform):
        await add(client, "Yard", address=camera.address)
        await until(lambda: asked > 2)
        assert camera.connections == 1


@pytest.mark.req(653)
async def test_a_state_that_an_outage_kept_from_being_saved_is_saved_afterwards(client, platform, monkeypatch):
    transaction, is_away = platform.database.transaction, True

    def flaky(*arguments, **options):
        if is_away:
            raise TransientFailure("the database is away")
        return transaction(*arguments, **options)

    key = await add_camera(platform, "yard")
    watcher = key
    async with transaction() as tx:
        await create_source(tx, key, SourceChange("sample", "", None, has_password=False, sealed=None, reach="any"))
        await claim_sources(tx, watcher, lease=recorder.LIVE_FOR, limit=1)
        camera = await watched_camera(tx, watcher, key)
    assert camera is not None
    states = CameraStates(platform.database, platform.live, watcher)
    monkeypatch.setattr(platform.database, "transaction", flaky)
    await states.save(camera, "lost", SourceProblem("no_route"))
    await states.save(camera, "live", None)
    is_away = False
    assert (await state_of(client, "yard"))["state"] == "connecting"
    await states.save_again()
    assert (await state_of(client, "yard"))["state"] == "live"
    await states.save(camera, "lost", SourceProblem("no_route"))
    await states.save_again()
    assert (await state_of(client, "yard"))["state"] == "lost"


@pytest.mark.req(653)
async def test_no_more_cameras_are_watched_than_allowed_when_one_is_edited(client, platform):
    async with watching(platform):
        await add(client, "One", kind="sample")
        await until_state(client, "one", "live")
        await add(client, "Two", kind="sample")
        for looks in (2, 3):
            await client.patch("/api/cameras/one", json={"source": {"looks_per_s": looks}})
            await until_state(client, "one", "connecting")
            await until_state(client, "one", "live")
        assert (await state_of(client, "two"))["state"] == "connecting"
        async with platform.database.transaction() as tx:
            watched = await tx.fetchval("SELECT count(*) FROM camera_sources WHERE watched_until > now()")
        assert watched == 1


@pytest.mark.req(653)
async def test_a_watch_that_still_stores_is_waited_for_and_others_go_on(client, platform_with, client_for, monkeypatch):
    platform = await platform_with(cameras=PATIENT.model_copy(update={"max_watched": 2}))
    client = client_for(create_app(platform))
    may_end, ended = asyncio.Event(), []

    class SlowWatch(CameraWatch):
        async def run(self, stop):
            await super().run(stop)
            if not may_end.is_set():
                await may_end.wait()  # as a recorder whose store is slow
            ended.append(self.revision)

    monkeypatch.setattr(service_module, "CameraWatch", SlowWatch)
    async with watching(platform):
        await add(client, "One", kind="sample")
        await until_state(client, "one", "live")
        await client.patch("/api/cameras/one", json={"source": {"looks_per_s": 2}})
        await add(client, "Two", kind="sample")
        await until_state(client, "two", "live")  # nobody waits for the first
        assert ended == []
        async with platform.database.transaction() as tx:
            watched = await tx.fetchval("SELECT count(*) FROM camera_sources WHERE watched_until > now()")
        assert watched == 2  # and no other process takes it over
        may_end.set()
        await until_state(client, "one", "live")
        assert len(ended) == 1


class FailingDetector(BrightDetector):
    """Fails on pictures that are nearly black, whatever else it is given."""

    async def detect(self, picture, **options):
        if picture.mean() < 5:
            self.looks += 1
            raise TransientFailure("the detector crashed")
        return await super().detect(picture, **options)


@pytest.mark.req(653)
async def test_a_picture_on_which_the_detector_fails_does_not_stop_the_folder(client, platform_with, tmp_path):
    platform = await platform_with(cameras=CamerasSettings(folder_poll_s=0.05, folder_settle_s=0, lease_s=3))
    (folder := tmp_path / "uploads").mkdir()
    (folder / "0-black.jpg").write_bytes(cv2.imencode(".jpg", np.zeros((240, 320, 3), np.uint8))[1].tobytes())
    (folder / "1-good.jpg").write_bytes(jpeg())
    await add(client, "Yard", kind="folder", address=str(folder))
    async with watching(platform, FailingDetector()):
        await until_detections(client, "yard")

        async def outcomes() -> bool:
            async with platform.database.transaction() as tx:
                rows = await tx.fetch("SELECT name, outcome FROM camera_files ORDER BY name")
            return [tuple(row) for row in rows] == [("0-black.jpg", "unreadable"), ("1-good.jpg", "looked")]

        await soon(until(outcomes))
    assert platform.camera_pictures._pictures == {}  # another process may have the newest one from now on
