"""Cameras, zones and detections over the API, and what it makes of nonsense."""

import asyncio
import base64
import json
import random
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.api import create_app
from sightline.config import ApiSettings
from sightline.live import LiveSettings
from support.hostile_frames import break_frames, say_nonsense
from support.live_rig import open_socket
from support.security_rig import Watch

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
EXAMPLES, FRAMES = 75, 400  # long runs are in tests/soak/test_live_soak.py


@pytest.mark.req(194)
async def test_a_camera_has_a_normalized_id(client):
    made = await client.post("/api/cameras", json={"name": "Front Door"})
    assert (made.status_code, made.json()["camera_id"]) == (201, "front_door")
    again = await client.post("/api/cameras", json={"name": "other", "camera_id": "FRONT-door"})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "CONFLICT")
    told = await client.post(
        "/api/detections", json={"camera_id": "Front  Door!", "object_type": "Person", "confidence": 0.5}
    )
    assert told.status_code == 201
    (found,) = (await client.get("/api/detections", params={"camera_id": "front door"})).json()["detections"]
    assert (found["camera_id"], found["object_type"]) == ("front_door", "person")
    assert (await client.get("/api/cameras/FRONT DOOR")).json()["name"] == "Front Door"


async def test_zones_are_added_and_removed(client):
    await client.post("/api/cameras", json={"name": "Yard"})
    zone = {"name": "Porch", "kind": "entry", "polygon": [[0, 0], [1, 0], [1, 1]]}
    made = await client.post("/api/cameras/yard/zones", json=zone)
    assert made.status_code == 201
    assert (await client.post("/api/cameras/yard/zones", json=zone)).status_code == 409
    for wrong in ({"polygon": [[0, 0], [1, 1]]}, {"polygon": [[0, 0], [1, 0], [1, 1.1]]}, {"kind": "secret"}):
        assert (await client.post("/api/cameras/yard/zones", json=zone | wrong)).status_code == 400
    assert [one["name"] for one in (await client.get("/api/cameras/yard")).json()["zones"]] == ["Porch"]
    path = f"/api/cameras/yard/zones/{made.json()['zone_id']}"
    assert [(await client.delete(path)).status_code for _ in range(2)] == [204, 404]


async def test_a_picture_is_kept_and_shown_by_a_signed_address(platform, client):
    await client.post("/api/cameras", json={"name": "Yard"})
    body = {"camera_id": "yard", "object_type": "car", "confidence": 0.7, "bbox": [0.1, 0.2, 0.3, 0.4]}
    told = await client.post("/api/detections", json=body | {"image": base64.b64encode(PNG).decode()})
    assert told.json()["taken_in"] == 1
    (found,) = (await client.get("/api/detections")).json()["detections"]
    assert found["bbox"] == [0.1, 0.2, 0.3, 0.4]
    shown = await client.get(found["image_url"])
    assert (shown.status_code, shown.content, shown.headers["content-type"]) == (200, PNG, "image/png")
    for wrong in ("???", base64.b64encode(b"GIF89a").decode()):
        answer = await client.post("/api/detections", json=body | {"image": wrong})
        assert (answer.status_code, answer.json()["error"]["message"][:6]) == (400, "image:")


async def test_pictures_of_detections_that_are_not_kept_go_again(platform, client):
    await client.post("/api/cameras", json={"name": "Yard"})
    body: dict[str, Any] = {"camera_id": "yard", "object_type": "car", "confidence": 0.7, "source_id": "x"}
    body["image"] = base64.b64encode(PNG).decode()
    answers = [(await client.post("/api/detections", json=body)).json()["taken_in"] for _ in range(2)]
    assert answers == [1, 0]
    assert len([stored async for stored in platform.objects.find("security/")]) == 1


