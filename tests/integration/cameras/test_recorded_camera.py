"""From the camera's connection to the player: recorded by the process that watches it, played and cut as people would."""

import io
from datetime import datetime, timedelta

import av
import pytest

from sightline.cameras import CamerasSettings
from sightline.cameras.recording import RecordingSettings
from sightline.timing import iso_utc, utc_now
from support.bright_detector import BrightDetector
from support.picture_server import PictureCamera
from support.recorded_pages import entries, fetched
from support.rtsp_server import RtspCamera
from support.waiting import until
from support.watch_rig import until_detections, watching

PATIENT = CamerasSettings(stall_timeout_s=600, connect_timeout_s=600, picture_every_s=0.5, lease_s=3)
pytestmark = pytest.mark.time_limit(240)


@pytest.fixture
async def platform(platform_with):
    return await platform_with(cameras=PATIENT, recording=RecordingSettings(segment_s=1, pre_roll_s=2, post_roll_s=2))


async def add(client, address, **source):
    body = {"name": "Yard", "source": {"address": address} | source}
    answer = await client.post("/api/cameras", json=body)
    assert answer.status_code == 201, answer.text


async def timeline(client):
    now = utc_now()
    query = {"since": iso_utc(now - timedelta(hours=1)), "until": iso_utc(now + timedelta(hours=1))}
    return (await client.get("/api/cameras/yard/recordings", params=query)).json()


async def played(client, path, **query) -> list[av.VideoFrame]:
    response = await client.get(f"/api/cameras/yard/{path}", params=query)
    assert response.status_code == 200, response.text
    parts = [await fetched(client, *part) for part in entries(response.text)]
    with av.open(io.BytesIO(b"".join(parts)), "r") as container:
        return list(container.decode(video=0))


def length_s(answer) -> float:
    spans = answer["recordings"]
    return sum(
        (datetime.fromisoformat(one["ended_at"]) - datetime.fromisoformat(one["started_at"])).total_seconds()
        for one in spans
    )


@pytest.mark.req(583)
async def test_a_network_camera_is_recorded_all_the_time_and_plays_without_gaps(client, platform):
    async with RtspCamera() as camera, watching(platform):
        await add(client, camera.address, record_mode="continuous")

        async def is_long() -> bool:
            return length_s(await timeline(client)) > 5

        await until(is_long)
        answer = await timeline(client)
        assert answer["recorder"]["state"] == "recording"
        assert len(answer["recordings"]) == 1
        frames = await played(
            client,
            "recording/index.m3u8",
            since=answer["recordings"][0]["started_at"],
            until=answer["recordings"][0]["ended_at"],
        )
        times = [frame.time for frame in frames]
        assert times == sorted(times)
        assert times[-1] - times[0] > 4
        assert len(await played(client, "live/index.m3u8")) > 5


@pytest.mark.req(584)
async def test_mode_events_records_around_what_the_detector_saw(client, platform):
    async with RtspCamera() as camera, watching(platform, BrightDetector()):
        await add(client, camera.address, record_mode="events", looks_per_s=10)
        await until_detections(client, "yard")

        async def is_recorded() -> bool:
            return length_s(await timeline(client)) > 2

        await until(is_recorded)
        async with platform.database.transaction() as tx:
            assert await tx.fetchval("SELECT count(*) FROM recordings WHERE held_until IS NULL") == 0


@pytest.mark.req(582, 588)
async def test_a_camera_that_sends_pictures_is_played_live_as_video_though_it_is_not_recorded(client, platform):
    async with PictureCamera() as camera, watching(platform):
        await add(client, camera.address("mjpeg"), kind="mjpeg", record_mode="off")

        async def is_live() -> bool:
            response = await client.get("/api/cameras/yard/live/index.m3u8")
            return response.status_code == 200

        await until(is_live)
        assert await played(client, "live/index.m3u8")
        assert (await timeline(client))["recordings"] == []
