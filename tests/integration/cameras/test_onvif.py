"""Cameras of the local network: found by a real probe, asked over real SOAP."""

from datetime import timedelta
from uuid import uuid4

import httpx
import pytest

from sightline.cameras import CamerasSettings, SourceProblem
from sightline.cameras.onvif import discover_devices, streams_of_device
from support.onvif_device import OnvifCamera, onvif_camera

BOMB = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><Envelope>&a;</Envelope>'


@pytest.fixture
async def camera():
    async with onvif_camera() as running:
        yield running


async def streams(camera: OnvifCamera, password: str | None = None, username: str | None = None, reach="any"):
    return await streams_of_device(
        camera.xaddr, username or camera.username, password or camera.password, reach=reach, timeout_s=600
    )


@pytest.mark.req(629)
async def test_a_camera_is_found_once_though_it_is_asked_three_times(camera):
    (found,) = await discover_devices(wait_s=0.3, target=("127.0.0.1", camera.udp_port))
    assert (found.name, found.hardware, found.address) == ("Front Door", "C200", "127.0.0.1")
    assert found.xaddr == camera.xaddr  # not the address in a network that we are not in


@pytest.mark.req(629)
@pytest.mark.parametrize("noise", [b"\xff\x00 not XML", BOMB, b"<Envelope><ProbeMatch/></Envelope>"])
async def test_what_others_answer_is_passed_over(camera, noise):
    camera.tail = noise
    (found,) = await discover_devices(wait_s=0.3, target=("127.0.0.1", camera.udp_port))
    assert found.name == "Front Door"


@pytest.mark.req(630)
async def test_streams_are_listed_largest_first_at_the_address_that_was_asked(camera):
    main, sub = await streams(camera)
    assert main.address == "rtsp://127.0.0.1:8554/main?unicast=true&proto=Onvif"
    assert (main.name, main.width, main.height, main.codec, main.fps) == ("mainStream", 2560, 1440, "h264", 25.0)
    assert sub.width == 640
    assert camera.requests[0] == "GetSystemDateAndTime"


@pytest.mark.req(630)
async def test_a_camera_whose_clock_is_wrong_accepts_the_password():
    async with onvif_camera(OnvifCamera(clock_ahead=timedelta(days=-400))) as camera:
        assert len(await streams(camera)) == 2


@pytest.mark.req(630)
async def test_a_wrong_password_is_said_in_plain_words(camera):
    with pytest.raises(SourceProblem) as raised:
        await streams(camera, "another")
    assert raised.value.code == "wrong_password"
    with pytest.raises(SourceProblem) as raised:
        await streams_of_device(camera.xaddr, None, None, reach="any", timeout_s=600)
    assert raised.value.code == "password_needed"


@pytest.mark.req(630)
async def test_a_device_out_of_reach_is_not_asked(camera):
    with pytest.raises(SourceProblem) as raised:
        await streams(camera, reach="lan")
    assert raised.value.code == "address_not_allowed"
    assert camera.requests == []


@pytest.mark.req(629, 630)
async def test_the_api_finds_a_camera_and_its_streams(camera, client_with):
    settings = CamerasSettings(discovery_wait_s=0.3, discovery_address=f"127.0.0.1:{camera.udp_port}")
    client: httpx.AsyncClient = await client_with(cameras=settings)
    (device,) = (await client.get("/api/cameras/discover")).json()["devices"]
    assert device["name"] == "Front Door"
    body = {"xaddr": device["xaddr"], "username": camera.username, "password": camera.password}
    answer = await client.post("/api/cameras/discover", json=body)
    assert answer.json()["streams"][0]["address"].startswith("rtsp://127.0.0.1:8554/main")
    assert camera.password not in answer.text
    refused = await client.post("/api/cameras/discover", json=body | {"password": "wrong"})
    assert (refused.status_code, refused.json()["error"]["details"]["reason"]) == (422, "wrong_password")


@pytest.mark.req(629)
async def test_only_those_who_may_use_the_local_network_look_into_it(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    headers = signed_in(uuid4())
    assert (await client.get("/api/cameras/discover", headers=headers)).status_code == 403
    body = {"xaddr": "http://127.0.0.1:9/onvif"}
    assert (await client.post("/api/cameras/discover", json=body, headers=headers)).status_code == 403
