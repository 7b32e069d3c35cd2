"""Jobs in the browser: a dead job gets another try, dead letters get another chance, and only operators get in."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import pytest_asyncio
from playwright.async_api import expect

from sightline.bus import TECHNIQUE_QUEUE, Names, PostgresBus, QueueMessage, default_topology
from sightline.contracts import LOCAL_OWNER_ID
from sightline.contracts.jobs import JobPayload, SegmentIndex
from sightline.db import Database, Listener, open_database
from sightline.jobs import JobQueue, NewJob
from sightline.text import replace_readings
from sightline.timing import utc_now
from support.browser import ON_ITS_LOOP
from support.dead_jobs import ERROR, LEASE, WORKER, clip
from support.page_site import DESK, PHONE, Site, check_accessible, check_fits
from support.platform_process import database_url
from support.postgres import patient_settings
from support.screen_text import insert_video, one_after_another
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]

LETTERS = f"/ui/jobs/queues/{TECHNIQUE_QUEUE}"
LETTERS_ASKED = f"/api/queues/{TECHNIQUE_QUEUE}/dead-letters"


@dataclass
class Behind:
    """The platform's database, past its API."""

    site: Site
    database: Database
    bus: PostgresBus

    async def dead(self, payload: JobPayload) -> UUID:
        """A job that failed for good, in one step, so that no worker of the platform gets hold of it."""
        queue = JobQueue(self.database)
        async with self.database.transaction() as tx:
            job_id = (await queue.enqueue(tx, payload)).id
            claimed = await queue.claim(tx, payload.job_type, worker=WORKER, limit=100, lease=LEASE)
            [job] = [one for one in claimed if one.id == job_id]
            assert await queue.fail(tx, job, ERROR, worker=WORKER)
        return job_id

    async def later(self, payload: JobPayload) -> UUID:
        """A job that waits for tomorrow."""
        async with self.database.transaction() as tx:
            new = NewJob(payload, run_after=utc_now() + timedelta(days=1))
            return (await JobQueue(self.database).enqueue_many(tx, [new]))[0].id

    async def readable_video(self) -> UUID:
        """A video of which only the indexing is left to do."""
        video_id = await insert_video(self.database, owner=LOCAL_OWNER_ID, name="talk.mp4")
        async with self.database.transaction() as tx:
            await replace_readings(tx, video_id, one_after_another("Agenda"), from_ms=0, until_ms=None)
        return video_id

    async def letters(self) -> list[dict[str, object]]:
        found: list[dict[str, object]] = (await self.site.ask("GET", LETTERS_ASKED))["dead_letters"]
        return found

    async def send_nonsense(self, count: int) -> None:
        """Messages that the platform's own consumer cannot read and buries."""
        before = len(await self.letters())
        async with self.database.transaction() as tx:
            await self.bus.send(tx, TECHNIQUE_QUEUE, *(QueueMessage(f'{{"number": {n}') for n in range(count)))
        await self.site.ask_until(LETTERS_ASKED, lambda answer: len(answer["dead_letters"]) == before + count)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def behind(site: Site) -> AsyncIterator[Behind]:
    url = await database_url(site.state)
    database = await open_database(patient_settings(), url)
    bus = PostgresBus(database, Listener(url), default_topology(stage="dev", bucket="b"), Names())
    await bus.create()
    yield Behind(site, database, bus)
    await database.close()


async def _open(site: Site, page: "Page", path: str) -> None:
    await page.goto(f"{site.address}{path}")
    await page.wait_for_selector("main [role=tab]")


async def test_a_platform_without_jobs_says_when_there_will_be_some(site: Site, page: "Page") -> None:
    await _open(site, page, "/ui/jobs?type=clip_generate&state=failed")
    await page.wait_for_selector("text=No jobs match Failed, Cut clip")
    await page.click("text=Clear filters")
    await page.wait_for_url("**/ui/jobs")


async def test_a_dead_job_is_retried_and_leaves_the_list(site: Site, page: "Page", behind: Behind) -> None:
    video_id = await behind.readable_video()
    job_id = await behind.dead(SegmentIndex(video_id=video_id))
    await _open(site, page, "/ui/jobs?state=failed")
    row = page.locator(".work-row", has_text="segment_index")
    await row.locator("text=it broke").wait_for()
    await row.locator("a", has_text="Index for search").click()
    await page.wait_for_url(f"**/ui/jobs/{job_id}?state=failed")
    detail = page.locator(".work-detail")
    await detail.locator("text=Boom").first.wait_for()
    await detail.locator("pre", has_text=str(video_id)).wait_for()
    assert await detail.locator("text=Cancel job").count() == 0  # only what can be done is offered
    await detail.locator("button", has_text="Retry").click()
    await page.wait_for_selector(".toast >> text=1 job queued again")
    await expect(row).to_have_count(0)
    await expect(detail.locator(".badge").first).to_have_text("Done")
    await detail.locator(".timeline >> text=/by operator/").wait_for()
    assert await detail.locator("button", has_text="Retry").count() == 0
    assert (await site.ask("GET", f"/videos/{video_id}"))["status"] == "COMPLETED"


