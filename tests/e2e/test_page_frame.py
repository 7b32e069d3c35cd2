"""The frame around every page: addresses, languages, light and dark, keys, and what a browser is allowed."""

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from support.browser import ON_ITS_LOOP, new_context
from support.page_site import Site, check_accessible, check_every_look

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Response

pytestmark = [ON_ITS_LOOP]

PAGES = ["home", "videos", "search", "events", "cameras", "jobs", "messages", "overview", "settings"]


@pytest.fixture(scope="module")
def site(closed: Site) -> Site:
    """As an operator sees it who comes for the first time."""
    return closed.user(is_operator=True)


@pytest_asyncio.fixture(loop_scope="session")
async def page(page: "Page", site: Site) -> "Page":
    await site.let_in(page)
    return page


@pytest.mark.parametrize("name", PAGES)
async def test_every_page_is_accessible_in_light_and_dark_and_fits_a_phone(site: Site, page: "Page", name: str) -> None:
    await page.goto(f"{site.address}/ui/{name}")
    await page.wait_for_selector("main h1")
    await page.wait_for_selector("main .loading", state="detached")
    await check_every_look(page)


async def test_the_page_speaks_portuguese_to_who_speaks_it(site: Site, chromium: "Browser") -> None:
    async with new_context(chromium, locale="pt-BR") as context:
        page = await context.new_page()
        await site.let_in(page)
        await page.goto(site.address)
        await page.wait_for_selector("nav >> text=Vídeos")
        assert await page.evaluate("document.documentElement.lang") == "pt-BR"


async def test_nothing_is_asked_of_anybody_else_and_the_policy_holds(site: Site, page: "Page") -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    for name in PAGES:
        await page.goto(f"{site.address}/ui/{name}")
        await page.wait_for_selector("main h1")
        await page.wait_for_selector("main .loading", state="detached")
        await page.wait_for_selector(".connection.live")
    foreign = [url for url in asked if not url.startswith((site.address, "data:", "blob:"))]
    assert foreign == []
    assert complaints == []


async def test_scripts_are_the_pages_own_alone_and_files_are_kept_for_ever(site: Site) -> None:
    index = await site.client.get("/ui/videos/some-id?t=3")
    policy = index.headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval'" in policy
    assert "frame-ancestors 'none'" in policy
    assert index.headers["cache-control"] == "no-cache"
    script = index.text.partition('src="')[2].partition('"')[0]
    assert "immutable" in (await site.client.get(script)).headers["cache-control"]
    assert (await site.client.get("/ui/assets/none-such.js")).status_code == 404


@pytest.mark.parametrize("name", PAGES)
async def test_a_first_visit_loads_less_than_150_kb(site: Site, page: "Page", name: str) -> None:
    """Scripts and styles as they come over the line; the player's are loaded where there is something to play."""
    loaded: list[Response] = []
    page.on("response", lambda answer: loaded.append(answer) if "/ui/" in answer.url else None)
    await page.goto(f"{site.address}/ui/{name}")
    await page.wait_for_selector("main h1")
    sizes = [(await answer.request.sizes())["responseBodySize"] for answer in loaded]
    assert len(sizes) > 3
    assert sum(sizes) < 150_000
    assert sum(sizes) > 10_000


async def test_keys_lead_to_pages_and_a_sheet_lists_them(site: Site, page: "Page") -> None:
    await page.goto(site.address)
    await page.wait_for_selector("main h1")
    await page.keyboard.press("?")
    await page.wait_for_selector("dialog[open] >> text=Go to Events")
    await check_accessible(page)
    await page.keyboard.press("Escape")
    await page.wait_for_selector("dialog[open]", state="detached")
    # Two keys belong together when they follow one another quickly, which they may not on a busy machine.
    await page.evaluate("performance.now = () => 1000")
    await page.keyboard.press("g")
    await page.keyboard.press("e")
    await page.wait_for_url("**/ui/events")
    await page.keyboard.press("/")
    await page.keyboard.type("g v is typed, not meant")
    assert page.url.endswith("/ui/events")
