"""Search in the browser: hits while typing, by keys alone, narrowed by kind, opened at the moment."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import UUID

import pytest
import pytest_asyncio
from playwright.async_api import expect

from sightline.bus import Names, PostgresBus, default_topology
from sightline.db import Listener, open_database
from sightline.videos import VideoMoves
from support.browser import ON_ITS_LOOP
from support.page_site import Site, check_accessible, check_every_look
from support.platform_process import database_url
from support.postgres import patient_settings
from support.screen_text import insert_video, one_after_another, read_and_index
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Route

pytestmark = [ON_ITS_LOOP]

MANY = 130


@pytest.fixture(scope="module")
def site(closed: Site) -> Site:
    """As one user sees it."""
    return closed.user()


@pytest_asyncio.fixture(loop_scope="session")
async def page(page: "Page", site: Site) -> "Page":
    await site.let_in(page)
    return page


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def told(site: Site) -> AsyncIterator[dict[str, UUID]]:
    """Videos with known text on screen, as the pipeline leaves them, without its pictures."""
    url = await database_url(site.state)
    database = await open_database(patient_settings(), url)
    bus = PostgresBus(database, Listener(url), default_topology(stage="dev", bucket="b"), Names())
    await bus.create()
    moves = VideoMoves(bus, page_url=site.address)
    texts = {
        "talk.mp4": ("Agenda", "Invoice total: $1,299.99", "Thank you 🎉 all", "lnvoice again"),
        "news.mp4": ("Breaking #election results", "Ask @reporter about the invoice"),
        "long.mp4": tuple(f"Chapter {n} of many" for n in range(MANY)),
    }
    ids = {}
    for name, shown in texts.items():
        ids[name] = await insert_video(database, owner=site.user_id, name=name)
        readings = [
            replace(one, confidence=0.6) if one.text.startswith("lnvoice") else one for one in one_after_another(*shown)
        ]
        await read_and_index(database, moves, ids[name], readings)
    yield ids
    await database.close()


async def _open(site: Site, page: "Page", query: str = "") -> None:
    await page.goto(f"{site.address}/ui/search{query}")
    await page.wait_for_selector("main h1")


async def test_a_first_visit_says_where_to_begin(closed: Site, context: "BrowserContext") -> None:
    page = await context.new_page()
    await closed.user().let_in(page)
    await _open(closed, page)
    await page.wait_for_selector("text=No videos to search yet")
    await page.click("main a >> text=Upload a video")
    await page.wait_for_url("**/ui/videos")


async def test_hits_appear_while_typing_grouped_by_video_with_the_word_marked(
    site: Site, page: "Page", told: dict[str, UUID]
) -> None:
    await _open(site, page)
    await page.wait_for_selector("text=all of these words")
    await page.keyboard.type("invoi*")  # the box has the focus
    await page.wait_for_selector(".hit mark >> text=Invoice")
    assert await page.locator(".of-video a").all_inner_texts() == ["talk.mp4", "news.mp4"]
    assert await page.locator(".of-video a").first.get_attribute("href") == f"/ui/videos/{told['talk.mp4']}"
    await page.wait_for_url(re.compile(r"/ui/search\?q=invoi"))
    await expect(page.locator(".total")).to_have_text("2 results in 2 videos")
    await page.fill("main input[type=search]", "thank you")
    marked = page.locator(".hit mark")
    await expect(marked).to_have_text(["Thank", "you"])
    # An emoji is two units to JavaScript, and one character to the API: what stands behind it must not shift.
    await page.fill("main input[type=search]", "all")
    await expect(marked).to_have_text(["all"])
    await page.reload()
    await page.wait_for_selector(".hit mark >> text=all")
    assert await page.input_value("main input[type=search]") == "all"


async def test_what_may_be_misread_says_so(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    await _open(site, page, "?q=invoice+again")
    hit = page.locator(".hit", has_text="lnvoice again")
    await hit.wait_for()
    assert await hit.locator("text=Possible misreading").count() == 1


@pytest.mark.req(751)
async def test_what_was_mistyped_is_no_misreading(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    await _open(site, page, "?q=agemda")
    hit = page.locator(".hit", has_text="Agenda")
    await hit.locator("text=Similar spelling").wait_for()
    assert await page.locator("text=Possible misreading").count() == 0


async def test_a_hit_is_found_and_opened_with_the_keyboard_alone(
    site: Site, page: "Page", told: dict[str, UUID]
) -> None:
    await _open(site, page, "?q=results")
    await page.wait_for_selector(".hit")
    await page.keyboard.press("Escape")
    await page.fill("main input[type=search]", "")
    await page.keyboard.type("invoice")
    await expect(page.locator(".of-video")).to_have_count(2)
    await page.keyboard.press("ArrowDown")
    await page.wait_for_selector(".hit.current:focus >> text=Invoice total")
    await page.keyboard.press("j")
    await page.wait_for_selector(".hit.current:focus >> text=lnvoice again")
    await page.keyboard.press("k")
    await page.wait_for_selector(".hit.current:focus >> text=Invoice total")
    await page.keyboard.press("ArrowUp")
    await page.wait_for_selector("main input[type=search]:focus")
    await page.keyboard.press("ArrowDown")
    await page.wait_for_selector(".hit.current:focus >> text=Invoice total")
    await page.keyboard.press("/")
    await page.wait_for_selector("main input[type=search]:focus")
    await page.keyboard.press("ArrowDown")
    await page.wait_for_selector(".hit.current:focus >> text=lnvoice again")
    await page.keyboard.press("Enter")
    await page.wait_for_url(re.compile(rf"/ui/videos/{told['talk.mp4']}\?t=3$"))


async def test_what_is_asked_in_the_bar_goes_on_in_the_page(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    await page.goto(f"{site.address}/ui/search?q=agenda")
    await page.wait_for_selector(".hit >> text=Agenda")
    await page.fill("header input[type=search]", "results")
    await page.press("header input[type=search]", "Enter")
    await page.wait_for_selector(".hit >> text=Breaking")
    assert await page.input_value("main input[type=search]") == "results"
    await page.keyboard.press("ArrowDown")
    await page.wait_for_selector(".hit.current:focus >> text=Breaking")
    await page.keyboard.press("/")
    await page.keyboard.press("Escape")  # empties the box, then leaves it to the keys
    await page.keyboard.press("Escape")
    # Two keys belong together when they follow one another quickly, which they may not on a busy machine.
    await page.evaluate("performance.now = () => 1000")
    await page.keyboard.press("g")
    await page.keyboard.press("j")
    await page.wait_for_url("**/ui/jobs")


async def test_kinds_narrow_and_an_empty_list_names_the_filter(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    await _open(site, page)
    await page.click("main >> text=Hashtags")
    await page.wait_for_selector(".hit >> text=Breaking #election results")
    assert await page.locator(".hit").count() == 1
    await page.click("main >> text=Mentions")
    await page.wait_for_selector(".hit >> text=Ask @reporter")
    await page.wait_for_url("**/ui/search?type=mention")
    await page.fill("main input[type=search]", "agenda")
    await page.wait_for_selector("text=No results for “agenda”")
    await page.wait_for_selector("text=Showing only mentions.")
    await check_accessible(page)
    await page.click("text=Clear filters")
    await page.wait_for_selector(".hit >> text=Agenda")
    await page.wait_for_url("**/ui/search?q=agenda")


async def test_exactly_as_typed_finds_parts_of_words(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    await _open(site, page, "?q=nvoice+tot")
    await page.check("text=Exact characters")
    await page.wait_for_selector(".hit mark >> text=nvoice tot")
    await page.wait_for_url("**exact=1")


async def test_a_late_answer_never_replaces_a_newer_one(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    """The answer to the first question is held back until the second one's is shown."""
    held: list[Route] = []
    ended: list[str] = []
    page.on("requestfinished", lambda request: ended.append(request.url))
    page.on("requestfailed", lambda request: ended.append(request.url))
    await page.route("**/search?q=agenda*", lambda route: held.append(route))  # noqa: PLW0108 - playwright asks for a function
    await _open(site, page)
    await page.wait_for_selector("text=all of these words")
    async with page.expect_request("**/search?q=agenda*"):
        await page.keyboard.type("agenda")
    await page.fill("main input[type=search]", "results")
    await page.wait_for_selector(".hit >> text=Breaking")
    for route in held:
        await route.continue_()
    await until(lambda: all(route.request.url in ended for route in held))
    await page.wait_for_selector(".hit >> text=Breaking")
    assert await page.locator(".hit", has_text="Agenda").count() == 0
    assert await page.locator("[role=alert]").count() == 0


