"""Streams beside H.264 over RTSP: RTMP, HLS, H.265 with its recording, and RTP over UDP that loses packets."""

import io

import av
import pytest

from sightline.cameras import CamerasSettings
from sightline.cameras.recording import RecordingSettings
from support.bright_detector import BrightDetector
from support.hls_server import HlsCamera
from support.recorded_pages import entries, fetched
from support.rtmp_server import RtmpCamera
from support.rtsp_server import RtspCamera
from support.waiting import until
from support.watch_rig import until_detections, until_state, watching

pytestmark = pytest.mark.time_limit(240)


@pytest.fixture
async def platform(platform_with):
    cameras = CamerasSettings(stall_timeout_s=600, connect_timeout_s=600, picture_every_s=0.5, lease_s=600)
    return await platform_with(cameras=cameras, recording=RecordingSettings(segment_s=1))


async def add(client, address, **more):
    body = {"name": "Yard", "source": {"address": address, "looks_per_s": 10} | more}
    answer = await client.post("/api/cameras", json=body)
    assert answer.status_code == 201, answer.text


@pytest.mark.req(660)
@pytest.mark.parametrize("server", [RtmpCamera, HlsCamera])
async def test_rtmp_and_hls_are_tested_and_watched_as_rtsp_is(client, platform, server):
    async with server() as camera, watching(platform, BrightDetector()):
        tried = await client.post("/api/cameras/test", json={"source": {"address": camera.address}})
        assert tried.status_code == 200, tried.text
        assert (tried.json()["width"], tried.json()["codec"]) == (320, "h264")
        await add(client, camera.address)
        await until_state(client, "yard", "live")
        found = await until_detections(client, "yard", lambda all_: any(one["image_url"] for one in all_))
        assert {one["object_type"] for one in found} == {"person"}


@pytest.mark.req(661)
async def test_h265_is_watched_and_recorded_without_coding_it_again(client, platform):
    async with RtspCamera(codec="h265") as camera, watching(platform, BrightDetector()):
        await add(client, camera.address, record_mode="continuous")
        await until_state(client, "yard", "live")
        await until_detections(client, "yard")

        async def is_played() -> bool:
            playlist = await client.get("/api/cameras/yard/live/index.m3u8")
            return playlist.status_code == 200 and playlist.text.count("#EXTINF") >= 2

        await until(is_played)
        playlist = await client.get("/api/cameras/yard/live/index.m3u8")
        content = b"".join([await fetched(client, *part) for part in entries(playlist.text)])
        with av.open(io.BytesIO(content), "r") as container:
            assert container.streams.video[0].codec.name == "hevc"
            assert sum(1 for _ in container.decode(video=0)) >= 10


@pytest.mark.req(662)
async def test_a_stream_over_udp_that_loses_packets_stays_live(client, platform):
    async with RtspCamera() as camera, watching(platform, BrightDetector()) as detector:
        camera.refuses_tcp, camera.loses_every = True, 20
        await add(client, camera.address)
        await until_state(client, "yard", "live")
        connections = camera.connections
        await until(lambda: camera.lost_packets >= 10)
        looks = detector.looks
        await until(lambda: detector.looks > looks + 5)
        assert (await until_state(client, "yard", "live"))["code"] is None
        assert camera.connections == connections  # not once connected again
        await until_detections(client, "yard")


@pytest.mark.req(665)
@pytest.mark.parametrize("auth", ["basic", "digest"])
async def test_a_stream_is_opened_with_either_way_to_sign_in(client, auth):
    async with RtspCamera(user="viewer", password="p@ss:w/rd", auth=auth) as camera:
        source = {"address": camera.address, "username": "viewer", "password": "p@ss:w/rd"}
        tried = await client.post("/api/cameras/test", json={"source": source})
        assert (tried.status_code, tried.json().get("codec")) == (200, "h264"), tried.text
        wrong = await client.post("/api/cameras/test", json={"source": source | {"password": "wrong"}})
        assert wrong.json()["error"]["details"]["reason"] == "wrong_password"