async def test_all_dead_jobs_are_retried_after_saying_what_would_be_done(
    site: Site, page: "Page", behind: Behind
) -> None:
    hindered = await behind.readable_video()
    await behind.dead(SegmentIndex(video_id=hindered))
    await behind.later(SegmentIndex(video_id=hindered))
    for _ in range(2):
        await behind.dead(SegmentIndex(video_id=await behind.readable_video()))
    await _open(site, page, "/ui/jobs?type=segment_index&state=failed")
    await page.click("text=Retry all failed")
    dialog = page.locator("dialog[open]")
    await dialog.locator("text=2 jobs will be retried.").wait_for()
    await dialog.locator("text=1 job will be skipped:").wait_for()
    await dialog.locator("text=segment_index job of the same video is active").wait_for()
    await check_accessible(page)
    await dialog.locator("text=Retry 2 jobs").click()
    await page.wait_for_selector(".toast >> text=2 jobs queued again")
    await page.wait_for_selector(".toast >> text=/1 job skipped/")
    await expect(page.locator(".work-row")).to_have_count(1)


async def test_selected_jobs_are_retried_with_keys_and_a_queued_one_is_cancelled(
    site: Site, page: "Page", behind: Behind
) -> None:
    ids = [await behind.dead(clip(number, uuid4())) for number in range(3)]
    waiting = await behind.later(clip(9, uuid4()))
    await _open(site, page, "/ui/jobs?type=clip_generate&state=failed")
    await expect(page.locator(".work-row")).to_have_count(3)
    for key in ("j", "x", "j", "x"):
        await page.keyboard.press(key)
    await page.wait_for_selector("text=2 selected")
    await page.keyboard.press("Enter")
    await page.wait_for_url(re.compile(rf"/ui/jobs/{ids[1]}\?"))
    await page.wait_for_selector(".work-detail >> text=Boom")
    await page.keyboard.press("Escape")
    await page.wait_for_url(re.compile(r"/ui/jobs\?"))
    await page.keyboard.press("r")
    await page.wait_for_selector(".toast >> text=2 jobs queued again")
    await page.goto(f"{site.address}/ui/jobs/{waiting}")
    await page.click("text=Cancel job")
    await page.locator("dialog[open] button", has_text="Cancel job").click()
    await page.wait_for_selector(".toast >> text=Job cancelled")
    await page.wait_for_selector(".work-detail h3 >> text=Cancelled")
    assert (await site.ask("GET", f"/jobs/{waiting}"))["status"] == "failed"


async def test_dead_letters_are_read_redriven_and_discarded(site: Site, page: "Page", behind: Behind) -> None:
    await behind.send_nonsense(3)
    await _open(site, page, "/ui/jobs/queues")
    await page.locator(".dead-count", has_text="3").click()
    await page.wait_for_url(f"**{LETTERS}")
    await expect(page.locator(".work-row")).to_have_count(3)
    await check_accessible(page)
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    detail = page.locator(".work-detail")
    await detail.locator("pre", has_text='"number"').wait_for()
    await detail.locator("text=/JSON/").first.wait_for()
    await page.keyboard.press("Escape")
    await page.keyboard.press("x")
    await page.keyboard.press("r")
    await page.wait_for_selector(".toast >> text=1 message redriven")

    async def is_dead_again() -> bool:
        return len(await behind.letters()) == 3

    await until(is_dead_again)  # it was received again, and died of the same
    await page.reload()
    await page.wait_for_selector(".work-row >> text=redriven 1 time")
    await page.click("text=Discard all")
    await page.locator("dialog[open] button", has_text="Discard").click()
    await page.wait_for_selector(".toast >> text=3 messages discarded")
    await page.wait_for_selector("text=No dead letters")
    assert await behind.letters() == []


async def test_the_page_is_accessible_with_jobs_in_it_and_fits_a_phone(
    site: Site, page: "Page", behind: Behind
) -> None:
    dead = await behind.dead(SegmentIndex(video_id=uuid4()))
    for path in ("/ui/jobs", f"/ui/jobs/{dead}", "/ui/jobs/queues", "/ui/jobs/numbers?period=1h"):
        await page.set_viewport_size(DESK)
        await _open(site, page, path)
        await expect(page.locator("main .loading")).to_have_count(0)
        await check_accessible(page)
        await page.set_viewport_size(PHONE)
        await check_fits(page)
        await check_accessible(page)
    await page.emulate_media(color_scheme="dark")
    await check_accessible(page)


async def test_the_page_is_for_operators_and_says_so(closed: Site, page: "Page") -> None:
    await closed.user().let_in(page)
    await page.goto(f"{closed.address}/ui/jobs")
    await page.wait_for_selector("text=Operators only")
    assert await page.locator("main [role=tab]").count() == 0
    await check_accessible(page)
