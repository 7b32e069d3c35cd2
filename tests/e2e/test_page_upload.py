"""Uploads from the page: whole, interrupted, with another file, with addresses that have ended."""

import asyncio
import filecmp
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from support.browser import ON_ITS_LOOP
from support.page_site import PHONE, Site, check_accessible, check_fits

if TYPE_CHECKING:
    from playwright.async_api import Dialog, Page, Route

pytestmark = [ON_ITS_LOOP]

PART_BYTES = 8 * 1024 * 1024  # as the page prefers them
SIZE = PART_BYTES + 1_000_003
STORE = re.compile(r"/objects/.*partNumber=(\d+)")
FIRST = re.compile(r"/objects/.*partNumber=1\b")


@pytest.fixture(scope="module")
def two_parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """No film inside: what becomes of it after it has arrived is other tests' matter."""
    file = tmp_path_factory.mktemp("films") / "two_parts"
    file.write_bytes(os.urandom(SIZE))
    return file


@pytest.fixture
def film(two_parts: Path, tmp_path: Path) -> Path:
    """Under a name of its own: a test that fails leaves an unfinished upload behind, which the next must not take for its own."""
    film = tmp_path / f"match-{uuid4().hex[:8]}.mp4"
    film.hardlink_to(two_parts)
    return film


async def choose(page: "Page", film: Path) -> None:
    await page.locator("header.head input[type=file]").set_input_files(film)


async def stored_is(site: Site, film: Path, video_id: str) -> bool:
    stored = site.state / "objects" / "videos" / "original" / video_id / "master.mp4"
    return stored.exists() and await asyncio.to_thread(filecmp.cmp, stored, film, shallow=False)


async def newest(site: Site) -> dict[str, Any]:
    found: dict[str, Any] = (await site.ask("GET", "/videos"))["videos"][0]
    return found


async def test_a_file_is_sent_in_parts_with_rate_and_arrives_whole(site: Site, page: "Page", film: Path) -> None:
    await page.goto(f"{site.address}/ui/videos")
    await choose(page, film)
    row = page.locator(".upload").filter(has_text=film.name)
    await row.get_by_text("Uploaded", exact=False).wait_for()
    assert await stored_is(site, film, (await newest(site))["videoId"])
    await check_accessible(page)
    await page.set_viewport_size(PHONE)
    await check_fits(page)


async def test_after_a_reload_in_the_middle_the_same_file_goes_on_where_it_was(
    site: Site, page: "Page", film: Path
) -> None:
    await page.goto(f"{site.address}/ui/videos")
    hold = await hold_first_part(page)
    await choose(page, film)
    video_id = await _until_one_part_is_there(site, film)
    warned: list[str] = []

    async def leave(dialog: "Dialog") -> None:
        warned.append(dialog.type)
        await dialog.accept()

    page.on("dialog", leave)
    await page.locator("h1").click()  # browsers ask only where the user has done something
    await page.reload()
    assert warned == ["beforeunload"]
    hold.is_over = True
    unfinished = page.locator(".unfinished .upload").filter(has_text=film.name)
    await unfinished.get_by_text("1 MB of 9.4 MB kept").wait_for()
    await check_accessible(page)

    sent: list[int] = []
    page.on("request", lambda request: sent.append(_number(request.url)) if request.method == "PUT" else None)
    await unfinished.locator("input[type=file]").set_input_files(film)
    await page.locator(".uploads").get_by_text("Uploaded", exact=False).wait_for()
    assert sent == [1]  # the second had arrived
    assert await stored_is(site, film, video_id)


