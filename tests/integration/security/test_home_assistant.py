"""Home Assistant over a real broker: sensors by discovery, occupancy, every event once confirmed, and who is there."""

import asyncio
import json
from contextlib import asynccontextmanager
from typing import Any

import aiomqtt
import pytest
from pydantic import ValidationError

from sightline.security import HomeAssistantSettings
from sightline.security.home_assistant import HomeAssistantPublisher
from sightline.timing import utc_now
from support.cutting_proxy import cutting_proxy
from support.mqtt_broker import mqtt_broker
from support.security_rig import Watch, new_detection
from support.waiting import soon, until

pytestmark = pytest.mark.time_limit(240)


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    with mqtt_broker(tmp_path_factory.mktemp("broker"), "sightline", "s3cret") as made:
        yield made


class Home:
    """Home Assistant, as far as it listens: the newest message of each topic, and all events."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.topics: dict[str, bytes] = {}
        self.events: list[dict[str, Any]] = []

    @asynccontextmanager
    async def listening(self, *patterns: str):
        client = aiomqtt.Client("127.0.0.1", self._port, username="sightline", password="s3cret", timeout=600)
        async with client:
            for pattern in patterns:
                await client.subscribe(pattern, qos=1)
            task = asyncio.create_task(self._listen(client))
            try:
                yield client
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def _listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            if message.topic.value.endswith("/events"):
                self.events.append(json.loads(message.payload))
            else:
                self.topics[message.topic.value] = message.payload


@asynccontextmanager
async def publishing(platform, port: int, prefix: str, **more: Any):
    settings = HomeAssistantSettings(
        broker=f"mqtt://127.0.0.1:{port}",
        username="sightline",
        password="s3cret",
        prefix=prefix,
        discovery_prefix=f"{prefix}_ha",
        **more,
    )
    service = HomeAssistantPublisher(platform.database, settings, page_url="http://home", tick_s=0.05)
    stop, ready = asyncio.Event(), asyncio.Event()
    running = asyncio.create_task(service.run(stop, ready.set))
    try:
        await soon(ready.wait())
        yield service
    finally:
        stop.set()
        await running


def seen_now(**more: Any) -> Any:
    return new_detection(detected_at=utc_now(), **more)


@pytest.mark.req(696, 697)
async def test_a_person_at_a_camera_is_a_sensor_that_goes_on_and_off_and_an_event(platform, client, broker):
    watch = Watch(platform)
    camera = await watch.camera()
    home, state = Home(broker.port), f"ha/{camera.camera_key}/person/state"
    config = f"ha_ha/binary_sensor/sightline_{camera.camera_key.hex}_person/config"
    old = await watch.event()  # before anything was published
    async with home.listening("ha/#", "ha_ha/#"), publishing(platform, broker.port, "ha"):
        await until(lambda: home.topics.get("ha/status") == b"online")
        event = await watch.event(seen_now())
        await until(lambda: home.topics.get(state) == b"ON")
        shown = json.loads(home.topics[config])
        assert (shown["device_class"], shown["state_topic"]) == ("occupancy", state)
        assert (shown["availability_topic"], shown["device"]["name"]) == ("ha/status", "Front_Door")
        await until(lambda: bool(home.events))
        assert [(one["type"], one["id"], one["objects"]) for one in home.events] == [("event", event.id, ["person"])]
        assert old.id != event.id
        await client.patch(f"/api/events/{event.id}/acknowledge")
        await until(lambda: [one["type"] for one in home.events] == ["event", "event.acknowledged"])
        assert home.events[1]["state"] == "acknowledged"
        await watch.rows("UPDATE detections SET created_at = created_at - interval '1 minute' RETURNING 1")
        await until(lambda: home.topics[state] == b"OFF")
        await client.patch("/api/cameras/front_door", json={"name": "Porch"})
        await until(lambda: json.loads(home.topics[config])["device"]["name"] == "Porch")
        assert (await client.delete("/api/cameras/front_door")).status_code == 204
        await until(lambda: home.topics[config] == b"")  # an empty message removes the sensor
    await _until_kept(broker, "ha/status", b"offline")


async def _until_kept(broker, topic: str, expected: bytes) -> None:
    later = Home(broker.port)
    async with later.listening(topic):
        await until(lambda: later.topics.get(topic) == expected)


@pytest.mark.req(697)
async def test_a_broken_connection_is_said_by_the_broker_and_nothing_is_lost(platform, broker):
    watch = Watch(platform)
    await watch.camera()
    home = Home(broker.port)
    async with (
        cutting_proxy(broker.port) as proxy,
        home.listening("cut/#"),
        publishing(platform, proxy.port, "cut"),
    ):
        await until(lambda: home.topics.get("cut/status") == b"online")
        seen: list[bytes] = []

        async def was_offline() -> bool:
            seen.append(home.topics["cut/status"])
            return b"offline" in seen

        await proxy.end()  # as if the process was killed: no goodbye
        await until(was_offline)
        event = await watch.event(seen_now())
        await until(lambda: [one["id"] for one in home.events] == [event.id])
        assert home.topics["cut/status"] == b"online"


@pytest.mark.req(697)
async def test_one_process_publishes_and_another_takes_over_where_it_stopped(platform, broker):
    watch = Watch(platform)
    await watch.camera()
    home = Home(broker.port)
    async with home.listening("two/#"):
        async with publishing(platform, broker.port, "two"), publishing(platform, broker.port, "two"):
            await until(lambda: home.topics.get("two/status") == b"online")
            first = await watch.event(seen_now())
            await until(lambda: [one["id"] for one in home.events] == [first.id])
        second = await watch.event(seen_now())
        async with publishing(platform, broker.port, "two"):
            await until(lambda: [one["id"] for one in home.events] == [first.id, second.id])


@pytest.mark.req(696)
@pytest.mark.parametrize("wrong", ["http://host", "mqtt://", "mqtt://user:secret@host", "mqtt://host/topic"])
def test_a_wrong_broker_is_refused(wrong: str):
    with pytest.raises(ValidationError) as refused:
        HomeAssistantSettings(broker=wrong)
    assert "must" in str(refused.value)
