"""Cameras with an address: added, shown, changed, tested and removed over the API; passwords stay hidden."""

import asyncio
import base64
from typing import get_args
from uuid import uuid4

import asyncpg
import pytest

from sightline.cameras import CamerasSettings, SourceProblem
from sightline.cameras.problems import ProblemCode
from sightline.timing import utc_now
from support.camera_clips import jpeg
from support.integration_certificate import make_certificate
from support.picture_server import PictureCamera
from support.recording_rig import add_event
from support.rtsp_server import RtspCamera
from support.tls_proxy import tls_proxy

PASSWORD = "s3cret-of-camera"
SOURCE = {"address": f"rtsp://viewer:{PASSWORD}@127.0.0.1:9/stream1", "looks_per_s": 2}
PATIENT = CamerasSettings(connect_timeout_s=600, stall_timeout_s=600)


@pytest.fixture
async def platform(platform_with):
    return await platform_with(cameras=PATIENT)


@pytest.mark.req(559, 560)
async def test_a_camera_with_an_address_is_shown_without_its_password(client, fresh_database):
    made = await client.post("/api/cameras", json={"name": "Front Door", "source": SOURCE})
    assert made.status_code == 201
    source = made.json()["source"]
    assert (source["kind"], source["address"]) == ("stream", "rtsp://127.0.0.1:9/stream1")
    assert (source["username"], source["has_password"], source["looks_per_s"]) == ("viewer", True, 2)
    assert made.json()["state"]["state"] == "connecting"
    (listed,) = (await client.get("/api/cameras")).json()["cameras"]
    assert listed == made.json()
    assert listed["may_change"] is True
    whole = await client.get("/api/cameras/front_door")
    for answer in (made, whole):
        assert PASSWORD not in answer.text
    admin = await asyncpg.connect(fresh_database.admin_url)
    (stored,) = [dict(row) for row in await admin.fetch("SELECT * FROM camera_sources")]
    audited = await admin.fetch("SELECT * FROM audit_log")
    await admin.close()
    assert stored["sealed"]
    assert PASSWORD.encode() not in stored["sealed"]
    assert PASSWORD not in str({**stored, "sealed": None}) + str([dict(row) for row in audited])


