"""The player of the video page, at a desk and on a phone: pictures on the strip, chapters, captions, loop, keys."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from playwright.async_api import expect

from support.browser import ON_ITS_LOOP, new_context
from support.console import ConsoleErrors
from support.page_site import PHONE, Site, check_accessible, check_fits
from support.sample_film import make_film
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [ON_ITS_LOOP]

SLIDES_S = (1, 6)  # of the sample video: its second slide appears after two seconds
SECOND_SLIDE_MS = 2000
TIME_MS = "() => Math.round(document.querySelector('video').currentTime * 1000)"
HAS_PICTURE = "() => document.querySelector('video')?.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def video_id(site: Site, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """Two slides, processed."""
    film = tmp_path_factory.mktemp("films") / "slides.mp4"
    await asyncio.to_thread(make_film, film, *SLIDES_S)
    content = await asyncio.to_thread(Path.read_bytes, film)
    started = await site.ask("POST", "/videos", json={"totalSize": len(content), "filename": film.name})
    found = str(started["videoId"])
    (address,) = (await site.ask("GET", f"/videos/{found}/upload-urls"))["urls"]
    await site.ask("POST", f"/videos/{found}/parts/1", json={"etag": await site.put(address["url"], content)})
    await site.ask("POST", f"/videos/{found}/complete")
    await site.ask_until(f"/videos/{found}", lambda video: video["status"] == "COMPLETED", within_s=100)
    yield found


async def opened(site: Site, page: "Page", video_id: str, rest: str = "") -> None:
    await page.goto(f"{site.address}/ui/videos/{video_id}{rest}")
    await page.wait_for_function(HAS_PICTURE)


async def time_is(page: "Page", ms: int, within: int = 120) -> None:
    async def is_there() -> bool:
        return abs(int(await page.evaluate(TIME_MS)) - ms) <= within

    await until(is_there)


@pytest.mark.req(968, 970)
async def test_the_strip_shows_the_picture_and_the_chapter_of_a_time_without_any_console_error(
    site: Site, page: "Page", video_id: str
) -> None:
    errors = ConsoleErrors(page.context)
    await opened(site, page, video_id)
    strip = page.get_by_role("slider", name="Timeline")
    place = await strip.bounding_box()
    assert place is not None
    async with page.expect_response(lambda answer: "/sprite.jpg?v=" in answer.url) as sheet:
        await page.mouse.move(place["x"] + place["width"] * 0.7, place["y"] + 10)
    assert (await sheet.value).headers["cache-control"].endswith("immutable")
    preview = page.locator(".strip-preview")
    await expect(preview).to_contain_text("0:03")
    await expect(preview).to_contain_text("Invoice total")
    assert await preview.locator(".sprite-tile").evaluate("tile => tile.style.backgroundPosition") == "75% 0%"
    await page.locator("summary[aria-label=Chapters]").click()
    await page.get_by_role("list", name="Chapters").get_by_role("button").last.click()
    await time_is(page, SECOND_SLIDE_MS)
    await page.keyboard.press("[")
    await time_is(page, 0)
    await page.keyboard.press("]")
    await time_is(page, SECOND_SLIDE_MS)
    await page.goto(f"{site.address}/ui/videos")
    card = page.locator(".video-card", has_text="slides.mp4")
    await card.locator(".poster").hover()
    await card.locator(".poster .sprite-tile").wait_for()
    errors.check()


@pytest.mark.req(968)
async def test_menus_and_keys_choose_captions_speed_quality_loop_and_theatre(
    site: Site, page: "Page", video_id: str
) -> None:
    await opened(site, page, video_id)
    await page.locator("summary[aria-label=Captions]").click()
    await page.get_by_label("Text on screen").check()
    showing = "[...document.querySelector('video').textTracks].filter(one => one.mode === 'showing').length"
    await page.wait_for_function(f"() => {showing} === 1")
    await page.keyboard.press("c")
    await page.wait_for_function(f"() => {showing} === 0")
    await page.keyboard.press(">")
    await page.get_by_label("Speed and quality").click()
    await expect(page.get_by_label("1.25×")).to_be_checked()
    await page.get_by_label("1×", exact=True).check()
    await page.get_by_label("Speed and quality").click()
    await expect(page.get_by_label("720p")).to_be_checked()  # of this video there is no other stream
    await check_accessible(page)
    await page.keyboard.press("Escape")
    await page.keyboard.press("5")
    await time_is(page, 2500)
    await page.keyboard.press("t")
    await expect(page.locator(".columns.theatre")).to_have_count(1)
    await page.reload()
    await expect(page.locator(".columns.theatre")).to_have_count(1)
    await page.get_by_role("button", name="Theatre mode").click()
    await expect(page.locator(".columns.theatre")).to_have_count(0)


@pytest.mark.req(969)
async def test_what_is_between_the_marks_plays_again_and_again(site: Site, page: "Page", video_id: str) -> None:
    await opened(site, page, video_id, "?t=1")
    await time_is(page, 1000)
    await page.keyboard.press("i")
    for _ in range(5):
        await page.keyboard.press(".")
    await page.keyboard.press("o")
    await page.keyboard.press("b")
    await expect(page.get_by_role("button", name="Loop between start and end")).to_have_attribute(
        "aria-pressed", "true"
    )
    await page.evaluate(
        """() => {
          const video = document.querySelector('video');
          window.jumps = 0;
          video.addEventListener('seeked', () => window.jumps++);
          video.muted = true;
          return video.play();
        }"""
    )
    await page.wait_for_function("() => window.jumps >= 2")
    assert 900 <= int(await page.evaluate(TIME_MS)) <= 1600


@pytest.mark.req(971)
async def test_on_a_phone_the_video_stays_in_sight_and_everything_is_reached_by_touch(
    site: Site, chromium: "Browser", video_id: str
) -> None:
    await site.ask("POST", "/api/cameras", json={"camera_id": "phone_gate", "name": "Phone Gate"})
    seen = {"camera_id": "phone_gate", "object_type": "person", "confidence": 0.95}
    await site.ask("POST", "/api/detections", json=seen)
    async with new_context(chromium, viewport=PHONE, has_touch=True, is_mobile=True) as context:
        errors = ConsoleErrors(context)
        page = await context.new_page()
        await page.goto(f"{site.address}/ui/videos")
        await page.get_by_role("link", name="slides.mp4").tap()
        await page.wait_for_function(HAS_PICTURE)
        await check_fits(page)
        await page.get_by_role("tab", name="Text").tap()
        await page.evaluate("scrollTo(0, document.body.scrollHeight)")
        top = await page.locator("video").evaluate("video => video.getBoundingClientRect().top")
        assert -1 <= top < PHONE["height"] / 2
        await page.locator(".text-row", has_text="Invoice").tap()
        await time_is(page, SECOND_SLIDE_MS)
        await page.get_by_role("button", name="Play").tap()
        await page.wait_for_function("() => document.querySelector('video').currentTime > 2.2")
        await check_accessible(page)
        await page.goto(f"{site.address}/ui/search?q=invoice")
        await page.locator("main a[href*='?t=']").first.tap()
        await page.wait_for_function(HAS_PICTURE)
        await page.goto(f"{site.address}/ui/events")
        card = page.get_by_role("listitem").filter(has_text="Phone Gate")
        await check_fits(page)
        await card.get_by_role("button", name="Acknowledge").tap()
        await card.get_by_text("Acknowledged").wait_for()
        errors.check()
