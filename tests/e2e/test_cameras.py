"""Cameras with real processes: from a sample camera to an event with a picture, and what is left of a killed process."""

import signal
from typing import Any

import httpx
import psutil
import pytest

from sightline.cameras import CamerasSettings
from support.platform_process import sightline, up
from support.rtsp_server import RtspCamera
from support.vision_models import need_model
from support.waiting import soon, until
from support.watch_rig import until_state

PASSWORD = "pässword-of-the-camera"


@pytest.fixture
async def platform(platform_with):
    return await platform_with(cameras=CamerasSettings(lease_s=3))


async def start_watching(platform, fresh_database):
    return await sightline(
        "cameras",
        SIGHTLINE_DATABASE_URL=fresh_database.url,
        SIGHTLINE_STATE_DIR=str(platform.settings.state_dir),
        SIGHTLINE_CAMERAS_LEASE_S="3",
    )


@pytest.mark.req(572, 560)
async def test_another_process_takes_over_from_one_that_was_killed(client, platform, fresh_database):
    async with RtspCamera(user="viewer", password=PASSWORD) as camera:
        first = await start_watching(platform, fresh_database)
        source = {"address": camera.address, "username": "viewer", "password": PASSWORD}
        await client.post("/api/cameras", json={"name": "Yard", "source": source})
        await until_state(client, "yard", "live")
        for process in psutil.Process(first.pid).children(recursive=True):
            assert PASSWORD not in " ".join(process.cmdline())
        first.send_signal(signal.SIGKILL)
        await soon(first.wait())
        first.close()
        await until(lambda: not camera.is_watched)  # its children ended with it
        second = await start_watching(platform, fresh_database)
        await until(lambda: camera.is_watched, within_s=60)
        await until_state(client, "yard", "live")
        second.send_signal(signal.SIGTERM)
        assert await soon(second.wait()) == 0
        second.close()
        async with platform.database.transaction() as tx:
            assert await tx.fetchval("SELECT watched_by FROM camera_sources") is None  # free at once


@pytest.mark.req(565, 573)
async def test_the_sample_camera_makes_an_event_with_a_person_and_a_picture(tmp_path):
    need_model()
    async with up(tmp_path / "state") as platform, httpx.AsyncClient(timeout=None) as http:
        assert (await http.post(f"{platform.address}/api/cameras/sample")).status_code == 201
        found: list[dict[str, Any]] = []

        async def is_there() -> bool:
            nonlocal found
            found = (await http.get(f"{platform.address}/api/events")).json()["events"]
            return bool(found)

        await until(is_there, within_s=90)
        whole = (await http.get(f"{platform.address}/api/events/{found[0]['id']}")).json()
        assert whole["object_types"] == ["person"]
        picture = await http.get(next(one["image_url"] for one in whole["detections"] if one["image_url"]))
        assert picture.content.startswith(b"\xff\xd8")
        health = (await http.get(f"{platform.address}/api/health", params={"deep": "true"})).json()
        assert health["parts"]["cameras"]["detail"] == "1 live"