async def test_more_hits_come_as_one_scrolls(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    await _open(site, page, "?q=chapter")
    await page.wait_for_selector(f"text={MANY} results in 1 video")
    assert await page.locator(".strip .hit").count() == 6
    await page.click(f"text={MANY - 6} more in this video")
    await page.wait_for_url(re.compile(rf"video={told['long.mp4']}"))
    await page.wait_for_selector(".hit.line")
    last = page.locator(".hit", has_text=re.compile(rf"Chapter {MANY - 1} of"))

    async def is_there() -> bool:
        await page.keyboard.press("End")
        return await last.count() > 0

    await page.locator("main h1").click()
    await until(is_there)
    assert await page.locator(".hit").count() < MANY  # only those that can be seen are in the document


async def test_hits_are_accessible_and_fit_a_phone(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    await _open(site, page, "?q=invoice")
    await page.wait_for_selector(".hit")
    await check_every_look(page)


async def test_half_a_question_is_no_failure(site: Site, page: "Page", told: dict[str, UUID]) -> None:
    await _open(site, page)
    await page.keyboard.type("*")
    await page.wait_for_selector("text=“*” has no letters or digits")
    assert await page.locator("main [role=alert]").count() == 0
    await page.keyboard.type("voic*")
    await expect(page.locator(".hit mark").first).to_have_text("voic")
