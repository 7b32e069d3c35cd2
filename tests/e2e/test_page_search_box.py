"""The search box in the browser: suggestions, operators, facets, and saved searches with alerts."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING
from uuid import UUID

import pytest
import pytest_asyncio
from playwright.async_api import expect

from sightline.bus import Names, PostgresBus, default_topology
from sightline.db import Listener, open_database
from sightline.text import SpeechSegment, index_segments, replace_speech
from sightline.videos import VideoMoves, lock_video, set_details
from support.browser import ON_ITS_LOOP
from support.page_site import DESK, Site, check_accessible, check_every_look
from support.platform_process import database_url
from support.postgres import patient_settings
from support.screen_text import insert_video, one_after_another, read_and_index

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]

BOX = "main input[type=search]"
OPTIONS = "main [role=option]"

AddVideo = Callable[..., Awaitable[UUID]]


@pytest.fixture(scope="module")
def site(closed: Site) -> Site:
    return closed.user()


@pytest_asyncio.fixture(loop_scope="session")
async def page(page: "Page", site: Site) -> "Page":
    await page.set_viewport_size(DESK)
    await site.let_in(page)
    return page


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def add_video(site: Site) -> AsyncIterator[AddVideo]:
    url = await database_url(site.state)
    database = await open_database(patient_settings(), url)
    bus = PostgresBus(database, Listener(url), default_topology(stage="dev", bucket="b"), Names())
    await bus.create()
    moves = VideoMoves(bus, page_url=site.address)

    async def add(name: str, *shown: str, tags: tuple[str, ...] = (), said: str | None = None) -> UUID:
        video = await insert_video(database, owner=site.user_id, name=name)
        async with database.transaction() as tx:
            await set_details(tx, video, tags=tags)
        await read_and_index(database, moves, video, one_after_another(*shown))
        if said is not None:
            async with database.transaction() as tx:
                await lock_video(tx, video)
                spoken = [SpeechSegment(said, 9000, 10_000, 0.9, "eng", ())]
                await replace_speech(tx, video, spoken, from_ms=0, until_ms=60_000)
                await index_segments(tx, video)
        return video

    yield add
    await database.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def told(site: Site, add_video: AddVideo) -> dict[str, UUID]:
    """Videos whose words can be suggested."""
    ids = {
        "review.mp4": await add_video(
            "review.mp4", "Invoice total", "Budget draft", tags=("work",), said="pay the invoice"
        ),
        "Invention of print.mp4": await add_video(
            "Invention of print.mp4", "Gutenberg", "final budget", tags=("history",)
        ),
    }
    await site.ask_until("/search/suggest", lambda answer: len(answer["suggestions"]) >= 2, params={"q": "inv"})
    return ids


async def _open(site: Site, page: "Page", query: str = "") -> None:
    await page.goto(f"{site.address}/ui/search{query}")
    await page.wait_for_selector("main h1")


@pytest.mark.req(755)
async def test_suggestions_are_chosen_with_the_keyboard(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    await _open(site, page)
    await page.locator(BOX).press_sequentially("inv")
    await expect(page.locator(OPTIONS)).to_have_count(2)
    await expect(page.locator(BOX)).to_have_attribute("aria-expanded", "true")
    await check_accessible(page)
    await page.keyboard.press("Escape")  # closes the list and keeps what was typed
    await expect(page.locator(OPTIONS).first).to_be_hidden()
    assert await page.input_value(BOX) == "inv"
    await page.keyboard.type("o")
    await page.keyboard.press("ArrowDown")
    await expect(page.locator("main [role=option][aria-selected=true]")).to_contain_text("invoice")
    active = await page.get_attribute(BOX, "aria-activedescendant")
    assert active == await page.locator("main [role=option][aria-selected=true]").get_attribute("id")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".hit mark >> text=Invoice")
    await page.wait_for_url("**/ui/search?q=invoice")
    await expect(page.locator(BOX)).to_have_attribute("aria-expanded", "false")


@pytest.mark.req(755)
async def test_a_video_is_chosen_in_the_box_of_the_frame(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    await page.goto(f"{site.address}/ui/videos")
    await page.locator("header input[type=search]").press_sequentially("budget inv")
    await page.locator("header [role=option]", has_text="Invention of print.mp4").click()
    await page.wait_for_selector(".hit >> text=final budget")
    assert await page.input_value(BOX) == 'budget in:"Invention of print.mp4"'
    assert await page.locator(".hit").count() == 1


@pytest.mark.req(755)
async def test_operators_work_and_a_wrong_one_says_what_to_write(
    site: Site, page: "Page", told: dict[str, UUID]
) -> None:
    await _open(site, page, "?q=said%3Ainvoice")
    await page.wait_for_selector(".hit >> text=Said")
    assert await page.locator(".hit").count() == 1
    await page.fill(BOX, "budget -draft")
    await expect(page.locator(".hit .text")).to_have_text(["final budget"])
    await page.fill(BOX, "budget after:soon")
    await page.wait_for_selector("text='soon' is no date; use 2026-03-01")
    assert await page.locator("main [role=alert]").count() == 0
    await check_accessible(page)


@pytest.mark.req(755)
async def test_facets_narrow_and_names_are_found(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    await _open(site, page, "?q=invoice")
    kinds = page.locator(".facets fieldset", has_text="Kind")
    await kinds.locator("button", has_text="Said").click()
    await page.wait_for_url("**kind=speech")
    await expect(page.locator(".hit .text")).to_have_text(["pay the invoice"])
    await page.click("text=Clear filters")
    await expect(page.locator(".hit")).to_have_count(2)
    await page.fill(BOX, "budget")
    await page.locator(".facets button", has_text="history").click()
    await expect(page.locator(".hit .text")).to_have_text(["final budget"])
    await _open(site, page, "?q=review")
    named = page.locator(".named-hit")
    await expect(named.locator("mark")).to_have_text(["review"])
    assert await named.get_attribute("href") == f"/ui/videos/{told['review.mp4']}"
    await check_every_look(page)


@pytest.mark.req(756)
async def test_a_saved_search_alerts_on_a_new_video(
    site: Site, page: "Page", told: dict[str, UUID], add_video: AddVideo
) -> None:
    await _open(site, page, "?q=receipt&tag=work")
    await _open(site, page, "?q=budget&tag=work")
    await page.click("main >> text=Save search")
    assert await page.input_value("dialog input >> nth=1") == "budget tag:work"
    await page.fill("dialog input >> nth=0", "Budgets at work")
    await page.check("dialog input[type=checkbox]")
    await page.click("dialog >> text='Save'")
    await page.wait_for_selector("text=Saved as “Budgets at work”")
    await page.click("main header >> text=Saved searches")
    await expect(page.get_by_role("switch", name="Alerts of Budgets at work")).to_be_checked()
    video = await add_video("new.mp4", "Budget of today", tags=("work",))
    await page.wait_for_selector("text=Budgets at work: 1 result in new.mp4")  # the live feed says so
    await page.wait_for_selector(".saved .alerts >> text=1 result · new.mp4")
    await check_every_look(page)
    sent = await site.ask_until(
        "/api/messages", lambda answer: any("Budgets at work" in str(one) for one in answer["messages"])
    )
    assert sum("Budgets at work" in str(one) for one in sent["messages"]) == 1
    await page.set_viewport_size(DESK)
    await page.click(".saved .alerts a")
    await page.wait_for_url(re.compile(rf"video={video}"))
    await page.wait_for_selector(".hit >> text=Budget of today")


@pytest.mark.req(756)
async def test_a_saved_search_is_switched_changed_run_and_deleted(
    site: Site, page: "Page", told: dict[str, UUID]
) -> None:
    await site.ask("POST", "/api/saved-searches", json={"name": "Printing", "q": "gutenberg"})
    await _open(site, page, "?view=saved")
    switch = page.get_by_role("switch", name="Alerts of Printing")
    await switch.click()  # an answer that was under way may still show it off for a moment
    await site.ask_until(
        "/api/saved-searches",
        lambda answer: any(one["name"] == "Printing" and one["has_alerts"] for one in answer["searches"]),
    )
    await expect(switch).to_be_checked()
    await page.get_by_role("button", name="Edit Printing").click()
    await page.fill("dialog input >> nth=0", "History of printing")
    await page.fill("dialog input >> nth=1", "before:never")
    await page.click("dialog >> text='Save'")
    await page.wait_for_selector("dialog >> text='never' is no date")
    await page.fill("dialog input >> nth=1", "gutenberg -draft")
    await page.click("dialog >> text='Save'")
    await page.click(".saved >> text=History of printing")
    await page.wait_for_selector(".hit >> text=Gutenberg")
    assert await page.input_value(BOX) == "gutenberg -draft"
    await _open(site, page, "?view=saved")
    await page.get_by_role("button", name="Delete History of printing").click()
    await page.click("dialog >> text='Delete'")
    await expect(page.locator(".saved >> text=History of printing")).to_have_count(0)
