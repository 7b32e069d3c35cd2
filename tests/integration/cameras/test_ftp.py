"""Cameras that upload over FTP, with the client of the standard library: their own folder, whole files, and nothing to read."""

import asyncio
import ftplib
import io
import socket
import ssl
import struct
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import pytest

from sightline.api import create_app
from sightline.cameras import CamerasSettings, FtpSettings
from sightline.cameras.ftp import FtpAccounts, FtpService
from support.bright_detector import BrightDetector
from support.camera_clips import jpeg
from support.emulators import free_port
from support.integration_certificate import make_certificate
from support.waiting import soon
from support.watch_rig import until_detections, watching

PASSWORD = "s3cret-of-upload"
MAX_BYTES = 100_000
pytestmark = pytest.mark.time_limit(240)


@pytest.fixture
async def platform(platform_with):
    return await platform_with(cameras=CamerasSettings(folder_poll_s=0.05, folder_settle_s=0.05, lease_s=3))


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    """A wrong password is answered after three seconds; an answer of the database may take long on a busy machine."""
    monkeypatch.setattr("sightline.cameras.ftp.handlers.FTPHandler.auth_failed_timeout", 0.05)
    monkeypatch.setattr("sightline.cameras.ftp.service.LOOKUP_S", 600.0)


@asynccontextmanager
async def ftp_server(platform, **settings):
    accounts = FtpAccounts(platform.database, platform.sealing, platform.camera_folders, platform.api_keys)
    chosen = FtpSettings(host="127.0.0.1", port=free_port(), **settings)
    service = FtpService(chosen, accounts, max_file_bytes=MAX_BYTES)
    stop, ready = asyncio.Event(), asyncio.Event()
    running = asyncio.create_task(service.run(stop, ready.set))
    try:
        await soon(ready.wait())
        yield service
    finally:
        stop.set()
        await running


async def add(client, name="Yard", password=PASSWORD) -> str:
    source = {"kind": "folder", "username": "camera", "password": password}
    answer = await client.post("/api/cameras", json={"name": name, "source": source})
    assert answer.status_code == 201, answer.text
    assert PASSWORD not in answer.text
    return str(answer.json()["camera_id"])


def sign_in(port: int, user="camera", password=PASSWORD) -> ftplib.FTP:
    ftp = ftplib.FTP(timeout=600)
    try:
        ftp.connect("127.0.0.1", port)
        ftp.login(user, password)
    except BaseException:
        ftp.close()
        raise
    return ftp


def store(port: int, name: str, content: bytes, **login) -> str:
    with sign_in(port, **login) as ftp:
        return ftp.storbinary(f"STOR {name}", io.BytesIO(content))


def refusal(work) -> str:
    with pytest.raises(ftplib.error_perm) as raised:
        work()
    return str(raised.value)[:3]


def files(platform) -> dict[str, bytes]:
    folders: Path = platform.camera_folders
    return {path.name: path.read_bytes() for path in folders.rglob("*") if path.is_file()}


@pytest.mark.req(639)
async def test_an_upload_becomes_a_detection(client, platform, log_lines):
    await add(client)
    async with ftp_server(platform) as server, watching(platform, BrightDetector()):
        answer = await asyncio.to_thread(store, server.port, "walk.jpg", jpeg())
        assert answer.startswith("226")
        (seen,) = await until_detections(client, "yard")
        assert seen["object_type"] == "person"
        assert files(platform) == {"walk.jpg": jpeg()}
    lines = log_lines()
    (received,) = [line for line in lines if line["event"] == "ftp.received"]
    assert (received["camera_id"], received["file"]) == ("yard", "walk.jpg")
    assert not any(PASSWORD in str(line) for line in lines)


@pytest.mark.req(640)
async def test_a_camera_writes_into_its_own_folder_and_reads_nothing(client, platform):
    await add(client, "Yard")
    await add(client, "Door", password="another")  # the same user name

    def try_everything(port: int) -> None:
        with sign_in(port) as ftp:
            ftp.mkd("2026")
            ftp.cwd("2026")
            ftp.storbinary("STOR ../../../x.jpg", io.BytesIO(b"stays inside"))
            for command in (
                "RETR /x.jpg",
                "DELE /x.jpg",
                "APPE /x.jpg",
                "RMD /2026",
                "SITE CHMOD 777 /x.jpg",
                "MLST /",
            ):
                assert refusal(lambda command=command: ftp.sendcmd(command)) in ("500", "501", "502", "504", "550")
            assert refusal(lambda: ftp.retrlines("LIST")) == "550"
            ftp.cwd("/")
            ftp.sendcmd("TYPE I")
            assert refusal(lambda: ftp.storbinary("STOR x.jpg", io.BytesIO(b"more"), rest=3)) == "550"
        store(port, "door.jpg", b"door", password="another")

    async with ftp_server(platform) as server:
        await asyncio.to_thread(try_everything, server.port)
    assert files(platform) == {"x.jpg": b"stays inside", "door.jpg": b"door"}
    assert len({path.parent for path in platform.camera_folders.rglob("*.jpg")}) == 2


