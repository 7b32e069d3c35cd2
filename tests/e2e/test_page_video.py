"""From a file to the second that shows a word: uploaded on the page, searched, jumped to, cut; in a real browser."""

import asyncio
import base64
import io
import re
import zipfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import asyncpg
import av
import cv2
import numpy as np
import numpy.typing as npt
import pytest
import pytest_asyncio
from playwright.async_api import expect

from sightline.media.sample_video import FPS, WIDTH, Picture, draw
from support.browser import ON_ITS_LOOP, new_context
from support.console import ConsoleErrors
from support.page_site import DESK, PHONE, Site, check_accessible, check_fits
from support.platform_process import database_url
from support.sample_film import HARBOUR_S, make_film
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [ON_ITS_LOOP]

FRAME_MS = 1000 / FPS
INVOICE_S = (2, 4)  # of the sample film: one slide follows another
BOATS_5_MS = 5000  # when the counter turns to five
IS_AT = """ms => {
  const video = document.querySelector('video');
  return video.readyState >= 2 && !video.seeking && Math.abs(video.currentTime * 1000 - ms) < 30;
}"""
PICTURE = """() => {
  const video = document.querySelector('video');
  const canvas = document.createElement('canvas');
  canvas.width = 320; canvas.height = 180;
  canvas.getContext('2d').drawImage(video, 0, 0, 320, 180);
  return canvas.toDataURL('image/png').split(',')[1];
}"""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("films") / "harbour.mp4"
    make_film(file, *HARBOUR_S)
    return file


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def video_id(site: Site, film: Path) -> str:
    """Of the film, worked on to its end."""
    content = await asyncio.to_thread(film.read_bytes)
    started = await site.ask("POST", "/videos", json={"totalSize": len(content), "filename": film.name})
    found = str(started["videoId"])
    (address,) = (await site.ask("GET", f"/videos/{found}/upload-urls"))["urls"]
    etag = await site.put(address["url"], content)
    await site.ask("POST", f"/videos/{found}/parts/1", json={"etag": etag})
    await site.ask("POST", f"/videos/{found}/complete")
    await site.ask_until(f"/videos/{found}", _is_completed, within_s=100)
    return found


def _is_completed(video: dict[str, Any]) -> bool:
    assert video["status"] != "FAILED", video["errorReason"]
    return bool(video["status"] == "COMPLETED")


@pytest.mark.req(972)
async def test_a_file_is_uploaded_processed_found_by_a_word_in_it_watched_and_shared(
    site: Site, page: "Page", chromium: "Browser", tmp_path: Path
) -> None:
    errors = ConsoleErrors(page.context)
    film = tmp_path / "invoice.mp4"
    make_film(film, *INVOICE_S)
    await page.goto(f"{site.address}/ui/videos")
    await page.locator("header.head input[type=file]").set_input_files(film)
    row = page.locator(".video-card").filter(has_text="invoice.mp4")
    await page.locator(".video-card[data-status=COMPLETED]", has_text="invoice.mp4").wait_for()
    await row.locator("img").wait_for()
    address = await row.get_by_role("link", name="invoice.mp4").first.get_attribute("href")
    await page.keyboard.press("/")
    await page.keyboard.type("invoice")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/ui/search?q=invoice")
    hit = page.locator(f"main a[href^='{address}?t=']").first  # videos of other tests show the word too
    await hit.wait_for()
    await hit.click()
    await page.wait_for_url(f"**{address}?t=1")
    await _until_picture_of(page, 1000, first_s=INVOICE_S[0])
    await page.get_by_role("button", name="Share").first.click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Whole video").check()
    await dialog.get_by_role("button", name="Create link").click()
    link = await dialog.get_by_label("Link", exact=True).input_value()
    async with new_context(chromium) as guest:
        guest_errors = ConsoleErrors(guest)
        shared = await guest.new_page()
        await shared.goto(link)
        await shared.wait_for_function("() => document.querySelector('video')?.readyState >= 1")
        guest_errors.check()
    errors.check()


