"""The overview in the browser: empty at first, then numbers that lead to their lists, and plots of a period."""

import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest_asyncio
from playwright.async_api import expect

from sightline.bus import Names, PostgresBus, QueueMessage, default_topology
from sightline.bus.topology import TECHNIQUE_QUEUE
from sightline.contracts import LOCAL_OWNER_ID
from sightline.db import DatabaseSettings, Listener, open_database
from sightline.videos import VideoMoves
from support.browser import ON_ITS_LOOP
from support.page_site import PHONE, Site, check_accessible, check_fits
from support.platform_process import database_url
from support.screen_text import insert_video, one_after_another, read_and_index
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]


async def _open(site: Site, page: "Page", query: str = "") -> None:
    await page.goto(f"{site.address}/ui/overview{query}")
    await page.wait_for_selector(".now-card")


async def test_a_new_platform_says_what_to_do(site: Site, page: "Page") -> None:
    await _open(site, page)
    await page.wait_for_selector("text=Nothing has happened yet")
    assert await page.locator(".plot").count() == 0
    await check_accessible(page)
    await page.click("main a >> text=Upload a video")
    await page.wait_for_url("**/ui/videos")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def busy(site: Site) -> AsyncIterator[None]:
    """A finished video, one in work, one that failed, a critical event and a dead letter."""
    url = await database_url(site.state)
    database = await open_database(DatabaseSettings(), url)
    bus = PostgresBus(database, Listener(url), default_topology(stage="dev", bucket="b"), Names())
    await bus.create()
    moves = VideoMoves(bus, page_url=site.address)
    finished = await insert_video(database, owner=LOCAL_OWNER_ID, name="talk.mp4")
    await read_and_index(database, moves, finished, one_after_another("Agenda"))
    await insert_video(database, owner=LOCAL_OWNER_ID, name="now.mp4")
    await insert_video(database, owner=LOCAL_OWNER_ID, name="broken.mp4", status="FAILED")
    async with database.transaction() as tx:
        await tx.execute(
            "INSERT INTO events (batch_id, camera_id, owner_id, risk_score, summary, reasoning, assessor, started_at,"
            " broadcasted_at) VALUES ('batch-00000001', 'door', $1, 95, 's', 'r', 'rules', now(), now())",
            LOCAL_OWNER_ID,
        )
        await bus.send(tx, TECHNIQUE_QUEUE, QueueMessage(json.dumps({"no": "sense"})))

    async def is_buried() -> bool:
        queues = (await site.ask("GET", "/api/queues"))["queues"]
        return sum(one["dead_letters"] for one in queues) == 1

    await until(is_buried, within_s=30)
    yield
    await database.close()


async def test_numbers_of_now_lead_to_the_lists_they_count(site: Site, page: "Page", busy: None) -> None:
    for label, count, address in (
        ("Videos ready", "1", "**/ui/videos?status=ready"),
        ("Videos in work", "1", "**/ui/videos?status=processing"),
        ("Videos failed", "1", "**/ui/videos?status=failed"),
        ("Critical events not acknowledged", "1", "**/ui/events?level=critical"),
        ("Dead letters", "1", "**/ui/jobs/queues"),
        ("Jobs queued", "0", "**/ui/jobs?state=queued"),
    ):
        await _open(site, page)
        card = page.locator(".now-card", has_text=label)
        await expect(card.locator("strong")).to_have_text(count)
        await card.click()
        await page.wait_for_url(address)


async def test_the_period_stands_in_the_address(site: Site, page: "Page", busy: None) -> None:
    await _open(site, page)
    await page.click("main >> text=1 hour")
    await page.wait_for_url("**/ui/overview?period=1h")
    await page.reload()
    await page.wait_for_selector("button[aria-pressed=true] >> text=1 hour")
    uploads = page.locator(".plot", has_text="Uploads")
    await expect(uploads.locator("rect.series-1")).to_have_count(1)
    # The same numbers for whoever does not see bars.
    await expect(uploads.locator("tbody td").first).to_have_text("3")
    await expect(page.locator(".plot", has_text="Events by level").locator("rect.level-critical")).to_have_count(1)


async def test_the_overview_is_accessible_and_fits_a_phone(site: Site, page: "Page", busy: None) -> None:
    await _open(site, page, "?period=7d")
    await page.wait_for_selector(".plot svg")
    await check_accessible(page)
    await page.emulate_media(color_scheme="dark")
    await check_accessible(page)
    await page.set_viewport_size(PHONE)
    await check_fits(page)
    await check_accessible(page)
