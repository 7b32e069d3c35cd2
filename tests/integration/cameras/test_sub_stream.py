"""A camera with two streams: the small one is looked at, the main one is recorded without decoding it."""

import pytest

from sightline.cameras import CamerasSettings
from support.bright_detector import BrightDetector
from support.camera_clips import coded_clip
from support.rtsp_server import RtspCamera
from support.security_rig import Watch
from support.waiting import until
from support.watch_rig import until_detections, until_state, watching

pytestmark = pytest.mark.time_limit(240)


@pytest.fixture
async def platform(platform_with):
    return await platform_with(
        cameras=CamerasSettings(stall_timeout_s=600, connect_timeout_s=600, picture_every_s=0.5, lease_s=600)
    )


def large_camera(**more) -> RtspCamera:
    camera = RtspCamera(**more)
    camera.clip = coded_clip(640, 480, 50, walks=False)  # nothing moves here: what is seen comes from the other stream
    return camera


@pytest.mark.req(689)
async def test_the_sub_stream_is_looked_at_and_the_main_stream_recorded(client, platform):
    async with large_camera() as main, RtspCamera(path="/sub") as sub, watching(platform, BrightDetector()):
        source = {
            "address": main.address,
            "sub_address": sub.address,
            "looks_per_s": 10,
            "record_mode": "continuous",
        }
        tried = (await client.post("/api/cameras/test", json={"source": source})).json()
        assert (tried["width"], tried["sub_stream"]["width"]) == (640, 320)
        added = await client.post("/api/cameras", json={"name": "Yard", "source": source})
        assert added.json()["source"]["sub_address"] == sub.address, added.text
        await until_state(client, "yard", "live")
        await until_detections(client, "yard")
        watch = Watch(platform)

        async def is_recorded() -> bool:
            return bool(await watch.rows("SELECT FROM recordings WHERE state = 'stored'"))

        await until(is_recorded, within_s=100)
        sizes = await watch.rows("SELECT DISTINCT width, height FROM recordings")
        assert [(row["width"], row["height"]) for row in sizes] == [(640, 480)]

        async def is_told() -> bool:
            state = (await client.get("/api/cameras/yard")).json()["state"]
            return (state["width"], state["height"]) == (640, 480)

        await until(is_told, within_s=100)
        # A main stream that is away costs the recording alone.
        connections = sub.connections
        await main.unplug()
        before = len(await until_detections(client, "yard"))
        await until_detections(client, "yard", lambda found: len(found) > before)
        assert sub.connections == connections

        async def is_said(expected: str) -> bool:
            (row,) = await watch.rows("SELECT state, (reason IS NULL) AS is_well FROM recorder_states")
            return (row["state"], row["is_well"]) == (expected, expected == "recording")

        await until(lambda: is_said("paused"))
        await main.plug_in()
        await until(lambda: is_said("recording"))


@pytest.mark.req(690)
async def test_a_sub_stream_keeps_its_secrets_and_belongs_to_the_cameras_host(client, platform):
    source = {
        "address": "rtsp://viewer:s3cret-one@10.9.8.7/main?token=s3cret-two",
        "sub_address": "rtsp://viewer:s3cret-one@10.9.8.7/sub?token=s3cret-three",
        "is_enabled": False,
    }
    added = await client.post("/api/cameras", json={"name": "Yard", "source": source})
    assert added.status_code == 201, added.text
    shown = added.json()["source"]
    assert shown["sub_address"] == "rtsp://10.9.8.7/sub?token=***"
    assert "s3cret" not in added.text
    (row,) = await Watch(platform).rows("SELECT s::text AS text FROM camera_sources AS s")
    assert "s3cret" not in row["text"]
    kept = await client.patch("/api/cameras/yard", json={"source": {"sub_address": shown["sub_address"]}})
    assert kept.json()["source"]["sub_address"] == shown["sub_address"]
    for wrong, words in (
        ({"sub_address": "rtsp://evil.example/sub"}, "host of the main stream"),
        ({"address": "rtsp://evil.example/main"}, "host of the main stream"),
        ({"sub_address": "rtsp://10.9.8.7/other?token=***"}, "Type the secret again"),
        ({"kind": "snapshot", "address": "http://10.9.8.7/a.jpg", "sub_address": "rtsp://10.9.8.7/s"}, "kind stream"),
    ):
        refused = await client.patch("/api/cameras/yard", json={"source": wrong})
        assert (refused.status_code, words in refused.json()["error"]["message"]) == (400, True), refused.text
    removed = await client.patch("/api/cameras/yard", json={"source": {"sub_address": ""}})
    assert removed.json()["source"]["sub_address"] == ""