@pytest.mark.req(451)
async def test_techniques_are_looked_for_where_it_can_work_and_the_outcome_is_shown(
    site: Site, page: "Page", video_id: str
) -> None:
    address = f"{site.address}/ui/videos/{video_id}?tab=techniques"
    await page.goto(address)
    await page.get_by_text("Nothing is set up to find techniques.").wait_for()
    button = page.get_by_role("button", name="Find techniques")
    assert await button.count() == 0
    await site.ask("POST", "/jobs", json={"video_id": video_id})  # as another client may do
    await page.reload()
    await page.get_by_text(re.compile("The analysis failed: .* has no annotations")).wait_for()
    clip = {"start": 1, "end": 2, "category": "GUARD_PLAY", "technique": "Scissor Sweep", "role": "athlete in blue"}
    await site.ask("PUT", f"/videos/{video_id}/annotations", json={"clips": [clip]})
    await page.reload()
    await page.get_by_role("button", name="Try again").click()
    await page.get_by_text("Analysis started.").wait_for()
    await page.locator(".mark-row", has_text="Scissor Sweep").wait_for()


async def test_a_link_to_a_time_shows_the_very_frame(site: Site, page: "Page", video_id: str) -> None:
    await page.goto(f"{site.address}/ui/videos/{video_id}?t={BOATS_5_MS / 1000}")
    await _until_picture_of(page, BOATS_5_MS)
    shown = _picture(await page.evaluate(PICTURE))
    before, at = (_distance(shown, draw(HARBOUR_S[0] + (BOATS_5_MS + step) / 1000)) for step in (-FRAME_MS, 0))
    assert at < before  # the counter says five, which a frame earlier it did not


async def test_text_is_found_in_the_video_followed_and_jumped_to(site: Site, page: "Page", video_id: str) -> None:
    await page.goto(f"{site.address}/ui/videos/{video_id}")
    await page.get_by_role("searchbox", name="Find in this video").fill("boats: 5")
    row = page.locator(".text-row")
    await row.get_by_text("Boats: 5").wait_for()
    assert await row.count() == 1
    await row.click()
    await _until_picture_of(page, BOATS_5_MS)
    assert await row.get_attribute("aria-current") == "true"
    await page.locator(".boxes rect").first.wait_for(state="attached")
    await page.keyboard.press(",")
    await _until_picture_of(page, BOATS_5_MS - FRAME_MS)
    await page.keyboard.press(".")
    await _until_picture_of(page, BOATS_5_MS)


async def test_a_clip_is_marked_cut_and_downloaded(site: Site, page: "Page", video_id: str) -> None:
    await page.goto(f"{site.address}/ui/videos/{video_id}?t=3")
    await _until_picture_of(page, 3000)
    await page.keyboard.press("i")
    await page.evaluate("document.querySelector('video').currentTime = 4.001")
    await _until_picture_of(page, 4000)
    await page.get_by_role("button", name="Set end").click()
    await page.get_by_role("button", name="Create clip").click()
    link = page.get_by_role("link", name="Download")
    await link.wait_for()
    address = await link.get_attribute("href")
    assert address is not None
    content = (await site.client.get(address)).content
    with av.open(io.BytesIO(content), "r") as clip:
        assert len(list(clip.decode(video=0))) == FPS + 1  # from the first that was marked to the last, both in it


async def _more_than(page: "Page", count: int) -> bool:
    return await page.locator(".frame-row img").count() > count


@pytest.mark.req(782)
async def test_frames_are_shown_and_come_as_an_archive(site: Site, page: "Page", video_id: str) -> None:
    await page.goto(f"{site.address}/ui/videos/{video_id}?tab=frames")
    await page.locator(".frame-row img").first.wait_for()
    few = await page.locator(".frame-row img").count()
    await page.get_by_label("Show all sampled frames").check()
    await until(lambda: _more_than(page, few))
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download all (ZIP)").click()
    with zipfile.ZipFile(await (await download.value).path()) as archive:
        assert "0.jpg" in archive.namelist()


