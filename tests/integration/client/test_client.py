"""The Python client where things go wrong: cut connections, servers that are away, keys, threads."""

import asyncio
import json
import threading
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import httpx
import jwt
import pytest

from sightline.api import HttpServer, bind, create_app
from sightline.client import (
    AsyncSightline,
    BackendUnavailable,
    Conflict,
    FeedMessage,
    InvalidInput,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    PermanentFailure,
    Sightline,
    StillProcessing,
    Throttled,
    TooLarge,
)
from sightline.client.downloads import download_file, read_url
from sightline.config import ApiSettings, AuthSettings
from sightline.objects import original_key
from sightline.teams import create_team
from support.cutting_proxy import cutting_proxy
from support.page_site import SECRET
from support.uploading import make_parts_small
from support.waiting import soon, until

CONTENT = bytes(range(256))


@pytest.fixture
async def served(platform_with, monkeypatch):
    """`async with served() as platform`, its API on a socket."""
    listening = bind("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"

    @asynccontextmanager
    async def serve(**sections):
        platform = await platform_with(api=ApiSettings(public_url=address), **sections)
        make_parts_small(monkeypatch, platform)
        stop, ready = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(HttpServer("api", create_app(platform), listening).run(stop, ready.set))
        await soon(ready.wait())
        try:
            yield platform
        finally:
            stop.set()
            await running

    yield serve
    listening.close()


async def at_once(_seconds: float) -> None:
    await asyncio.sleep(0)


class Scripted(httpx.AsyncBaseTransport):
    """A server that answers as the test says: a status, or an error of the connection."""

    def __init__(self, *answers: int | Exception, headers: dict[str, str] | None = None, **body) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self._headers = headers or {}
        self._body = body

    async def handle_async_request(self, request):
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        error = {"error": {"code": "SOME_CODE", "message": f"status {answer}", "details": {"why": "so"}}}
        content = json.dumps(self._body if answer < 400 else error).encode()
        return httpx.Response(answer, stream=httpx.ByteStream(content), headers=self._headers)


def client_of(wire: Scripted, **more) -> AsyncSightline:
    return AsyncSightline("http://server.example", transport=wire, sleep=at_once, **more)


CLIP: dict[str, Any] = {
    "clip_id": "c",
    "video_id": "v",
    "status": "queued",
    "t_start": 0,
    "t_end": 1,
    "padding_ms": 0,
    "created_at": "2026-01-17T10:00:00.000Z",
}


@pytest.mark.req(776)
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, NotAuthenticated),
        (404, NotFound),
        (409, Conflict),
        (413, TooLarge),
        (422, InvalidInput),
        (507, PermanentFailure),
    ],
)
async def test_errors_have_types_and_are_not_repeated(status, kind):
    async with client_of(wire := Scripted(status)) as client:
        with pytest.raises(kind, match=f"status {status}") as caught:
            await client.clip("c")
    assert len(wire.requests) == 1
    assert caught.value.details | {"code": "SOME_CODE", "why": "so", "status": status} == caught.value.details


@pytest.mark.req(776)
async def test_reading_is_repeated_while_the_server_is_away():
    wire = Scripted(httpx.ReadError("cut"), 502, httpx.ConnectError("refused"), 500, 200, **CLIP)
    async with client_of(wire) as client:
        assert (await client.clip("c")).status == "queued"
    assert len(wire.requests) == 5


@pytest.mark.req(776)
@pytest.mark.parametrize("failure", [httpx.ReadError("cut"), httpx.WriteTimeout("slow"), 500, 502])
async def test_what_may_have_had_its_effect_is_not_repeated(failure):
    async with client_of(wire := Scripted(failure, 202, **CLIP)) as client:
        with pytest.raises(BackendUnavailable) as caught:
            await client.make_clip("v", 0, 1)
    assert len(wire.requests) == 1
    assert caught.value.is_retryable


@pytest.mark.req(776)
@pytest.mark.parametrize("failure", [httpx.ConnectError("refused"), 503, 429])
async def test_what_the_server_did_not_take_is_repeated(failure):
    async with client_of(wire := Scripted(failure, 202, **CLIP)) as client:
        assert (await client.make_clip("v", 0, 1)).clip_id == "c"
    assert len(wire.requests) == 2


@pytest.mark.req(776)
async def test_the_attempts_end():
    async with client_of(wire := Scripted(httpx.ConnectError("refused")), max_attempts=3) as client:
        with pytest.raises(BackendUnavailable, match="no response from the server at http://server.example"):
            await client.clip("c")
    assert len(wire.requests) == 3


@pytest.mark.req(776)
async def test_a_server_that_asks_for_a_long_pause_is_not_waited_for():
    async with client_of(wire := Scripted(429, headers={"retry-after": "3600"})) as client:
        with pytest.raises(Throttled) as caught:
            await client.clip("c")
    assert caught.value.retry_after.total_seconds() == 3600
    assert len(wire.requests) == 1


