"""Changes of a camera's source that need a second look: another kind, and secrets that cannot be opened any more."""

import asyncpg
import pytest

PASSWORD = "s3cret-of-camera"


async def add(client, **source):
    answer = await client.post("/api/cameras", json={"name": "Yard", "source": source})
    assert answer.status_code == 201, answer.text


async def change(client, **body):
    answer = await client.patch("/api/cameras/yard", json=body)
    return answer.status_code, answer.json()


@pytest.mark.req(656)
@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        ({"kind": "push"}, "stream", "address is missing"),
        ({"kind": "push"}, "mqtt", "address is missing"),
        ({"kind": "folder"}, "snapshot", "address is missing"),
        ({"address": "rtsp://127.0.0.1:9/one"}, "mqtt", "must begin with"),
        ({"kind": "mqtt", "address": "mqtt://127.0.0.1:9/porch"}, "stream", "must begin with"),
    ],
)
async def test_another_kind_needs_an_address_that_it_can_read(client, source, kind, words):
    await add(client, **source)
    status, answer = await change(client, source={"kind": kind})
    assert (status, words in answer["error"]["message"]) == (400, True), answer
    assert (await client.get("/api/cameras/yard")).json()["source"]["kind"] == source.get("kind", "stream")


@pytest.mark.req(656)
async def test_another_kind_keeps_an_address_and_password_that_fit(client):
    await add(client, kind="snapshot", address=f"http://viewer:{PASSWORD}@127.0.0.1:9/video")
    status, changed = await change(client, source={"kind": "mjpeg"})
    source = changed["source"]
    assert (status, source["kind"], source["address"]) == (200, "mjpeg", "http://127.0.0.1:9/video")
    assert source["has_password"]
    status, changed = await change(client, source={"kind": "folder"})
    assert (status, changed["source"]["address"], changed["source"]["has_password"]) == (200, "", False)


@pytest.mark.req(656)
async def test_a_camera_whose_password_cannot_be_opened_is_switched_off_or_typed_again(client, fresh_database):
    await add(client, address=f"rtsp://viewer:{PASSWORD}@127.0.0.1:9/stream1")
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute("UPDATE camera_sources SET sealed = $1", bytes(60))  # as under another secret
    await admin.close()
    status, off = await change(client, is_enabled=False)
    assert (status, off["state"]["state"], off["source"]["has_password"]) == (200, "off", True)
    status, again = await change(client, source={"password": "typed again", "is_enabled": True})
    assert (status, again["source"]["username"], again["source"]["has_password"]) == (200, "viewer", True)
    status, _ = await change(client, source={"looks_per_s": 1})
    assert status == 200  # it can be opened now
    tried = await client.post("/api/cameras/test", json={"source": {"looks_per_s": 1}, "camera_id": "yard"})
    assert tried.json()["error"]["details"]["reason"] == "connection_refused"


async def test_a_lost_secret_inside_the_address_is_typed_again(client, fresh_database):
    await add(client, kind="snapshot", address=f"http://127.0.0.1:9/snap?password={PASSWORD}")
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute("UPDATE camera_sources SET sealed = $1", bytes(60))
    await admin.close()
    status, answer = await change(client, source={"username": "viewer"})
    assert (status, "Type the secret again" in answer["error"]["message"]) == (400, True)
    assert (await change(client, source={"address": "http://127.0.0.1:9/snap?password=new"}))[0] == 200
