"""Search by meaning in the browser: below exact results, with its label, and more like a text; hidden where it is not installed."""

import re
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING
from uuid import UUID

import pytest
import pytest_asyncio
from playwright.async_api import expect

from sightline.bus import Names, PostgresBus, default_topology
from sightline.db import Listener, open_database
from sightline.videos import VideoMoves
from support import installed
from support.browser import ON_ITS_LOOP
from support.page_site import Site, check_accessible, running_site
from support.platform_process import database_url
from support.postgres import patient_settings
from support.screen_text import insert_video, one_after_another, read_and_index
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]

TALK = ("Rain", "The bill must be paid within thirty days")
NEWS = ("Take an umbrella, showers are expected", "Heavy rain on Sunday", "A new museum opens")


async def add_video(site: Site, name: str, *texts: str) -> UUID:
    url = await database_url(site.state)
    database = await open_database(patient_settings(), url)
    bus = PostgresBus(database, Listener(url), default_topology(stage="dev", bucket="b"), Names())
    await bus.create()
    video_id = await insert_video(database, owner=site.user_id, name=name)
    await read_and_index(database, VideoMoves(bus, page_url=site.address), video_id, one_after_another(*texts))
    await database.close()
    return video_id


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """A platform with the model, whose videos were there before it."""
    installed.wait_for(installed.MEANING)
    more = {
        "SIGHTLINE_MEANING_EMBED": "auto",
        "SIGHTLINE_MEANING_BACKFILL_EVERY_S": "1",
        "SIGHTLINE_MEANING_QUERY_TIMEOUT_S": "60",
    }
    async with running_site(tmp_path_factory.mktemp("meaning") / "state", **more) as running:
        await add_video(running, "talk.mp4", *TALK)
        await add_video(running, "news.mp4", *NEWS)

        async def has_vectors() -> bool:
            found = (await running.client.get("/search", params={"q": "weather and payment", "meaning": "only"})).json()
            return {"talk.mp4", "news.mp4"} <= {hit["video_name"] for hit in found["hits"]}

        await until(has_vectors, within_s=60)
        yield running


@pytest.mark.req(736, 737, 739, 745)
async def test_what_is_similar_in_meaning_is_below_the_exact_results_and_leads_to_more(
    site: Site, page: "Page"
) -> None:
    await page.goto(f"{site.address}/ui/search?q=rain")
    await expect(page.locator("h2", has_text="Similar in meaning")).to_have_count(1)
    rows = page.locator("main h2.of-video, main .hit .text")
    texts = await rows.all_inner_texts()
    heading = next(n for n, text in enumerate(texts) if text.startswith("Similar in meaning"))
    assert {text for text in texts[:heading] if text in (*TALK, *NEWS)} == {"Rain", "Heavy rain on Sunday"}
    assert texts[heading + 1] == "Take an umbrella, showers are expected"
    await check_accessible(page)
    await page.locator(".with-more", has_text="Heavy rain on Sunday").hover()
    await page.locator(".with-more", has_text="Heavy rain on Sunday").get_by_label("More like this").click()
    await page.wait_for_url(re.compile(r"/ui/search\?like=[0-9a-f-]{36}$"))
    await expect(page.locator("text=Texts similar in meaning to the one you chose")).to_have_count(1)
    await expect(page.locator(".hit", has_text="Heavy rain on Sunday")).to_have_count(0)
    await page.locator(".hit", has_text="Take an umbrella").wait_for()
    await page.click("main button >> text=Clear")
    await page.wait_for_selector("text=all of these words")


@pytest.mark.req(739)
async def test_the_text_of_a_video_offers_more_like_it(site: Site, page: "Page") -> None:
    found = (await site.client.get("/search", params={"q": "umbrella", "meaning": "off"})).json()
    await page.goto(f"{site.address}/ui/videos/{found['hits'][0]['video_id']}")
    row = page.locator(".with-more", has_text="Take an umbrella")
    await row.hover()
    await row.get_by_label("More like this").click()
    await expect(page.locator(".hit", has_text="Heavy rain on Sunday")).to_have_count(1)


@pytest.mark.req(742)
async def test_nothing_is_offered_where_it_is_not_installed(closed: Site, page: "Page") -> None:
    user = closed.user()
    await user.let_in(page)
    await add_video(user, "news.mp4", *NEWS)
    async with page.expect_response("**/api/meaning") as answer:
        await page.goto(f"{user.address}/ui/search?q=rain")
    assert (await (await answer.value).json())["installed"] is False
    await page.locator(".hit", has_text="Heavy rain").wait_for()
    assert await page.locator(".more-like-this").count() == 0