async def test_a_deletion_whose_response_was_lost_is_done():
    async with client_of(wire := Scripted(httpx.ReadError("cut"), 404)) as client:
        await client.delete_video("v")
    assert len(wire.requests) == 2


@pytest.mark.parametrize("wrong", ["", ".", "..", "..."])
async def test_an_id_of_dots_is_no_other_path(wrong):
    async with client_of(wire := Scripted(200)) as client:
        with pytest.raises(InvalidInput, match="is not an id"):
            await client.delete_video(wrong)
    assert not wire.requests


async def test_an_id_stays_one_part_of_the_path():
    async with client_of(wire := Scripted(404)) as client:
        with pytest.raises(NotFound):
            await client.clip("../videos?x=1#y")
    assert wire.requests[0].url.raw_path == b"/clips/..%2Fvideos%3Fx%3D1%23y"


async def test_an_answer_of_another_server_is_an_error_of_its_own():
    async with client_of(Scripted(200, hello="world")) as client:
        with pytest.raises(PermanentFailure, match="is no Clip"):
            await client.clip("c")


@pytest.mark.parametrize("url", ["", "server.example", "ftp://server.example", "http://"])
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(InvalidInput, match="use http://host:port"):
        AsyncSightline(url)


@pytest.mark.req(777)
async def test_credentials_go_to_the_api_and_never_to_a_signed_address(tmp_path):
    async with client_of(wire := Scripted(200, **CLIP), api_key="slk_secret") as client:
        await client.clip("c")
        await read_url(client._api, "http://store.example/picture?X-Amz-Signature=1", max_bytes=10_000)
        await download_file(client._api, "http://store.example/clip?X-Amz-Signature=1", tmp_path / "clip.mp4")
    asked, *signed = wire.requests
    assert asked.headers["authorization"] == "Bearer slk_secret"
    assert len(signed) == 2
    assert all("authorization" not in request.headers for request in signed)


@pytest.mark.req(773)
async def test_an_upload_through_a_line_that_is_cut_arrives_whole(served, tmp_path):
    film = tmp_path / "film.mp4"
    film.write_bytes(CONTENT)
    async with served() as platform:
        port = int(platform.public_url.rpartition(":")[2])
        async with cutting_proxy(port) as proxy:
            proxy.cut_after = [300, 0, 900, 50, 1500]
            wire = httpx.AsyncHTTPTransport(limits=httpx.Limits(max_keepalive_connections=0))
            async with AsyncSightline(f"http://127.0.0.1:{proxy.port}", transport=wire, sleep=at_once) as client:
                video = await soon(client.upload(film, parallel=2), within_s=60)
        assert await platform.objects.get(original_key(UUID(video.video_id))) == CONTENT
        async with AsyncSightline(platform.public_url) as client:
            assert [one.video_id async for one in client.videos()] == [video.video_id]
            with pytest.raises(StillProcessing, match="still being processed"):
                await client.wait_until_searchable(video, timeout_s=0.05)


@pytest.mark.req(777)
async def test_a_download_goes_on_where_it_was_cut(served, tmp_path):
    content = bytes(range(256)) * 4000
    async with served() as platform:
        await platform.objects.put("videos/clips/a/b.mp4", content)
        url = await platform.objects.sign_get("videos/clips/a/b.mp4", expires_s=60)
        port = int(platform.public_url.rpartition(":")[2])
        async with cutting_proxy(port) as proxy:
            proxy.cut_after = [300_000, 200_000]
            # The address is signed for the server; the line to it is another.
            wire = httpx.AsyncHTTPTransport()

            ranges: list[str | None] = []

            class Through(httpx.AsyncBaseTransport):
                async def handle_async_request(self, request):
                    ranges.append(request.headers.get("range"))
                    request.url = request.url.copy_with(port=proxy.port)
                    return await wire.handle_async_request(request)

                async def aclose(self):
                    await wire.aclose()

            async with AsyncSightline(platform.public_url, transport=Through(), sleep=at_once) as client:
                seen: list[int] = []
                target = await download_file(
                    client._api, url, tmp_path / "clip.mp4", progress=lambda done, _: seen.append(done)
                )
        assert target.read_bytes() == content
        assert seen[-1] == len(content)
        assert ranges[0] is None
        assert all(one and one.startswith("bytes=") for one in ranges[1:]), ranges
        assert len(ranges) == 3
        assert list(tmp_path.glob("*.part")) == []


