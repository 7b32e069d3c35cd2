"""The client behind `sightline upload`, against the API and the store on a real socket."""

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import httpx
import pytest

from sightline.api import HttpServer, bind, create_app
from sightline.client.api_client import MAX_ATTEMPTS, ApiClient
from sightline.client.upload_client import UploadClient
from sightline.config import ApiSettings
from sightline.errors import BackendUnavailable, Conflict, InvalidInput, NotAuthenticated
from sightline.objects import original_key
from sightline.timing import utc_now
from sightline.uploads import UploadsSettings
from support.uploading import make_parts_small, splits
from support.waiting import soon

PARTS = 26  # of ten bytes; more than addresses are given out for at once
CONTENT = bytes(range(256))


class Killed(BaseException):
    """As if the process had ended here."""


class Wire(httpx.AsyncHTTPTransport):
    """The way to the server, on which a test can make things go wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.puts: list[str] = []
        self.on_put: Any = None

    async def handle_async_request(self, request):
        if request.method == "PUT":
            self.puts.append(request.url.params["partNumber"])
            if self.on_put is not None and (answer := await self.on_put(request)) is not None:
                return answer
        return await super().handle_async_request(request)


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


@asynccontextmanager
async def client_of(platform, wire=None, *, parallel=4, **headers):
    async def at_once(_seconds):
        await asyncio.sleep(0)

    async with httpx.AsyncClient(
        base_url=platform.public_url, transport=wire or Wire(), headers=headers, timeout=None
    ) as http:
        yield UploadClient(ApiClient(http, sleep=at_once, sign_in_hint="pass --token"), parallel=parallel)


@pytest.fixture
def film(tmp_path):
    path = tmp_path / "film.mp4"
    path.write_bytes(CONTENT)
    return path


def nothing(_more, _doing):
    pass


async def test_a_file_arrives_whole(served, film):
    async with served() as platform, client_of(platform) as client:
        sent = []
        video_id = await client.upload(film, is_new=False, progress=lambda more, _: sent.append(more))
        assert await platform.objects.get(original_key(video_id)) == CONTENT
        assert sum(sent) == len(CONTENT)
        assert len(await splits(platform)) == 1


async def test_a_try_that_was_cut_off_is_gone_on_with(served, film):
    async with served() as platform:
        wire = Wire()

        async def die(_request):
            if len(wire.puts) > 10:
                raise Killed

        wire.on_put = die
        async with client_of(platform, wire) as client:
            with pytest.raises(BaseExceptionGroup):
                await client.upload(film, is_new=False, progress=nothing)
        again, checked = Wire(), []
        async with client_of(platform, again) as client:
            video_id = await client.upload(film, is_new=False, progress=lambda more, _: checked.append(more))
        assert await platform.objects.get(original_key(video_id)) == CONTENT
        assert PARTS - 10 <= len(again.puts) < PARTS, "what had arrived was not sent again"
        assert sum(checked) == len(CONTENT)
        (upload,) = await _videos(platform)
        assert upload["videoId"] == video_id


async def _videos(platform):
    async with httpx.AsyncClient(base_url=platform.public_url, timeout=None) as http:
        return (await http.get("/videos")).json()["videos"]


async def test_another_file_of_the_same_name_and_size_is_refused(served, film):
    async with served() as platform:
        wire = Wire()

        async def die(_request):
            if len(wire.puts) > 5:
                raise Killed

        wire.on_put = die
        async with client_of(platform, wire, parallel=1) as client:
            with pytest.raises(BaseExceptionGroup):
                await client.upload(film, is_new=False, progress=nothing)
        film.write_bytes(b"x" + CONTENT[1:])
        async with client_of(platform, other := Wire()) as client:
            with pytest.raises(Conflict, match=r"another file \(part 1 differs\); start over .*--new"):
                await client.upload(film, is_new=False, progress=nothing)
            assert other.puts == []
            video_id = await client.upload(film, is_new=True, progress=nothing)
        assert await platform.objects.get(original_key(video_id)) == b"x" + CONTENT[1:]
        assert len(await _videos(platform)) == 2


@pytest.mark.req(252)
async def test_expired_addresses_are_asked_for_again(served, film):
    async with served() as platform:
        wire, refused = Wire(), []

        async def expire(request):
            number = request.url.params["partNumber"]
            if number not in refused:
                refused.append(number)
                xml = "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"
                return httpx.Response(403, text=xml, request=request)

        wire.on_put = expire
        async with client_of(platform, wire) as client:
            video_id = await client.upload(film, is_new=False, progress=nothing)
        assert len(refused) == PARTS
        assert await platform.objects.get(original_key(video_id)) == CONTENT


@pytest.mark.req(253)
async def test_an_address_that_has_really_expired_is_refused_by_the_store(served, monkeypatch):
    async with served(uploads=UploadsSettings(url_expiry_s=1)) as platform, httpx.AsyncClient(timeout=None) as http:
        async with httpx.AsyncClient(base_url=platform.public_url, timeout=None) as api:
            body = {"totalSize": 10, "filename": "a.mp4"}
            video_id = (await api.post("/videos", json=body)).json()["videoId"]
            (issued,) = (await api.get(f"/videos/{video_id}/upload-urls")).json()["urls"]
        monkeypatch.setattr(platform.open_objects.disk, "clock", lambda: utc_now() + timedelta(seconds=5))
        answer = await http.put(issued["url"], content=bytes(10))
        assert answer.status_code == 403
        assert "Request has expired" in answer.text


async def test_a_shaky_line_is_borne_with(served, film):
    async with served() as platform:
        wire, fell = Wire(), set()

        async def fall(request):
            number = request.url.params["partNumber"]
            if number not in fell:
                fell.add(number)
                if int(number) % 2:
                    raise httpx.ReadError("the wire was cut")
                return httpx.Response(503, text="later", request=request)

        wire.on_put = fall
        sent = []
        async with client_of(platform, wire) as client:
            video_id = await client.upload(film, is_new=False, progress=lambda more, _: sent.append(more))
        assert await platform.objects.get(original_key(video_id)) == CONTENT
        assert sum(sent) == len(CONTENT)


@pytest.mark.req(425)
async def test_a_part_that_is_stored_while_its_response_is_lost_is_not_sent_again(served, film):
    async with served() as platform:
        wire, lost = Wire(), set()

        async def lose(request):
            if request.url.params["partNumber"] not in lost:
                lost.add(request.url.params["partNumber"])
                stored = await httpx.AsyncHTTPTransport.handle_async_request(wire, request)
                await stored.aread()
                raise httpx.ReadError("the wire was cut")

        wire.on_put = lose
        sent = []
        async with client_of(platform, wire) as client:
            video_id = await client.upload(film, is_new=False, progress=lambda more, _: sent.append(more))
        assert await platform.objects.get(original_key(video_id)) == CONTENT
        assert sorted(map(int, wire.puts)) == list(range(1, PARTS + 1)), "each once"
        assert sum(sent) == len(CONTENT)


@pytest.mark.req(425, 426)
async def test_an_outage_is_waited_for_longer_than_an_error_and_nothing_kept_is_forgotten(served, film):
    async with served() as platform:
        wire, tries = Wire(), {"1": 0, "2": 0}

        async def fall(request):
            number = request.url.params["partNumber"]
            if number == "3":
                return httpx.Response(500, text="broken", request=request)
            if number in tries and tries[number] < 20:
                tries[number] += 1
                if tries[number] % 2:
                    raise httpx.ConnectError("refused")
                return httpx.Response(502, text="no server", request=request)

        wire.on_put = fall
        async with client_of(platform, wire, parallel=1) as client:
            with pytest.raises(BaseExceptionGroup, match="TaskGroup"):
                await client.upload(film, is_new=False, progress=nothing)
            assert client.started is not None
            assert (client.started.kept_bytes, client.started.total_size) == (20, len(CONTENT))
        assert wire.puts.count("3") == MAX_ATTEMPTS


async def test_an_upload_that_the_server_completed_in_the_meantime_is_uploaded(served, film):
    async with served() as platform:
        wire = Wire()

        async def complete(request):
            if request.url.params["partNumber"] == str(PARTS):
                stored = await httpx.AsyncHTTPTransport.handle_async_request(wire, request)
                await stored.aread()
                async with httpx.AsyncClient(base_url=platform.public_url, timeout=None) as http:
                    video_id = video_of_address(request)
                    assert (await http.post(f"/videos/{video_id}/complete")).status_code == 200
                raise httpx.ReadError("the wire was cut")

        wire.on_put = complete
        async with client_of(platform, wire, parallel=1) as client:
            video_id = await client.upload(film, is_new=False, progress=nothing)
        assert await platform.objects.get(original_key(video_id)) == CONTENT


def video_of_address(request):
    """The video's id in the address of a part."""
    return request.url.path.split("/")[-2]


