"""Live pictures over a real connection: as they come, for as long as the viewer reads and may see the camera."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import uuid4

import pytest

from sightline.api.app import create_app
from sightline.api.recordings import live_pictures
from sightline.cameras import SourceChange, create_source
from sightline.cameras.recording import RecordingSettings
from sightline.timing import is_set_within
from support.recording_rig import add_camera
from support.waiting import soon, until

PATH = "/api/cameras/front_door/live.mjpeg"


async def add_live_camera(platform, **more):
    key = await add_camera(platform, **more)
    async with platform.database.transaction() as tx:
        await create_source(tx, key, SourceChange("sample", "", None, has_password=False, sealed=None, reach="public"))
    return key


class MjpegClient:
    """Reads pictures as a browser does, from the raw response."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.status = 0

    async def start(self, headers):
        lines = [
            f"GET {PATH} HTTP/1.1",
            "host: localhost:8400",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        self.writer.write("\r\n".join([*lines, "", ""]).encode())
        head = await soon(self.reader.readuntil(b"\r\n\r\n"))
        self.status = int(head.split()[1])
        self.head = head.decode().lower()

    async def picture(self) -> bytes:
        size = int(await soon(self.reader.readline()), 16)
        chunk = (await soon(self.reader.readexactly(size + 2)))[:-2]
        assert chunk.startswith(b"--" + live_pictures.BOUNDARY.encode())
        head, _, body = chunk.partition(b"\r\n\r\n")
        length = int(head.split(b"Content-Length: ")[1].split()[0])
        return body[:length]

    async def ended(self) -> bytes:
        """What is left until the server closes or ends the response."""
        return await soon(self.reader.readuntil(b"0\r\n\r\n"))


@asynccontextmanager
async def mjpeg(port, **headers):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    client = MjpegClient(reader, writer)
    await client.start(headers)
    try:
        yield client
    finally:
        writer.close()


async def offer_while(platform, key, condition, size=1000):
    """New pictures until the condition holds."""
    number = 0

    async def holds() -> bool:
        nonlocal number
        number += 1
        await platform.camera_pictures.offer(key, number.to_bytes(4, "big") + bytes(size))
        return condition()

    await until(holds)


@pytest.mark.req(593)
async def test_a_viewer_sees_each_picture_and_the_camera_hears_of_it(platform, app, serving):
    key = await add_live_camera(platform)
    await platform.camera_pictures.offer(key, b"first")
    async with serving(app) as port, mjpeg(port) as client:
        assert client.status == 200
        assert "multipart/x-mixed-replace" in client.head
        assert await client.picture() == b"first"
        for content in (b"second", b"third"):
            await platform.camera_pictures.offer(key, content)
            assert await client.picture() == content
        async with platform.database.transaction() as tx:
            assert await tx.fetchval("SELECT viewed_until > now() FROM camera_sources")


@pytest.mark.req(593)
async def test_pictures_that_come_too_fast_are_passed_over(platform, app, serving, monkeypatch):
    step_is_over = asyncio.Event()

    async def wait(over: asyncio.Event, timeout_s: float) -> bool:
        if timeout_s != live_pictures.MIN_STEP_S:
            return await is_set_within(over, timeout_s)
        await step_is_over.wait()
        return over.is_set()

    monkeypatch.setattr(live_pictures, "is_set_within", wait)
    assert live_pictures.MIN_STEP_S == 1 / 5
    key = await add_live_camera(platform)
    await platform.camera_pictures.offer(key, b"0")
    async with serving(app) as port, mjpeg(port) as client:
        assert await client.picture() == b"0"
        for number in range(1, 20):
            await platform.camera_pictures.offer(key, str(number).encode())
            for _ in range(20):
                await asyncio.sleep(0)  # each could be sent, if its time had come
        step_is_over.set()
        assert await client.picture() == b"19"


@pytest.mark.req(594)
async def test_a_viewer_that_does_not_read_is_disconnected(platform, app, serving, monkeypatch, log_lines):
    monkeypatch.setattr(live_pictures, "MAX_UNREAD_S", 0.3)
    monkeypatch.setattr(live_pictures, "MIN_STEP_S", 0.001)
    key = await add_live_camera(platform)

    def is_dropped() -> bool:
        return any(line.get("reason") == "the client does not read" for line in log_lines())

    await platform.camera_pictures.offer(key, bytes(1000))
    async with serving(app) as port, mjpeg(port):
        await offer_while(platform, key, is_dropped, size=2_000_000)
    assert is_dropped()


@pytest.mark.req(594)
async def test_one_person_follows_a_limited_number_of_pictures(platform_with, serving):
    platform = await platform_with(recording=RecordingSettings(live_viewers=1))
    key = await add_live_camera(platform)
    await platform.camera_pictures.offer(key, b"picture")
    async with serving(create_app(platform)) as port:
        async with mjpeg(port) as first:
            await first.picture()
            async with mjpeg(port) as second:
                assert second.status == 429
                assert "retry-after" in second.head

        async def is_free() -> bool:
            async with mjpeg(port) as third:
                return third.status == 200

        await until(is_free)


@pytest.mark.req(595)
async def test_live_pictures_end_with_the_rights_of_the_viewer(platform_with, auth_on, signed_in, serving, monkeypatch):
    monkeypatch.setattr(live_pictures, "RENEW_EVERY_S", 0.05)
    platform = await platform_with(auth=auth_on)
    owner, team = uuid4(), uuid4()
    key = await add_live_camera(platform, owner_id=owner)
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE cameras SET team_id = $1", team)
    await platform.camera_pictures.offer(key, b"picture")
    member = signed_in(uuid4(), team_ids=[str(team)])
    async with serving(create_app(platform)) as port:
        async with mjpeg(port, **signed_in(uuid4())) as stranger:
            assert stranger.status == 404
        async with mjpeg(port) as nobody:
            assert nobody.status == 401
        async with mjpeg(port, **member) as client:
            assert await client.picture() == b"picture"
            async with platform.database.transaction() as tx:
                await tx.execute("UPDATE cameras SET team_id = NULL")  # the camera is no longer shared
            assert (await client.ended()).endswith(b"0\r\n\r\n")


@pytest.mark.req(595)
async def test_live_pictures_end_when_the_key_is_revoked(platform_with, auth_on, signed_in, serving, client_for):
    platform = await platform_with(auth=auth_on)
    owner = uuid4()
    key = await add_live_camera(platform, owner_id=owner)
    await platform.camera_pictures.offer(key, b"picture")
    app = create_app(platform)
    client = client_for(app)
    made = await client.post("/api/keys", json={"name": "wall", "scopes": ["events:read"]}, headers=signed_in(owner))
    assert made.status_code == 201, made.text
    async with serving(app) as port, mjpeg(port, authorization=f"Bearer {made.json()['key']}") as viewer:
        assert viewer.status == 200, viewer.head
        assert await viewer.picture() == b"picture"
        await client.delete(f"/api/keys/{made.json()['key_id']}", headers=signed_in(owner))
        await platform.open_connections.close_ended()
        assert (await viewer.ended()).endswith(b"0\r\n\r\n")


@pytest.mark.req(659)
async def test_the_limit_of_pictures_holds_for_requests_at_the_same_time(platform_with, serving):
    platform = await platform_with(recording=RecordingSettings(live_viewers=2))
    key = await add_live_camera(platform)
    await platform.camera_pictures.offer(key, b"picture")
    async with serving(create_app(platform)) as port, AsyncExitStack() as stack:
        opened = await asyncio.gather(*(stack.enter_async_context(mjpeg(port)) for _ in range(6)))
        assert sorted(one.status for one in opened) == [200, 200, 429, 429, 429, 429]


@pytest.mark.req(659)
async def test_a_refused_viewer_takes_no_place(client_for, platform_with):
    client = client_for(create_app(await platform_with(recording=RecordingSettings(live_viewers=1))))
    for _ in range(3):
        assert (await client.get(PATH)).status_code == 404