async def test_another_file_is_refused_before_anything_is_sent(
    site: Site, page: "Page", film: Path, tmp_path: Path
) -> None:
    started = await site.ask(
        "POST", "/videos", json={"totalSize": SIZE, "filename": "other.mp4", "partSize": PART_BYTES}
    )
    video_id = started["videoId"]
    (address,) = (await site.ask("GET", f"/videos/{video_id}/upload-urls?partNumbers=1"))["urls"]
    with film.open("rb") as file:
        etag = await site.put(address["url"], file.read(PART_BYTES))
    await site.ask("POST", f"/videos/{video_id}/parts/1", json={"etag": etag})
    forged = tmp_path / "other.mp4"
    forged.write_bytes(os.urandom(SIZE))
    longer = tmp_path / "longer.mp4"
    longer.write_bytes(b"x" * 1000)
    puts: list[str] = []
    page.on("request", lambda request: puts.append(request.url) if request.method == "PUT" else None)

    await page.goto(f"{site.address}/ui/videos")
    for wrong, told in ((forged, "part 1 doesn't match"), (longer, "the size doesn't match")):
        row = page.locator(".unfinished .upload").filter(has_text="other.mp4")
        await row.locator("input[type=file]").set_input_files(wrong)
        await page.locator(".uploads [role=alert]").get_by_text(told).wait_for()
        await page.get_by_role("button", name="Remove from list").click()
    assert puts == []
    assert (await site.ask("GET", f"/videos/{video_id}/progress"))["uploadedParts"] == 1
    await site.ask("DELETE", f"/videos/{video_id}/upload")


async def test_an_address_that_has_ended_is_asked_for_anew(site: Site, page: "Page", film: Path) -> None:
    asked = 0
    answers: list[int] = []

    async def of_yesterday(route: "Route") -> None:
        """The first addresses are as they would be after a night: the store itself refuses them."""
        nonlocal asked
        asked += 1
        answer = await route.fetch()
        text = await answer.text()
        await route.fulfill(
            response=answer, body=re.sub(r"X-Amz-Date=\d{8}", "X-Amz-Date=20200101", text) if asked == 1 else text
        )

    page.on("response", lambda one: answers.append(one.status) if one.request.method == "PUT" else None)
    await page.route(re.compile(r"/upload-urls\?"), of_yesterday)
    await page.goto(f"{site.address}/ui/videos")
    await choose(page, film)
    await page.locator(".uploads").get_by_text("Uploaded", exact=False).wait_for()
    assert answers.count(200) == 2
    assert set(answers) == {200, 403}  # new addresses for one part are new ones for those that follow, too
    assert await stored_is(site, film, (await newest(site))["videoId"])


async def test_an_upload_is_paused_gone_on_with_and_cancelled(site: Site, page: "Page", film: Path) -> None:
    await page.goto(f"{site.address}/ui/videos")
    await hold_first_part(page)
    await choose(page, film)
    row = page.locator(".uploads .upload").filter(has_text=film.name)
    video_id = await _until_one_part_is_there(site, film)
    await row.get_by_role("button", name="Pause").click()
    await row.get_by_text("Paused").wait_for()
    await row.get_by_role("button", name="Resume").click()
    await row.get_by_text("Uploading").wait_for()
    await row.get_by_role("button", name="Cancel").click()
    await row.wait_for(state="detached")
    await site.ask_until("/uploads", lambda answer: video_id not in [one["videoId"] for one in answer["uploads"]])


@dataclass
class Hold:
    is_over: bool = False


async def hold_first_part(page: "Page") -> Hold:
    """The second arrives; the first is on its way until the page gives it up. Those sent after the hold is over arrive."""
    hold = Hold()

    async def keep(route: "Route") -> None:
        if hold.is_over:
            await route.continue_()

    # It stays in place to the end: the browser may forget a request that is under way when the last route is taken away.
    await page.route(FIRST, keep)
    return hold


def _number(url: str) -> int:
    found = STORE.search(url)
    return int(found[1]) if found else 0


async def _until_one_part_is_there(site: Site, film: Path) -> str:
    """Of the upload that is going on; its video."""

    def of_film(answer: dict[str, Any]) -> list[dict[str, Any]]:
        return [one for one in answer["uploads"] if one["name"] == film.name]

    answer = await site.ask_until("/uploads", lambda answer: [one["uploadedParts"] for one in of_film(answer)] == [1])
    return str(of_film(answer)[0]["videoId"])
