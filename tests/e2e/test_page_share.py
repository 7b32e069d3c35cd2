"""Taken away and shared from the page, in a real browser: downloads, a named clip with captions, a link that ends."""

import asyncio
import io
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from playwright.async_api import expect

from support.browser import ON_ITS_LOOP, new_context
from support.page_site import DESK, Site, check_every_look
from support.sample_film import make_film
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Route

pytestmark = [ON_ITS_LOOP]

FILM_S = (0, 12)
START_S = 7
SEGMENT_S = 6.0
STATE = """() => {
  const video = document.querySelector('video');
  return [video.readyState, video.currentTime, video.paused, video.duration];
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def owner(closed: Site) -> Site:
    return closed.user()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def video_id(owner: Site, tmp_path_factory: pytest.TempPathFactory) -> str:
    film = tmp_path_factory.mktemp("films") / "harbour.mp4"
    await asyncio.to_thread(make_film, film, *FILM_S)
    content = await asyncio.to_thread(film.read_bytes)
    started = await owner.ask("POST", "/videos", json={"totalSize": len(content), "filename": film.name})
    found = str(started["videoId"])
    (address,) = (await owner.ask("GET", f"/videos/{found}/upload-urls"))["urls"]
    etag = await owner.put(address["url"], content)
    await owner.ask("POST", f"/videos/{found}/parts/1", json={"etag": etag})
    await owner.ask("POST", f"/videos/{found}/complete")

    def is_completed(video: dict[str, Any]) -> bool:
        assert video["status"] != "FAILED", video["errorReason"]
        return bool(video["status"] == "COMPLETED")

    await owner.ask_until(f"/videos/{found}", is_completed, within_s=100)
    return found


async def open_video(owner: Site, page: "Page", video_id: str, query: str, at_s: float = 0) -> None:
    """The player is where the address says: what is shared or cut begins there."""
    await owner.let_in(page)
    await page.set_viewport_size(DESK)
    await page.goto(f"{owner.address}/ui/videos/{video_id}?{query}")
    await page.wait_for_selector("video")

    async def is_there() -> bool:
        ready, at, _, _ = await watched(page)
        return ready >= 2 and at >= at_s

    await until(is_there)


async def watched(page: "Page") -> tuple[int, float, bool, float]:
    ready, at, is_paused, length = await page.evaluate(STATE)
    return ready, at, is_paused, length


@pytest.mark.req(764, 765, 766, 770)
async def test_a_shared_moment_plays_in_its_range_without_cookies_until_it_is_revoked(
    owner: Site, page: "Page", chromium: "Browser", video_id: str
) -> None:
    await open_video(owner, page, video_id, f"t={START_S}", START_S)
    await page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("radio").first).to_be_checked()
    await dialog.get_by_label("Title").fill("Boats at five")
    await dialog.get_by_role("button", name="Create link").click()
    link = await dialog.get_by_label("Link", exact=True).input_value()
    await expect(dialog.get_by_text("0 views")).to_be_visible()
    async with new_context(chromium) as fresh:
        viewer = await fresh.new_page()
        problems: list[str] = []
        viewer.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        await viewer.goto(link)
        await expect(viewer.get_by_role("heading", level=1)).to_have_text("Boats at five")

        async def is_at_the_start() -> bool:
            ready, at, _, _ = await watched(viewer)
            return ready >= 2 and abs(at - (START_S - SEGMENT_S)) < 0.1

        await until(is_at_the_start)  # the player's time begins with the segment that the moment is in
        _, _, _, length = await watched(viewer)
        assert length == pytest.approx(FILM_S[1] - SEGMENT_S, abs=0.2)
        await viewer.evaluate("document.querySelector('video').currentTime = 0")
        await until(is_at_the_start)
        await expect(viewer.get_by_role("region", name="Text in this video")).to_be_visible()
        await viewer.evaluate("() => { const v = document.querySelector('video'); v.muted = true; return v.play(); }")

        async def is_over() -> bool:
            _, at, is_paused, end = await watched(viewer)
            return is_paused and at > end - 0.5

        await until(is_over)
        assert await fresh.cookies() == []
        assert problems == []
        await check_every_look(viewer)
        await page.reload()
        await page.get_by_role("button", name="Share", exact=True).click()
        await expect(dialog.get_by_text("1 view ·")).to_be_visible()
        await dialog.get_by_role("button", name="Revoke link “Boats at five”").click()
        await page.get_by_role("button", name="Revoke link", exact=True).click()
        await expect(page.get_by_text("Link revoked.")).to_be_visible()
        segment = await viewer.request.get(f"{link}/segments/segment_00001.ts")
        assert segment.status == 404
        await viewer.goto(link)
        await expect(viewer.get_by_role("heading", level=1)).to_have_text("This link doesn't work")


@pytest.mark.req(770)
async def test_text_and_matching_moments_are_downloaded_from_the_page(
    owner: Site, page: "Page", video_id: str, tmp_path: Path
) -> None:
    texts = (await owner.ask("GET", f"/videos/{video_id}/segments"))["segments"]
    word = max((word for one in texts for word in one["text"].split() if word.isalpha()), key=len)
    await open_video(owner, page, video_id, f"find={word}")
    await page.get_by_role("button", name="Download", exact=True).click()
    dialog = page.get_by_role("dialog")
    async with page.expect_download() as saving:
        await dialog.get_by_role("link", name="SRT download").click()
    saved = await saving.value
    assert saved.suggested_filename == "harbour.srt"
    content = await asyncio.to_thread(Path(await saved.path()).read_text)
    assert content.startswith("1\n00:00:0")
    assert word in content
    async with page.expect_download() as saving:
        await dialog.get_by_role("link", name="ZIP", exact=True).click()
    archive = zipfile.ZipFile(io.BytesIO(await asyncio.to_thread(Path(await (await saving.value).path()).read_bytes)))
    names = archive.namelist()
    assert names[-1] == "manifest.json"
    assert {name.rpartition(".")[2] for name in names} == {"jpg", "txt", "json"}
    assert any(word in archive.read(name).decode() for name in names if name.endswith(".txt"))
    await check_every_look(page)


@pytest.mark.req(770)
async def test_a_clip_gets_a_name_and_captions_and_is_shared(
    owner: Site, page: "Page", chromium: "Browser", video_id: str
) -> None:
    await open_video(owner, page, video_id, "t=2", 2)
    await page.get_by_role("button", name="Set start").click()
    await page.evaluate("document.querySelector('video').currentTime = 3")
    await until(lambda: page.evaluate("document.querySelector('video').currentTime > 2.9"))
    await page.get_by_role("button", name="Set end").click()
    await page.get_by_label("Clip name").fill("Second slide")
    await page.get_by_role("combobox", name="Captions", exact=True).select_option("burned")
    await page.get_by_role("button", name="Create clip").first.click()
    clips = page.get_by_role("list", name="Clips")
    await expect(clips.get_by_text("Second slide")).to_be_visible()
    await expect(clips.get_by_text("Ready")).to_be_visible()
    await check_every_look(page)
    await page.set_viewport_size(DESK)
    await clips.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Create link").click()
    link = await dialog.get_by_label("Link", exact=True).input_value()
    await check_every_look(page)
    async with new_context(chromium) as fresh:
        viewer = await fresh.new_page()
        await viewer.goto(link)
        await expect(viewer.get_by_role("heading", level=1)).to_have_text("Second slide")

        async def is_ready() -> bool:
            ready, _, _, length = await watched(viewer)
            return ready >= 1 and abs(length - 1.04) < 0.2

        await until(is_ready, within_s=100)


@pytest.mark.req(802)
async def test_the_moment_to_share_begins_where_the_address_says_before_the_player_is_there(
    owner: Site, page: "Page", video_id: str
) -> None:
    may_go_on = asyncio.Event()

    async def keep(route: "Route") -> None:
        await may_go_on.wait()
        await route.continue_()

    share = page.get_by_role("button", name="Share", exact=True).first  # a clip has one too
    await page.route("**/*.m3u8*", keep)
    await owner.let_in(page)
    await page.set_viewport_size(DESK)
    await page.goto(f"{owner.address}/ui/videos/{video_id}?t={START_S}")
    await share.click()
    await expect(page.get_by_role("dialog").get_by_role("radio").first).to_be_checked()
    await expect(page.get_by_role("dialog").get_by_text(re.compile(r"^Moment 0:07\.000 – "))).to_be_visible()
    may_go_on.set()
    await page.keyboard.press("Escape")

    async def is_there() -> bool:
        ready, at, _, _ = await watched(page)
        return ready >= 2 and at >= START_S

    await until(is_there)
    await page.evaluate("document.querySelector('video').currentTime = 3")
    await expect(page.get_by_role("slider", name="Timeline")).to_have_attribute("aria-valuenow", "3")
    await share.click()
    await expect(page.get_by_role("dialog").get_by_text(re.compile(r"^Moment 0:0[23]\."))).to_be_visible()
