"""The page of a platform that wants to know who asks: the token is asked for once, and goes along with everything."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import jwt
import pytest
import pytest_asyncio

from support.browser import ON_ITS_LOOP
from support.page_site import Site, check_accessible
from support.platform_process import up

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]

SECRET = "known to whoever signs people in"


def token_of(name: str) -> str:
    return jwt.encode({"sub": name, "exp": datetime.now(UTC) + timedelta(hours=1)}, SECRET)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    state = tmp_path_factory.mktemp("closed") / "state"
    async with up(state, SIGHTLINE_AUTH_JWT_SECRET=SECRET) as platform:
        yield Site(platform.address, state)


async def sign_in(page: "Page", site: Site, name: str) -> None:
    await page.goto(site.address)
    await page.get_by_role("dialog").get_by_label("Token").fill(token_of(name))
    await page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    await page.locator(".connection.live").wait_for()


async def test_a_token_is_asked_for_and_opens_lists_pictures_stream_and_live_feed(site: Site, page: "Page") -> None:
    await page.goto(site.address)
    await page.get_by_role("dialog").get_by_label("Token").wait_for()
    await check_accessible(page)
    await sign_in(page, site, "ana")
    await page.get_by_role("button", name="Try it with a sample").click()
    row = page.locator(".video-row").filter(has_text="sightline-sample.mp4")
    await row.locator(".badge", has_text="Ready").wait_for(timeout=60_000)
    await row.locator("img[src^='blob:']").wait_for()
    await row.locator("h2 a").click()
    await page.locator(".text-row", has_text="Welcome to Sightline").click()
    await page.locator(".text-row.now").first.wait_for()  # a picture was seen: the stream plays


async def test_somebody_else_sees_nothing_of_it(site: Site, page: "Page") -> None:
    await sign_in(page, site, "ben")
    await page.get_by_text("No videos yet").wait_for()
    await page.goto(f"{site.address}/ui/jobs")
    await page.get_by_text("operators").first.wait_for()


async def test_a_token_that_does_not_hold_is_asked_for_again(site: Site, page: "Page") -> None:
    await page.goto(site.address)
    await page.get_by_role("dialog").get_by_label("Token").fill("nonsense")
    await page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    await page.get_by_role("alert").get_by_text("bearer token").wait_for()
    await page.get_by_role("dialog").get_by_label("Token").wait_for()