async def test_a_download_that_fails_leaves_no_file(served, tmp_path):
    async with served() as platform, AsyncSightline(platform.public_url, sleep=at_once) as client:
        url = await platform.objects.sign_get("videos/clips/a/none.mp4", expires_s=60)
        with pytest.raises(NotFound):
            await download_file(client._api, url, tmp_path / "clip.mp4")
        with pytest.raises(PermanentFailure, match="cannot write"):
            await download_file(client._api, url, tmp_path / "no folder" / "clip.mp4")
    assert list(tmp_path.glob("clip*")) == []


@pytest.mark.req(777)
async def test_an_api_key_signs_in(served):
    async with served(auth=AuthSettings(jwt_secret=SECRET)) as platform:
        async with AsyncSightline(platform.public_url) as client:
            with pytest.raises(NotAuthenticated, match="api_key="):
                await anext(client.videos())
        claims = {"sub": "0b8f4a52-63a5-4f0e-9d0a-1a2b3c4d5e6f", "exp": 4_000_000_000}
        token = jwt.encode(claims, SECRET, "HS256")
        async with AsyncSightline(platform.public_url, token=token) as client:
            made = await client._api.call(
                "POST", "/api/keys", json={"name": "script", "scopes": ["videos:read", "events:read", "live:read"]}
            )
        async with AsyncSightline(platform.public_url, api_key=made["key"]) as client:
            assert [one async for one in client.videos()] == []
    with pytest.raises(InvalidInput, match="not both"):
        AsyncSightline("http://server.example", token="a", api_key="b")


@pytest.mark.req(1069)
async def test_a_file_is_uploaded_to_a_team_and_not_resumed_for_another_owner(served, tmp_path):
    file = tmp_path / "gate.mp4"
    file.write_bytes(CONTENT)
    person = "0b8f4a52-63a5-4f0e-9d0a-1a2b3c4d5e6f"
    async with served(auth=AuthSettings(jwt_secret=SECRET)) as platform:
        async with platform.database.transaction() as tx:
            team = await create_team(tx, "Night shift", owner_id=UUID(person))
        token = jwt.encode({"sub": person, "exp": 4_000_000_000}, SECRET, "HS256")
        async with AsyncSightline(platform.public_url, token=token) as client:
            body = {"totalSize": len(CONTENT), "filename": file.name}
            unfinished = await client._api.call("POST", "/videos", json=body)
            video = await client.upload(file, team_id=team)
            assert video.video_id != unfinished["videoId"]
            shown = await client._api.call("GET", f"/videos/{video.video_id}")
            assert (shown["teamId"], shown["isOfTeam"]) == (str(team), True)
            assert (await client.upload(file)).video_id == unfinished["videoId"]
            with pytest.raises(NotAllowed, match="not a member"):
                await client.upload(file, team_id=UUID(int=9), is_new=True)


@pytest.mark.req(775)
async def test_the_form_without_asyncio_follows_the_live_feed_and_can_stop(live):
    def follow() -> list[str]:
        with Sightline(f"http://127.0.0.1:{live.port}") as client:
            found = []
            for item in client.live("events"):
                if isinstance(item, FeedMessage):
                    found.append(item.type)
                    if len(found) == 2:
                        break
            return found

    following = asyncio.create_task(asyncio.to_thread(follow))

    async def has_ended() -> bool:
        if not following.done():
            await live.append()
        return following.done()

    await until(has_ended)
    assert len(await following) == 2


@pytest.mark.req(775)
async def test_closing_the_client_ends_what_other_threads_wait_for(live):
    client = Sightline(f"http://127.0.0.1:{live.port}")
    errors: list[BaseException] = []

    def follow() -> None:
        try:
            next(iter(client.live("events")))
        except RuntimeError as error:
            errors.append(error)

    thread = threading.Thread(target=follow)
    thread.start()
    await asyncio.to_thread(lambda: next(client.videos(), None))
    await asyncio.to_thread(client.close)
    await asyncio.to_thread(thread.join)
    assert "is closed" in str(errors[0])
    with pytest.raises(RuntimeError, match="is closed"):
        client.video("x")
    client.close()  # once more is fine


@pytest.mark.req(775)
async def test_a_client_that_is_forgotten_ends_its_thread(live):
    def use() -> threading.Thread:
        client = Sightline(f"http://127.0.0.1:{live.port}")
        list(client.videos())
        return client._thread._thread

    thread = await asyncio.to_thread(use)
    await until(lambda: not thread.is_alive())


async def test_a_progress_function_that_uses_the_client_is_told_that_it_cannot(live, tmp_path):
    film = tmp_path / "film.mp4"
    film.write_bytes(CONTENT)

    def upload() -> None:
        with Sightline(f"http://127.0.0.1:{live.port}") as client:
            client.upload(film, progress=lambda _: client.delete_video("x"))

    with pytest.raises(RuntimeError, match="progress function"):
        await asyncio.to_thread(upload)