async def test_every_tab_is_accessible_and_fits_a_phone(site: Site, page: "Page", video_id: str) -> None:
    await page.goto(f"{site.address}/ui/videos/{video_id}")
    await page.wait_for_selector("video")
    for viewport in (DESK, PHONE):
        await page.set_viewport_size(viewport)
        for tab in ("Text", "Techniques", "Events", "Frames", "Jobs", "Details"):
            await page.get_by_role("tab", name=tab).click()
            await page.get_by_role("tabpanel", name=tab).wait_for()
            await page.wait_for_selector("main .loading", state="detached")
            await check_fits(page)
            await check_accessible(page)


async def test_what_detectors_saw_in_it_stands_in_the_strip(site: Site, page: "Page", video_id: str) -> None:
    await site.ask("POST", "/api/cameras", json={"camera_id": "quay", "name": "Quay"})
    seen = {
        "camera_id": "quay",
        "object_type": "boat",
        "confidence": 0.8,
        "attributes": {"video_id": video_id, "t_ms": 5000},
    }
    await site.ask("POST", "/api/detections", json=seen)
    await page.goto(f"{site.address}/ui/videos/{video_id}?tab=events")
    await page.locator(".video-timeline .mark.detection").wait_for()
    await page.get_by_role("button", name="0:05").click()
    await _until_picture_of(page, 5000)


@pytest.mark.req(452)
async def test_a_video_that_failed_says_why_and_can_be_tried_again_where_that_may_help(
    site: Site, page: "Page", tmp_path: Path
) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no film at all" * 1000)
    await page.goto(f"{site.address}/ui/videos")
    await page.locator("header.head input[type=file]").set_input_files(broken)
    row = page.locator(".video-card").filter(has_text="broken.mp4")
    await row.locator(".badge", has_text="Failed").wait_for()
    await expect(row.locator(".reason")).to_have_text(re.compile(r"\w"))
    retry = row.get_by_role("button", name="Retry")
    assert await retry.count() == 0
    await row.get_by_role("link", name="broken.mp4").click()
    await page.get_by_role("tab", name="Jobs").click()
    await page.get_by_text("A retry would not help: the file itself cannot be read.").wait_for()
    connection = await asyncpg.connect(await database_url(site.state))
    try:  # as if the store had been away
        await connection.execute(
            "UPDATE jobs SET error = jsonb_set(error, '{type}', '\"BackendUnavailable\"') FROM videos AS v"
            " WHERE v.id = jobs.video_id AND v.name = 'broken.mp4'"
        )
    finally:
        await connection.close()
    await page.goto(f"{site.address}/ui/videos")
    await retry.click()
    await page.get_by_text("Retrying…").wait_for()


@pytest.mark.req(558)
async def test_people_and_objects_are_drawn_marked_listed_and_jumped_to(
    site: Site, page: "Page", video_id: str
) -> None:
    connection = await asyncpg.connect(await database_url(site.state))
    try:
        await connection.execute(
            "INSERT INTO video_tracks (track_id, video_id, label, label_share, score, t_start, t_end, best_ms, looks, boxes)"
            " VALUES (gen_random_uuid(), $1, 'person', 1, 0.9, 1000, 3000, 2000, 7, $2),"
            " (gen_random_uuid(), $1, 'car', 1, 0.8, 0, 5000, 4000, 9, $3)",
            UUID(video_id),
            "[[1000, 0.1, 0.4, 0.1, 0.4], [3000, 0.5, 0.4, 0.1, 0.4]]",
            "[[0, 0.7, 0.6, 0.2, 0.2], [2500, 0.7, 0.6, 0.2, 0.2], [5000, 0.7, 0.6, 0.2, 0.2]]",
        )
    finally:
        await connection.close()
    await page.goto(f"{site.address}/ui/videos/{video_id}?t=4.500")
    await page.locator("video").wait_for()
    await page.wait_for_function(IS_AT, arg=4500)
    await expect(page.locator(".boxes rect[class^=object-]")).to_have_count(1)
    await expect(page.locator(".video-timeline .mark.object")).to_have_count(2)
    await page.get_by_role("tab", name="Objects").click()
    await page.get_by_role("button", name=re.compile("^person 0")).click()
    await page.wait_for_function(IS_AT, arg=2000)
    boxes = page.locator(".boxes rect[class^=object-]")
    await expect(boxes).to_have_count(2)
    left = [float(await boxes.nth(index).get_attribute("x") or 0) / WIDTH for index in range(2)]
    assert sorted(left) == pytest.approx([0.3, 0.7], abs=0.02)
    for size in (PHONE, DESK):
        await page.set_viewport_size(size)
        await check_fits(page)
    await check_accessible(page)


