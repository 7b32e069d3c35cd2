"""A message of a broker that could not be stored is not acknowledged, and is delivered again."""

import pytest

from sightline.api import create_app
from sightline.cameras import CamerasSettings
from support.one_message_broker import OneMessageBroker
from support.waiting import until
from support.watch_rig import until_detections, watching

pytestmark = pytest.mark.time_limit(240)


@pytest.mark.req(655)
async def test_a_message_is_delivered_again_until_it_is_stored(client_for, platform_with, monkeypatch):
    settings = CamerasSettings(connect_timeout_s=600, lease_s=3)
    platform = await platform_with(cameras=settings)
    client, failures = client_for(create_app(platform)), 0

    async def fails(*_, **__):
        nonlocal failures
        failures += 1
        raise OSError("the database is away")

    monkeypatch.setattr(platform.security.incoming, "receive_with_images", fails, raising=False)
    async with OneMessageBroker("porch/motion", b"ON") as broker:
        address = f"mqtt://127.0.0.1:{broker.port}/porch/motion?label=person"
        await client.post("/api/cameras", json={"name": "Yard", "source": {"kind": "mqtt", "address": address}})
        async with watching(platform):
            await until(lambda: failures > 0)
        assert (broker.deliveries, broker.is_acknowledged) == (1, False)
        async with watching(await platform_with(cameras=settings)):  # as after a restart
            (seen,) = await until_detections(client, "yard")
            await until(lambda: broker.is_acknowledged)
        assert (seen["object_type"], broker.deliveries) == ("person", 2)
