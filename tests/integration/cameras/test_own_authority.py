"""Certificates of an authority of one's own: a broker over mqtts and a camera over rtsps are trusted by a setting, and checked."""

import json
import ssl
import time

import aiomqtt
import pytest
from pydantic import ValidationError

from sightline.cameras import CamerasSettings
from support.integration_certificate import make_certificate
from support.mqtt_broker import mqtt_broker
from support.rtsp_server import RtspCamera
from support.tls_proxy import tls_proxy
from support.watch_rig import until_detections, until_state, watching

PASSWORD = "s3cret-of-broker"
pytestmark = pytest.mark.time_limit(240)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return make_certificate(tmp_path_factory.mktemp("certificate"), "localhost")


@pytest.fixture(scope="module")
def broker(tmp_path_factory, certificate):
    directory = tmp_path_factory.mktemp("broker")
    with mqtt_broker(directory, "sightline", PASSWORD, certificate=certificate) as running:
        yield running


@pytest.fixture
async def platform(platform_with, certificate):
    return await platform_with(cameras=CamerasSettings(connect_timeout_s=600, lease_s=3, ca_file=certificate))


async def add(client, broker, host):
    address = f"mqtts://sightline:{PASSWORD}@{host}:{broker.port}/porch/motion?label=person"
    answer = await client.post("/api/cameras", json={"name": "Yard", "source": {"kind": "mqtt", "address": address}})
    assert answer.status_code == 201, answer.text


@pytest.mark.req(663)
async def test_a_broker_over_tls_is_trusted_by_the_authority_of_the_setting(client, platform, broker, certificate):
    await add(client, broker, "localhost")
    async with watching(platform):
        await until_state(client, "yard", "live")
        tls = ssl.create_default_context(cafile=certificate)
        own = aiomqtt.Client(
            "localhost", broker.port, username="sightline", password=PASSWORD, tls_context=tls, timeout=600
        )
        async with own as sensor:
            for text in ("OFF", "ON"):
                await sensor.publish("porch/motion", json.dumps({"state": text, "at": time.time()}), qos=1)
        (seen,) = await until_detections(client, "yard")
        assert seen["object_type"] == "person"


@pytest.mark.req(663)
async def test_a_broker_with_the_certificate_of_another_name_is_refused(client, platform, broker):
    await add(client, broker, "127.0.0.1")
    async with watching(platform):
        assert (await until_state(client, "yard", "lost", "refused"))["code"] == "tls_failed"


@pytest.mark.req(663)
async def test_an_encrypted_stream_is_trusted_by_the_authority_of_the_setting(client, certificate):
    async with RtspCamera() as camera, tls_proxy(certificate) as proxy:
        proxy.target = ("127.0.0.1", camera.port)
        source = {"address": f"rtsps://localhost:{proxy.port}/stream1"}
        tried = await client.post("/api/cameras/test", json={"source": source})
        assert (tried.status_code, tried.json().get("width")) == (200, 320), tried.text


@pytest.mark.req(663)
def test_a_file_that_holds_no_certificates_is_refused_at_start(tmp_path):
    file = tmp_path / "ca.pem"
    with pytest.raises(ValidationError, match=r"ca\.pem cannot be read as certificates"):
        CamerasSettings(ca_file=file)
    file.write_text("no certificate")
    with pytest.raises(ValidationError, match=r"ca\.pem cannot be read as certificates"):
        CamerasSettings(ca_file=file)
