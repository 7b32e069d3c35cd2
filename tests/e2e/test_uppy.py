"""Uppy's AwsS3 uploader, both generations, on a page of another origin in a real browser against a real platform."""

import asyncio
import filecmp
import os
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import jwt
import pytest
import pytest_asyncio

from support.browser import ON_ITS_LOOP
from support.cable import Cable
from support.foreign_page import GENERATIONS, ForeignPage, serving
from support.platform_process import up
from support.waiting import until

pytestmark = [ON_ITS_LOOP]

MIB = 1024 * 1024
CHUNK = 5 * MIB  # the smallest that Uppy sends and S3 takes
SECRET = "known to whoever signs people in"
both = pytest.mark.parametrize("generation", GENERATIONS)


@dataclass
class Site:
    """The foreign pages, the platform that lets them in, and whoever is signed in there."""

    origin: str
    cable: Cable
    state: Path
    token: str

    async def get(self, path: str) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {self.token}"}
        async with httpx.AsyncClient(base_url=self.cable.address, headers=headers, timeout=300) as client:
            answer = await client.get(path)
            assert answer.status_code == 200, answer.text
            return answer.json()

    async def videos(self, name: str) -> list[dict[str, Any]]:
        return [video for video in (await self.get("/videos"))["videos"] if video["name"] == name]

    async def only_video(self, film: Path) -> dict[str, Any]:
        (video,) = await self.videos(film.name)
        return video

    def stored(self, video_id: str) -> Path:
        return self.state / "objects" / "videos" / "original" / video_id / "master.mp4"

    async def check_arrived(self, film: Path) -> None:
        """One video, UPLOADED, of exactly these bytes."""
        video = await self.only_video(film)
        history = (await self.get(f"/videos/{video['videoId']}"))["history"]
        assert [move["status"] for move in history][:3] == ["CREATED", "UPLOADING", "UPLOADED"]
        assert await asyncio.to_thread(filecmp.cmp, self.stored(video["videoId"]), film, shallow=False)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    state = tmp_path_factory.mktemp("uppy") / "state"
    with serving(tmp_path_factory.mktemp("pages")) as origin:
        async with Cable().laid() as cable:
            settings = {
                "SIGHTLINE_API_CORS_ORIGINS": origin,
                "SIGHTLINE_API_PUBLIC_URL": cable.address,
                "SIGHTLINE_AUTH_JWT_SECRET": SECRET,
            }
            async with up(state, **settings) as platform:
                cable.leads_to = urlsplit(platform.address).port or 0
                token = jwt.encode({"sub": "ana", "exp": datetime.now(UTC) + timedelta(hours=1)}, SECRET)
                yield Site(origin, cable, state, token)


