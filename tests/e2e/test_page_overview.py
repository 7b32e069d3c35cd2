"""The overview in the browser: empty at first, then numbers that lead to their lists, and plots of a period."""

import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from playwright.async_api import expect

from sightline.bus import TECHNIQUE_QUEUE, Names, PostgresBus, QueueMessage, default_topology
from sightline.db import Listener, open_database
from sightline.videos import VideoMoves
from support.browser import ON_ITS_LOOP
from support.page_site import Site, check_accessible, check_every_look
from support.platform_process import database_url
from support.postgres import patient_settings
from support.screen_text import insert_video, one_after_another, read_and_index

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

pytestmark = [ON_ITS_LOOP]


@pytest.fixture(scope="module")
def site(closed: Site) -> Site:
    """As one operator sees it."""
    return closed.user(is_operator=True)


@pytest_asyncio.fixture(loop_scope="session")
async def page(page: "Page", site: Site) -> "Page":
    await site.let_in(page)
    return page


async def _open(site: Site, page: "Page", query: str = "") -> None:
    await page.goto(f"{site.address}/ui/overview{query}")
    await page.wait_for_selector(".now-card")


async def test_a_first_visit_says_what_to_do(closed: Site, context: "BrowserContext") -> None:
    page = await context.new_page()
    await closed.user().let_in(page)
    await _open(closed, page)
    await page.wait_for_selector("text=Nothing here yet")
    assert await page.locator(".plot").count() == 0
    await check_accessible(page)
    await page.click("main a >> text=Upload a video")
    await page.wait_for_url("**/ui/videos")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def busy(site: Site) -> AsyncIterator[None]:
    """A finished video, one in work, one that failed, a critical event and a dead letter."""
    url = await database_url(site.state)
    database = await open_database(patient_settings(), url)
    bus = PostgresBus(database, Listener(url), default_topology(stage="dev", bucket="b"), Names())
    await bus.create()
    moves = VideoMoves(bus, page_url=site.address)
    finished = await insert_video(database, owner=site.user_id, name="talk.mp4")
    await read_and_index(database, moves, finished, one_after_another("Agenda"))
    await insert_video(database, owner=site.user_id, name="now.mp4")
    await insert_video(database, owner=site.user_id, name="broken.mp4", status="FAILED")
    async with database.transaction() as tx:
        await tx.execute(
            "INSERT INTO events (batch_id, camera_id, owner_id, risk_score, summary, reasoning, assessor, started_at,"
            " broadcasted_at) VALUES ('batch-00000001', 'door', $1, 95, 's', 'r', 'rules', now(), now())",
            site.user_id,
        )
        await bus.send(tx, TECHNIQUE_QUEUE, QueueMessage(json.dumps({"no": "sense"})))
        # In one column of the plot, also where a minute has begun between them.
        await tx.execute("UPDATE videos SET created_at = now() WHERE owner_id = $1", site.user_id)
    await site.ask_until("/api/queues", lambda answer: sum(one["dead_letters"] for one in answer["queues"]) == 1)
    yield
    await database.close()


async def test_numbers_of_now_lead_to_the_lists_they_count(site: Site, page: "Page", busy: None) -> None:
    for label, count, address in (
        ("Videos ready", "1", "**/ui/videos?status=ready"),
        ("Videos processing", "1", "**/ui/videos?status=processing"),
        ("Videos failed", "1", "**/ui/videos?status=failed"),
        ("Unacknowledged critical events", "1", "**/ui/events?level=critical"),
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
    # The same numbers for those who do not see bars.
    await expect(uploads.locator("tbody td").first).to_have_text("3")
    await expect(page.locator(".plot", has_text="Events by level").locator("rect.level-critical")).to_have_count(1)


async def test_the_overview_is_accessible_and_fits_a_phone(site: Site, page: "Page", busy: None) -> None:
    await _open(site, page, "?period=7d")
    await page.wait_for_selector(".plot svg")
    await check_every_look(page)