async def test_many_are_told_at_once_and_all_or_none(client):
    await client.post("/api/cameras", json={"name": "Yard"})
    one = {"camera_id": "yard", "object_type": "car", "confidence": 0.7}
    told = await client.post("/api/detections", json={"detections": [one] * 100})
    assert (told.status_code, told.json()["taken_in"]) == (201, 100)
    unknown = await client.post("/api/detections", json={"detections": [one, one | {"camera_id": "gate"}]})
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, "CAMERA_NOT_FOUND")
    wrong = await client.post("/api/detections", json={"detections": [one, one | {"confidence": 1.1}]})
    assert (wrong.status_code, "detections.1.confidence" in wrong.json()["error"]["message"]) == (400, True)
    for count in (0, 1001):
        answer = await client.post("/api/detections", json={"detections": [one] * count})
        assert answer.status_code == 400


async def test_cameras_of_others_are_unknown(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on)
    owner, stranger = signed_in("owner"), signed_in("stranger")
    await client.post("/api/cameras", json={"name": "Yard"}, headers=owner)
    body = {"camera_id": "yard", "object_type": "car", "confidence": 0.7}
    assert (await client.post("/api/detections", json=body, headers=owner)).status_code == 201
    assert (await client.post("/api/detections", json=body, headers=stranger)).status_code == 404
    assert (await client.get("/api/cameras/yard", headers=stranger)).status_code == 404
    assert (await client.get("/api/detections", headers=stranger)).json()["detections"] == []
    assert (await client.post("/api/detections", json=body)).status_code == 401


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
NEARLY = st.fixed_dictionaries(
    {},
    optional={
        "camera_id": st.sampled_from(["yard", "Yard", "", "\0", "gate"]) | ANYTHING,
        "object_type": st.sampled_from(["person", "car"]) | ANYTHING,
        "confidence": st.floats() | ANYTHING,
        "detected_at": st.datetimes().map(lambda at: at.isoformat() + "Z") | ANYTHING,
        "bbox": st.lists(st.floats(), max_size=5) | ANYTHING,
        "image": st.binary(max_size=20).map(lambda data: base64.b64encode(data).decode()) | ANYTHING,
        "attributes": st.dictionaries(st.text(max_size=5), ANYTHING, max_size=3) | ANYTHING,
        "source_id": st.text(max_size=5) | ANYTHING,
        "detections": ANYTHING,
    },
)
VALID = NEARLY.map(lambda body: body | {"camera_id": "yard", "object_type": "person", "confidence": 0.4})


async def test_whatever_is_told_is_taken_in_or_refused_and_never_a_crash(platform, serving):
    """Over a real socket, with JSON that Python writes: NaN, Infinity, lone surrogates and all."""
    watch = Watch(platform)
    await watch.camera("yard")
    statuses: dict[int, int] = {}
    taken_in: list[int] = []

    async with serving(create_app(platform)) as port:

        def tell_all() -> None:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=None) as client:

                @settings(max_examples=EXAMPLES, database=None, suppress_health_check=list(HealthCheck))
                @given(st.one_of(VALID, NEARLY, ANYTHING))
                def tell(body: object) -> None:
                    answer = client.post(
                        "/api/detections",
                        content=json.dumps(body).encode(),
                        headers={"content-type": "application/json"},
                    )
                    statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
                    assert answer.status_code in (201, 400, 404), (body, answer.text)
                    if answer.status_code == 201:
                        taken_in.append(answer.json()["taken_in"])
                    else:
                        assert answer.json()["error"]["message"]

                tell()

        await asyncio.to_thread(tell_all)
    kept = await watch.rows("SELECT count(*) AS n FROM detections")
    assert sum(taken_in) == kept[0]["n"] > 0
    assert statuses.get(400, 0) > 0


async def test_malformed_frames_disturb_nobody(live_with):
    """Text, bytes and broken frames by the hundred; a client beside them goes on as before."""
    live = await live_with(api=ApiSettings(rate_limit_per_minute=0), live=LiveSettings(connects_per_minute=0))
    chance = random.Random(7)
    healthy = await live.connect()
    socket = await open_socket(live.port, "events")
    assert await say_nonsense(socket, chance, FRAMES) > 0
    await break_frames(live.port, chance, FRAMES // 20)
    sequence = await live.append()
    assert await healthy.sequences(1) == [sequence]
    await socket.close()