@pytest.mark.req(559)
async def test_a_source_is_changed_field_by_field(client):
    await client.post("/api/cameras", json={"name": "Yard", "source": SOURCE})

    async def change(**body):
        answer = await client.patch("/api/cameras/yard", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    renamed = await change(name="Back yard", zone="Europe/Berlin")
    assert (renamed["camera_id"], renamed["name"], renamed["source"]["has_password"]) == ("yard", "Back yard", True)
    assert (await change(is_enabled=False))["state"]["state"] == "off"
    on = await change(source={"is_enabled": True, "detects": False, "record_mode": "events", "record_days": 7})
    assert (on["state"]["state"], on["source"]["detects"], on["source"]["record_days"]) == ("connecting", False, 7)
    assert on["source"]["address"] == "rtsp://127.0.0.1:9/stream1"
    assert on["source"]["has_password"]
    assert (await change(source={"record_days": None}))["source"]["record_days"] is None
    moved = await change(source={"address": "rtsp://127.0.0.2:9/other"})
    assert (moved["source"]["username"], moved["source"]["has_password"]) == ("viewer", False)  # not for another host
    assert (await change(source={"username": ""}))["source"]["username"] is None
    assert (await change(source=None))["source"] is None


async def test_an_address_with_a_hidden_secret_is_kept_or_typed_again(client):
    address = "http://127.0.0.1:9/snap?user=a&password=s3cret"
    made = await client.post("/api/cameras", json={"name": "Gate", "source": {"kind": "snapshot", "address": address}})
    shown = made.json()["source"]["address"]
    assert shown == "http://127.0.0.1:9/snap?user=a&password=***"
    kept = await client.patch("/api/cameras/gate", json={"source": {"address": shown, "looks_per_s": 1}})
    assert kept.status_code == 200
    other = await client.patch("/api/cameras/gate", json={"source": {"address": shown.replace("user=a", "user=b")}})
    assert (other.status_code, "s3cret" in other.text) == (400, False)


async def test_what_is_no_source_is_refused_in_words(client):
    for source, words in (
        ({"address": "file:///etc/passwd"}, "must begin with"),
        ({}, "address is missing"),
        ({"kind": "push", "address": "rtsp://x/"}, "has no address"),
        ({"address": "rtsp://x/", "looks_per_s": 0}, "looks_per_s"),
        ({"kind": "ftp", "address": "rtsp://x/"}, "kind"),
    ):
        answer = await client.post("/api/cameras", json={"name": "x", "source": source})
        assert (answer.status_code, words in answer.json()["error"]["message"]) == (400, True), answer.text
    assert (await client.get("/api/cameras")).json()["cameras"] == []


@pytest.mark.req(559)
async def test_a_deleted_camera_is_gone_and_its_events_stay(client, platform):
    await client.post("/api/cameras", json={"name": "Yard", "source": {"kind": "push"}})
    event_id = await add_event(platform, utc_now(), utc_now(), camera_id="yard")
    assert (await client.delete("/api/cameras/yard")).status_code == 204
    assert (await client.get("/api/cameras/yard")).status_code == 404
    assert (await client.delete("/api/cameras/yard")).status_code == 404
    (event,) = (await client.get("/api/events")).json()["events"]
    assert (event["id"], event["camera_id"]) == (event_id, "yard")


@pytest.mark.req(561)
async def test_a_test_shows_the_first_picture(client):
    async with RtspCamera(user="viewer", password="p@ss:w/rd") as camera:
        source = {"address": camera.address, "username": "viewer", "password": "p@ss:w/rd"}
        tried = await client.post("/api/cameras/test", json={"source": source})
        assert tried.status_code == 200, tried.text
        found = tried.json()
        assert (found["width"], found["height"], found["codec"]) == (320, 240, "h264")
        kind, _, data = found["picture"].partition(",")
        assert kind == "data:image/jpeg;base64"
        assert base64.b64decode(data).startswith(b"\xff\xd8")
        wrong = await client.post("/api/cameras/test", json={"source": source | {"password": "wrong-one"}})
        assert (wrong.status_code, wrong.json()["error"]["details"]["reason"]) == (422, "wrong_password")
        assert "Type them again" in wrong.json()["error"]["message"]
        assert "wrong-one" not in wrong.text
        none = await client.post("/api/cameras/test", json={"source": {"address": camera.address}})
        assert none.json()["error"]["details"]["reason"] == "password_needed"
        elsewhere = camera.address.replace(camera.path, "/nowhere")
        lost = await client.post("/api/cameras/test", json={"source": source | {"address": elsewhere}})
        assert (lost.status_code, lost.json()["error"]["details"]["reason"]) == (422, "not_found")
        await client.post("/api/cameras", json={"name": "Stored", "source": source})
        again = await client.post("/api/cameras/test", json={"camera_id": "stored", "source": {}})
        assert again.status_code == 200
    gone = await client.post("/api/cameras/test", json={"source": source})
    assert gone.json()["error"]["details"]["reason"] == "connection_refused"


@pytest.mark.req(561)
async def test_a_camera_that_knows_basic_authentication_alone_takes_a_password_from_the_address(client):
    async with RtspCamera(user="viewer", password=PASSWORD, auth="basic") as camera:
        tried = await client.post("/api/cameras/test", json={"source": {"address": camera.address_with_password}})
        assert (tried.status_code, tried.json().get("width")) == (200, 320), tried.text


@pytest.mark.req(561)
async def test_what_is_no_picture_is_called_so(client):
    async with PictureCamera() as camera:
        camera.is_broken = True
        source = {"kind": "snapshot", "address": camera.address("snapshot")}
        tried = await client.post("/api/cameras/test", json={"source": source})
        assert (tried.status_code, tried.json()["error"]["details"]["reason"]) == (422, "not_video")


@pytest.mark.req(576)
@pytest.mark.parametrize("kind", ["stream", "snapshot"])
async def test_certificates_are_checked_unless_a_person_switches_that_off(client, tmp_path, kind):
    certificate = await asyncio.to_thread(make_certificate, tmp_path, "camera.example")
    async with RtspCamera() as stream, PictureCamera() as pictures, tls_proxy(certificate) as proxy:
        proxy.target = ("127.0.0.1", stream.port if kind == "stream" else pictures.port)
        scheme, path = ("rtsps", "stream1") if kind == "stream" else ("https", "snapshot")
        source = {"kind": kind, "address": f"{scheme}://127.0.0.1:{proxy.port}/{path}"}
        checked = await client.post("/api/cameras/test", json={"source": source})
        assert (checked.status_code, checked.json()["error"]["details"]["reason"]) == (422, "tls_failed")
        tried = await client.post("/api/cameras/test", json={"source": source | {"verifies_certificate": False}})
        assert (tried.status_code, tried.json().get("width")) == (200, 320), tried.text


@pytest.mark.req(576)
async def test_redirects_are_not_followed(client):
    async with PictureCamera() as camera, PictureCamera() as other:
        camera.redirects_to = other.address("snapshot")
        source = {"kind": "snapshot", "address": camera.address("snapshot")}
        tried = await client.post("/api/cameras/test", json={"source": source})
        assert tried.json()["error"]["details"]["reason"] == "redirected"
        source = {"kind": "stream", "address": camera.address("mjpeg")}
        assert (await client.post("/api/cameras/test", json={"source": source})).status_code == 422
        assert other.requests == []


@pytest.mark.req(562)
async def test_who_signs_in_reaches_no_private_address_by_a_camera(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on, cameras=PATIENT)
    person = signed_in(uuid4())
    for address in (
        "rtsp://127.0.0.1:9/x",
        "http://169.254.169.254/latest",
        "rtsp://192.168.1.4/x",
        "rtsp://localhost/x",
    ):
        tried = await client.post("/api/cameras/test", json={"source": {"address": address}}, headers=person)
        assert tried.json()["error"]["details"]["reason"] == "address_not_allowed", tried.text
    operator = signed_in(uuid4(), sightline_role="operator")
    body = {"source": {"address": "rtsp://127.0.0.1:9/x"}}
    tried = await client.post("/api/cameras/test", json=body, headers=operator)
    assert tried.json()["error"]["details"]["reason"] == "connection_refused"


@pytest.mark.req(563)
async def test_team_members_see_a_camera_and_only_its_owner_changes_it(client_with, auth_on, signed_in):
    client = await client_with(auth=auth_on, cameras=CamerasSettings(max_per_owner=1))
    team = str(uuid4())
    owner, member, stranger = (
        signed_in(uuid4(), team_ids=[team]),
        signed_in(uuid4(), team_ids=[team]),
        signed_in(uuid4()),
    )
    body = {"name": "Shared", "team_id": team, "source": {"address": "rtsp://viewer:secret@8.8.8.8/s"}}
    assert (await client.post("/api/cameras", json=body, headers=owner)).status_code == 201
    seen = (await client.get("/api/cameras/shared", headers=member)).json()
    assert (seen["may_change"], seen["source"]["has_password"]) == (False, True)
    for change in (
        client.patch("/api/cameras/shared", json={"name": "x"}, headers=member),
        client.delete("/api/cameras/shared", headers=member),
    ):
        assert (await change).status_code == 403
    assert (await client.get("/api/cameras/shared", headers=stranger)).status_code == 404
    full = await client.post("/api/cameras", json=body | {"name": "Second"}, headers=owner)
    assert (full.status_code, full.json()["error"]["code"]) == (403, "QUOTA_EXCEEDED")


@pytest.mark.req(564)
async def test_the_newest_picture_has_an_etag_and_is_not_cached(client, platform):
    made = await client.post("/api/cameras", json={"name": "Yard", "source": SOURCE})
    assert made.status_code == 201
    none = await client.get("/api/cameras/yard/picture.jpg")
    assert (none.status_code, none.json()["error"]["code"]) == (404, "PICTURE_NOT_FOUND")
    async with platform.database.transaction() as tx:
        key = await tx.fetchval("SELECT camera_key FROM cameras")
        assert await tx.fetchval("SELECT viewed_until > now() FROM camera_sources")
    await platform.camera_pictures.offer(key, jpeg())
    platform.camera_pictures.forget(key)  # as another process would find it
    shown = await client.get("/api/cameras/yard/picture.jpg")
    assert (shown.content, shown.headers["cache-control"]) == (jpeg(), "no-store")
    same = await client.get("/api/cameras/yard/picture.jpg", headers={"if-none-match": shown.headers["etag"]})
    assert (same.status_code, same.content) == (304, b"")


def test_every_problem_says_what_to_do():
    for code in get_args(ProblemCode):
        problem = SourceProblem(code)
        assert problem.message == f"{problem.what} {problem.details['advice']}"