@pytest.mark.req(674)
async def test_a_video_is_treated_as_a_recording_of_a_camera(site: Site, page: "Page", video_id: str) -> None:
    await site.ask("POST", "/api/cameras", json={"name": "Recorded Hall"})
    await page.goto(f"{site.address}/ui/videos/{video_id}")
    await page.get_by_role("tab", name="Objects").click()
    await page.get_by_label("Treat as camera").select_option("Recorded Hall")
    # The time of the upload until another one is typed, on the clock of the browser.
    began = page.get_by_label("Recording began")
    uploaded = (await site.ask("GET", f"/videos/{video_id}"))["createdAt"]
    assert (
        await page.evaluate("text => new Date(text).toISOString()", await began.input_value())
        == uploaded[:19] + ".000Z"
    )
    await began.fill("2026-03-01T12:00:05")
    async with page.expect_request(f"**/api/videos/{video_id}/detect") as request:
        await page.get_by_role("button", name=re.compile("Find people and objects|Look again")).click()
    moment = await page.evaluate("new Date('2026-03-01T12:00:05').toISOString()")
    assert (await request.value).post_data_json == {"camera_id": "recorded_hall", "started_at": moment}
    await site.ask_until(
        f"/videos/{video_id}/actions",
        lambda found: found["latest_detection"] is not None and found["latest_detection"]["status"] == "done",
    )


async def test_a_list_of_ten_thousand_keeps_only_what_is_seen_in_the_page(closed: Site, page: "Page") -> None:
    user = closed.user()
    connection = await asyncpg.connect(await database_url(closed.state))
    try:
        await connection.execute(
            "INSERT INTO videos (owner_id, name, created_at) "
            "SELECT $1, 'old ' || n, now() - n * interval '1 minute' FROM generate_series(1, 10000) AS n",
            user.user_id,
        )
    finally:
        await connection.close()
    await user.let_in(page)
    await page.goto(f"{closed.address}/ui/videos")
    await page.locator(".video-card").first.wait_for()
    for number in (200, 400, 600):
        await until(partial(_scrolled_to, page, number))
        assert await page.locator(".video-card").count() < 60


async def _scrolled_to(page: "Page", least: int) -> bool:
    """Scrolls on; whether so many cards are there by now."""
    await page.evaluate("scrollTo(0, document.body.scrollHeight)")
    return int(await page.locator(".card-frame").last.get_attribute("aria-setsize") or 0) >= least


async def _until_picture_of(page: "Page", ms: float, first_s: int = HARBOUR_S[0]) -> None:
    """The picture that is seen is the one of this time: neither the one before nor the one after looks more like it."""
    await page.wait_for_selector("video")

    async def is_shown() -> bool:
        if not await page.evaluate(IS_AT, ms):
            return False
        shown = _picture(await page.evaluate(PICTURE))
        off = [_distance(shown, draw(first_s + max(0.0, ms + step * FRAME_MS) / 1000)) for step in (-1, 0, 1)]
        return off[1] <= min(off) + 0.02 and off[1] < 12

    await until(is_shown)


def _picture(png: str) -> npt.NDArray[np.float64]:
    decoded = cv2.imdecode(np.frombuffer(base64.b64decode(png), np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    return decoded.astype(np.float64)


def _distance(shown: npt.NDArray[np.float64], truth: Picture) -> float:
    small = truth.reshape(180, 4, 320, 4, 3).mean(axis=(1, 3))
    return float(np.abs(shown - small).mean())
