"""Whole journeys in the browser: a talk from its file to what another person sees of it, and a day of an operator.

The others are beside what they are about: cameras in `test_camera_to_browser`, a coach in `test_page_techniques`, a phone in
`test_page_player`.
"""

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from support.browser import ON_ITS_LOOP, new_context
from support.console import ConsoleErrors
from support.page_site import Site, check_every_look
from support.sample_film import make_film

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [ON_ITS_LOOP]

SLIDES_S = (1, 6)  # of the sample video: its second slide, with an invoice, appears after two seconds
PROCESSED_WITHIN_MS = 100_000
AT_THE_INVOICE = "() => document.querySelector('video')?.currentTime >= 2"


@pytest.mark.req(1102)
async def test_a_talk_is_uploaded_searched_watched_shared_and_deleted(
    closed: Site, page: "Page", chromium: "Browser", tmp_path: Path
) -> None:
    errors = ConsoleErrors(page.context)
    talk = tmp_path / "Quarterly talk.mp4"
    await asyncio.to_thread(make_film, talk, *SLIDES_S)
    await closed.user().let_in(page)
    await page.goto(closed.address)
    doors = page.get_by_role("region", name="Start here")
    async with page.expect_file_chooser() as choosing:
        await doors.get_by_role("button", name="Upload a video").click()
    await (await choosing.value).set_files(talk)
    await page.wait_for_url("**/ui/videos")
    await page.get_by_role("link", name="Home", exact=True).click()  # the upload continues
    moments = page.get_by_role("region", name="Latest moments")
    await moments.get_by_text("Invoice total", exact=False).wait_for(timeout=PROCESSED_WITHIN_MS)
    await page.keyboard.press("/")
    await page.keyboard.type("invoice total")
    await page.keyboard.press("Enter")
    await page.locator(".hit", has_text="Invoice total").wait_for()
    await page.keyboard.press("ArrowDown")
    await page.wait_for_selector(".hit.current:focus")
    await page.keyboard.press("Enter")
    await page.wait_for_url(re.compile(r"/ui/videos/[^/]+\?t="))
    await page.wait_for_function(AT_THE_INVOICE)
    await page.locator(".text-row.now", has_text="Invoice total").wait_for()
    await page.get_by_role("button", name="Download", exact=True).click()
    async with page.expect_download() as saving:
        await page.get_by_role("dialog").get_by_role("link", name="SRT download").click()
    assert "Invoice total" in await asyncio.to_thread(Path(await (await saving.value).path()).read_text)
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Share", exact=True).click()
    await page.get_by_role("dialog").get_by_role("button", name="Create link").click()
    link = await page.get_by_role("dialog").get_by_label("Link", exact=True).input_value()
    await page.keyboard.press("Escape")
    async with new_context(chromium) as fresh:
        viewer = await fresh.new_page()
        await viewer.goto(link)
        await viewer.wait_for_function("() => document.querySelector('video')?.readyState >= 2")
        await page.get_by_role("tab", name="Details").click()
        await page.get_by_role("button", name="Move to trash").click()
        await page.get_by_text("1 video moved to the trash.").wait_for()
        await viewer.goto(link)
        await expect(viewer.get_by_role("heading", level=1)).to_have_text("This link doesn't work")
    await page.get_by_role("button", name="Undo").click()
    await page.get_by_text("1 video restored.").wait_for()  # a page that is left takes its requests along
    await page.goto(f"{closed.address}/ui/videos")
    await page.get_by_role("link", name="Quarterly talk.mp4").wait_for()
    errors.check()


@pytest.mark.req(1102)
async def test_an_operator_finds_what_failed_and_changes_what_is_set(closed: Site, page: "Page") -> None:
    operator = closed.user(is_operator=True)
    content = b"this is not a video"
    body = {"totalSize": len(content), "filename": "broken shift.mp4", "extension": "mp4", "duration": 1000}
    video = str((await operator.ask("POST", "/videos", json=body))["videoId"])
    part = (await operator.ask("GET", f"/videos/{video}/upload-urls"))["urls"][0]
    named = {"parts": [{"part": 1, "etag": await operator.put(part["url"], content)}]}
    await operator.ask("POST", f"/videos/{video}/complete", json=named)
    await operator.ask_until(f"/videos/{video}", lambda found: found["status"] == "FAILED", within_s=60)
    errors = ConsoleErrors(page.context)
    await operator.let_in(page)
    await page.goto(closed.address)
    await page.get_by_role("link", name="Operate").click()
    await page.get_by_role("heading", level=1, name="Overview").wait_for()
    await page.get_by_role("link", name="Jobs and queues").click()
    await page.get_by_role("button", name=re.compile("^Failed")).click()
    await page.get_by_role("link", name="Prepare video").first.click()
    await page.get_by_text("is not a video", exact=False).first.wait_for()
    await page.get_by_role("tab", name="Queues and topics").click()
    await page.get_by_text("Technique events").first.wait_for()
    # Who it is was loaded before: the palette need not wait for it again, nor lack an operator's commands until then.
    await page.route("**/api/me", lambda _: None)
    await page.keyboard.press("Control+k")
    await page.get_by_role("combobox", name="Go anywhere, do anything").fill("retention")
    await page.get_by_role("option", name="Retention", selected=True).first.wait_for()
    await page.keyboard.press("Enter")
    await page.get_by_role("heading", name="Retention").first.wait_for()
    await page.unroute("**/api/me")
    await page.get_by_label("Announce removals (days before)").fill("4")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_text("Settings saved and in force.").wait_for()
    setting = page.locator(".setting", has_text="SIGHTLINE_RETENTION_NOTICE_DAYS")
    await setting.get_by_role("button", name="Back to default").click()
    await page.get_by_role("button", name="Save").click()
    await setting.get_by_text("Default", exact=True).wait_for()
    await page.goto(f"{closed.address}/ui/settings/people")
    await page.get_by_text(str(operator.user_id)[:8], exact=False).first.wait_for()
    errors.check()


@pytest.mark.req(1103)
@pytest.mark.parametrize("name", ["32d3517f-5cfd-4d48-a187-ca6f55501fc9", "no-id-at-all"])
async def test_a_video_that_is_not_there_is_said_so(site: Site, page: "Page", name: str) -> None:
    await page.goto(f"{site.address}/ui/videos/{name}")
    await page.get_by_role("heading", name="This video isn't here").wait_for()
    await check_every_look(page)
    await page.get_by_role("link", name="Show all videos").click()
    await page.wait_for_url("**/ui/videos")