@pytest.fixture
def film(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Three parts of 5, 5 and 1 MiB."""
    path = tmp_path / f"{re.sub(r'[^a-z0-9]+', ' ', request.node.name)}.mp4"
    path.write_bytes(os.urandom(11 * MIB))
    return path


@pytest.fixture
def visit(site, page):
    site.cable.mend()

    async def opened(generation, *, origin=site.origin, chunk_size=CHUNK, token=site.token):
        wishes = {"endpoint": site.cable.address, "chunkSize": chunk_size, "token": token}
        return await ForeignPage.open(page, f"{origin}/{generation}.html", wishes)

    return opened


def part(number):
    """How the request that brings it begins."""
    return rf"PUT /objects/.*[?&]partNumber={number}&"


@both
async def test_a_file_arrives_byte_for_byte(site, visit, film, generation):
    client = await visit(generation)
    await client.choose(film)
    assert await client.outcome() == ("done", "")
    assert await client.sent() == [1, 2, 3]
    await site.check_arrived(film)


async def test_uppy_5_sends_parts_at_once(site, visit, film):
    site.cable.hold(part(1), part(2), part(3))
    client = await visit("uppy5")
    await client.choose(film)
    await site.cable.held(part(1), part(2), part(3))
    site.cable.let_go(part(3), part(2), part(1))
    assert await client.outcome() == ("done", "")
    await site.check_arrived(film)


@both
async def test_a_connection_lost_in_the_middle_of_a_part_costs_nothing(site, visit, film, generation):
    client = await visit(generation)
    site.cable.break_after(7 * MIB)
    await client.choose(film)
    assert await client.outcome() == ("done", "")
    assert site.cable.is_broken
    assert await client.sent() == [1, 2, 3]
    await site.check_arrived(film)


@both
async def test_without_a_network_it_waits_or_can_be_told_to_go_on(site, visit, film, context, generation):
    site.cable.hold(part(2))
    client = await visit(generation)
    await client.choose(film)
    await client.parts(1)
    await site.cable.held(part(2))
    await context.set_offline(True)
    site.cable.cut()
    if generation == "uppy6":  # gives up and offers the button; Uppy 5 waits for the network
        assert (await client.outcome())[0] == "failed"
    assert 2 not in await client.sent()
    site.cable.mend()
    await context.set_offline(False)
    if generation == "uppy6":
        await client.retry()
    assert await client.outcome() == ("done", "")
    await site.check_arrived(film)


@both
async def test_a_paused_upload_goes_on(site, visit, film, generation):
    site.cable.hold(part(3))
    client = await visit(generation)
    await client.choose(film)
    await client.parts(1, 2)
    await site.cable.held(part(3))
    await client.does("pause")
    site.cable.forget()
    assert await client.sent() == [1, 2]
    assert (await site.only_video(film))["status"] == "UPLOADING"
    await client.does("resume")
    assert await client.outcome() == ("done", "")
    assert await client.sent() == [1, 2, 3]
    await site.check_arrived(film)


@both
async def test_a_cancelled_upload_leaves_nothing(site, visit, film, generation):
    site.cable.hold(part(3))
    client = await visit(generation)
    await client.choose(film)
    await client.parts(1, 2)
    await client.does("cancel")

    async def is_over():
        return (await site.only_video(film))["status"] == "FAILED"

    await until(is_over)
    video = await site.only_video(film)
    assert video["errorReason"] == "the upload was discarded"
    assert film.name not in [one["name"] for one in (await site.get("/uploads"))["uploads"]]
    assert not site.stored(video["videoId"]).exists()


@both
async def test_a_page_that_is_loaded_anew_sends_only_what_is_missing(site, visit, film, generation):
    site.cable.hold(part(3))
    client = await visit(generation)
    await client.choose(film)
    await client.parts(1, 2)
    await site.cable.held(part(3))
    await client.page.reload()
    site.cable.forget()
    await client.choose(film)
    assert await client.outcome() == ("done", "")
    assert await client.sent() == [3]
    await site.check_arrived(film)


@both
@pytest.mark.req(276)
async def test_another_chunk_size_after_a_reload_is_refused_and_spoils_nothing(site, visit, film, generation):
    """The page takes parts of the old size for its own: the file it makes of them would lack some bytes."""
    site.cable.hold(part(3))
    client = await visit(generation)
    await client.choose(film)
    await client.parts(1, 2)
    await site.cable.held(part(3))
    for other_size in (CHUNK + MIB // 4, CHUNK + MIB):  # the third part has another size; there is no third part
        again = await visit(generation, chunk_size=other_size)
        site.cable.forget()
        await again.choose(film)
        assert (await again.outcome())[0] == "failed"
    video = await site.only_video(film)
    assert video["status"] == "UPLOADING"
    assert not site.stored(video["videoId"]).exists()
    again = await visit(generation)
    await again.choose(film)
    assert await again.outcome() == ("done", "")
    assert await again.sent() == [3]
    await site.check_arrived(film)


async def test_uppy_6_survives_that_the_last_answer_is_lost(site, visit, film):
    client = await visit("uppy6")

    async def answer_to_nobody(route):
        await route.fetch()
        await route.abort("connectionreset")

    await client.page.route("**/complete?*", answer_to_nobody, times=1)
    await client.choose(film)
    assert (await client.outcome())[0] == "failed"
    await client.retry()
    assert await client.outcome() == ("done", "")
    await site.check_arrived(film)


@both
async def test_other_pages_and_nobody_get_nowhere(site, visit, film, generation):
    for what in ({"origin": site.origin.replace("localhost", "127.0.0.1")}, {"token": ""}):
        client = await visit(generation, **what)
        await client.choose(film)
        assert (await client.outcome())[0] == "failed"
    assert await site.videos(film.name) == []
