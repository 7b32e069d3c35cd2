"""Cameras over a real MQTT broker: events of Frigate and sensors become detections; outages and wrong passwords."""

import json
import time

import aiomqtt
import pytest

from sightline.cameras import CamerasSettings
from support.camera_clips import jpeg
from support.mqtt_broker import mqtt_broker
from support.watch_rig import until_detections, until_state, watching

PASSWORD = "s3cret-of-broker"
pytestmark = pytest.mark.time_limit(240)


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    with mqtt_broker(tmp_path_factory.mktemp("broker"), "sightline", PASSWORD) as running:
        yield running


@pytest.fixture
async def platform(platform_with):
    return await platform_with(cameras=CamerasSettings(connect_timeout_s=600, lease_s=3))


def publisher(broker):
    return aiomqtt.Client("127.0.0.1", broker.port, username="sightline", password=PASSWORD, timeout=600)


async def add(client, broker, path, *, password=PASSWORD):
    address = f"mqtt://sightline:{password}@127.0.0.1:{broker.port}/{path}"
    answer = await client.post("/api/cameras", json={"name": "Yard", "source": {"kind": "mqtt", "address": address}})
    assert answer.status_code == 201, answer.text
    assert PASSWORD not in answer.text


def frigate_event(kind: str, event_id: str, *, start: float) -> str:
    after = {
        "id": event_id, "camera": "yard", "label": "person", "start_time": start, "frame_time": start + 0.2,
        "end_time": start + 5 if kind == "end" else None, "top_score": 0.9, "false_positive": False,
        "box": [320, 180, 640, 720], "entered_zones": [], "stationary": False,
    }  # fmt: skip
    return json.dumps({"type": kind, "before": after, "after": after})


@pytest.mark.req(635, 636)
async def test_an_event_of_frigate_becomes_detections_once(client, platform, broker, log_lines):
    await add(client, broker, "frigate/events?camera=yard")
    start = time.time() - 1
    async with watching(platform):
        await until_state(client, "yard", "live")
        async with publisher(broker) as frigate:
            for _ in range(2):  # delivered at least once
                await frigate.publish("frigate/events", frigate_event("new", "17.1-x", start=start), qos=1)
            await frigate.publish("frigate/yard/person/snapshot", jpeg(), qos=1)
            for _ in range(2):
                await frigate.publish("frigate/events", frigate_event("end", "17.1-x", start=start), qos=1)
        found = await until_detections(client, "yard", lambda all_: any("ended" in one["attributes"] for one in all_))
        assert {one["attributes"]["track_id"] for one in found} == {"17.1-x"}
        assert len(found) == 3
        (pictured,) = [one for one in found if one["image_url"]]
        assert (await client.get(pictured["image_url"])).content == jpeg()
        assert (await client.get("/api/cameras/yard/picture.jpg")).content == jpeg()
    assert not any(PASSWORD in json.dumps(line) for line in log_lines())


@pytest.mark.req(638)
async def test_a_sensor_of_home_assistant_becomes_a_detection(client, platform, broker):
    await add(client, broker, "homeassistant/binary_sensor/porch/state?label=person")
    async with watching(platform):
        await until_state(client, "yard", "live")
        async with publisher(broker) as sender:
            for text in ("OFF", "ON", "ON"):
                await sender.publish("homeassistant/binary_sensor/porch/state", text, qos=1)
        (seen,) = await until_detections(client, "yard")
        assert seen["object_type"] == "person"


@pytest.mark.req(637)
async def test_a_wrong_password_is_a_state(client, platform, broker):
    await add(client, broker, "frigate/events?camera=yard", password="another")
    async with watching(platform):
        assert (await until_state(client, "yard", "refused"))["code"] == "wrong_password"


@pytest.mark.req(637)
async def test_a_broker_that_is_restarted_is_connected_again(client, platform, tmp_path):
    with mqtt_broker(tmp_path, "sightline", PASSWORD) as own:
        await add(client, own, "frigate/events?camera=yard")
        async with watching(platform):
            await until_state(client, "yard", "live")
            own.stop()
            lost = await until_state(client, "yard", "lost")
            assert lost["code"] == "connection_refused"
            own.start()
            await until_state(client, "yard", "live")
            async with publisher(own) as frigate:
                event = frigate_event("new", "17.2-y", start=time.time())
                await frigate.publish("frigate/events", event, qos=1)
            await until_detections(client, "yard")


@pytest.mark.req(638)
async def test_an_address_without_a_topic_is_refused_in_plain_words(client):
    body = {"name": "Yard", "source": {"kind": "mqtt", "address": "mqtt://192.168.1.5/frigate/events"}}
    refused = await client.post("/api/cameras", json=body)
    assert (refused.status_code, "Example: mqtt://" in refused.text) == (400, True)