@pytest.mark.req(692)
async def test_an_answer_says_where_to_upload_and_an_api_key_that_sends_detections_is_a_password(client, platform):
    answer = (await client.post("/api/cameras", json={"name": "Yard", "source": {"kind": "folder"}})).json()
    upload = answer["upload"]
    assert (await client.get("/api/cameras/yard")).json()["upload"] == upload
    (listed,) = (await client.get("/api/cameras")).json()["cameras"]
    assert listed["upload"] == upload

    async def new_key(scope: str) -> str:
        made = await client.post("/api/keys", json={"name": scope, "scopes": [scope]})
        assert made.status_code == 201, made.text
        return str(made.json()["key"])

    key, other = await new_key("detections:write"), await new_key("videos:read")
    user = upload["ftp_username"]
    async with ftp_server(platform) as server:
        stored = await asyncio.to_thread(store, server.port, "key.jpg", b"by key", user=user, password=key)
        assert stored.startswith("226")
        for wrong in (other, key[:-1] + ("a" if key[-1] != "a" else "b")):
            assert await asyncio.to_thread(refusal, lambda w=wrong: sign_in(server.port, user, w)) == "530"
    assert (Path(upload["folder"]) / "key.jpg").read_bytes() == b"by key"
    assert upload["ftp_port"] is None  # the platform's own server is switched off


@pytest.mark.req(692)
async def test_a_key_uploads_for_cameras_of_its_owner_only(platform_with, auth_on, client_for, signed_in):
    platform = await platform_with(auth=auth_on)
    client = client_for(create_app(platform))
    ann, eve = signed_in(UUID(int=11)), signed_in(UUID(int=12))
    yard = (await client.post("/api/cameras", json={"name": "Yard", "source": {"kind": "folder"}}, headers=ann)).json()
    assert yard["upload"]["folder"] is None  # a path of the machine
    made = await client.post("/api/keys", json={"name": "k", "scopes": ["detections:write"]}, headers=eve)
    accounts = FtpAccounts(platform.database, platform.sealing, platform.camera_folders, platform.api_keys)
    assert await accounts.find(yard["upload"]["ftp_username"], made.json()["key"]) is None
    own = await client.post("/api/keys", json={"name": "k", "scopes": ["detections:write"]}, headers=ann)
    found = await accounts.find(yard["upload"]["ftp_username"], own.json()["key"])
    assert found is not None
    assert found.camera_id == "yard"


@pytest.mark.req(641)
async def test_wrong_passwords_nobody_and_anonymous_are_refused(client, platform, log_lines):
    await add(client)
    await client.post("/api/cameras", json={"name": "Open", "source": {"kind": "folder"}})  # has no password
    async with ftp_server(platform) as server:
        for user, password in (("camera", "wrong"), ("anonymous", "a@b"), ("open", "")):
            refused = await asyncio.to_thread(refusal, lambda u=user, p=password: sign_in(server.port, u, p))
            assert refused in ("530", "503")
        await client.patch("/api/cameras/yard", json={"is_enabled": False})
        assert await asyncio.to_thread(refusal, lambda: sign_in(server.port)) == "530"
    assert not any(PASSWORD in str(line) or "wrong" in str(line) for line in log_lines())


@pytest.mark.req(642)
async def test_a_file_that_is_too_large_leaves_nothing(client, platform):
    await add(client)

    async with ftp_server(platform) as server:
        with pytest.raises((ftplib.error_perm, OSError)):
            await asyncio.to_thread(store, server.port, "large.jpg", b"x" * (MAX_BYTES * 20))
        assert (await asyncio.to_thread(store, server.port, "good.jpg", b"x" * MAX_BYTES)).startswith("226")
    assert set(files(platform)) == {"good.jpg"}


@pytest.mark.req(641)
async def test_with_a_certificate_uploads_are_encrypted(client, platform, tmp_path):
    await add(client)
    certificate = make_certificate(tmp_path, "localhost")

    def encrypted(port: int) -> None:
        context = ssl.create_default_context(cafile=str(certificate))
        with ftplib.FTP_TLS(context=context, timeout=600) as ftp:
            ftp.connect("127.0.0.1", port)
            ftp.host = "localhost"
            ftp.login("camera", PASSWORD)
            ftp.prot_p()
            with ftp.transfercmd("STOR secret.jpg") as data:
                data.sendall(b"encrypted")
            ftp.voidresp()

    async with ftp_server(platform, certificate=certificate, requires_tls=True) as server:
        assert await asyncio.to_thread(refusal, lambda: sign_in(server.port)) == "550"
        await asyncio.to_thread(encrypted, server.port)
    assert files(platform) == {"secret.jpg": b"encrypted"}


@pytest.mark.req(642)
async def test_an_upload_whose_connection_is_reset_leaves_nothing_and_the_next_one_is_stored(
    client, platform, log_lines
):
    await add(client)

    def reset_then_store(port: int) -> str:
        with sign_in(port) as ftp:
            data = ftp.transfercmd("STOR cut.jpg")
            data.sendall(b"half of a picture")
            data.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            data.close()
            with pytest.raises(ftplib.error_temp, match="^426"):
                ftp.voidresp()
        return store(port, "whole.jpg", b"whole")

    async with ftp_server(platform) as server:
        assert (await asyncio.to_thread(reset_then_store, server.port)).startswith("226")
    assert files(platform) == {"whole.jpg": b"whole"}
    assert [line["file"] for line in log_lines() if line["event"] == "ftp.incomplete"] == [".cut.jpg.part"]