async def test_a_part_that_never_arrives_is_told_of(served, film):
    async with served() as platform:
        wire = Wire()

        async def fall(request):
            raise httpx.ReadError("the wire was cut")

        wire.on_put = fall
        async with client_of(platform, wire, parallel=1) as client:
            with pytest.raises(BaseExceptionGroup) as told:
                await client.upload(film, is_new=False, progress=nothing)
        (error,) = told.value.exceptions
        assert isinstance(error, BackendUnavailable)
        assert "part 1 could not be uploaded: the wire was cut" in str(error)


async def test_a_file_of_the_wrong_size_is_refused_before_it_is_stored(served):
    """The length stands in what was signed."""
    async with served() as platform, httpx.AsyncClient(base_url=platform.public_url, timeout=None) as api:
        video_id = (await api.post("/videos", json={"totalSize": 20, "filename": "a.mp4"})).json()["videoId"]
        first, _ = (await api.get(f"/videos/{video_id}/upload-urls")).json()["urls"]
        for content in (b"", bytes(9), bytes(11)):
            answer = await api.put(first["url"], content=content)
            assert answer.status_code == 403, "SignatureDoesNotMatch"
        assert (await api.put(first["url"], content=bytes(10))).status_code == 200


async def test_an_empty_file_and_one_that_is_no_video_are_refused(served, tmp_path):
    async with served() as platform, client_of(platform) as client:
        for name, content, words in (("empty.mp4", b"", "the file is empty"), ("a.exe", b"x", "extension")):
            (tmp_path / name).write_bytes(content)
            with pytest.raises(InvalidInput, match=words):
                await client.upload(tmp_path / name, is_new=False, progress=nothing)


async def test_whoever_is_unknown_is_told_how_to_be_known(served, film, auth_on):
    async with served(auth=auth_on) as platform, client_of(platform) as client:
        with pytest.raises(NotAuthenticated, match="--token"):
            await client.upload(film, is_new=False, progress=nothing)
