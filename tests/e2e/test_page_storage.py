"""Storage in the browser: own use and quotas, everything stored for operators, rules, and removals before they happen."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import asyncpg
import pytest
import pytest_asyncio
from playwright.async_api import expect

from support.browser import ON_ITS_LOOP
from support.page_site import Site, check_every_look
from support.platform_process import database_url

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]

# The shared platform removes originals after 3650 days and allows each owner 10 GB.
ALMOST_DUE_DAYS = 3647


@pytest.fixture(scope="module")
def site(closed: Site) -> Site:
    return closed.user(is_operator=True)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def database(closed: Site) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(await database_url(closed.state))
    yield connection
    await connection.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def video(site: Site, database: asyncpg.Connection) -> UUID:
    """An old video whose original will be removed soon, and one whose original was."""
    video_id = uuid4()
    await database.executemany(
        "INSERT INTO videos (id, owner_id, name, status, size_bytes, duration_ms, created_at, original_removed_at)"
        " VALUES ($1, $2, $3, 'COMPLETED', 9000000000, 60000, now() - make_interval(days => $4), $5::timestamptz)",
        [
            (video_id, site.user_id, "almost due.mp4", ALMOST_DUE_DAYS, None),
            (uuid4(), site.user_id, "without original.mp4", 4000, await database.fetchval("SELECT now()")),
        ],
    )
    return video_id


@pytest_asyncio.fixture(loop_scope="session")
async def page(page: "Page", site: Site) -> "Page":
    await site.let_in(page)
    return page


@pytest.mark.req(405)
async def test_the_overview_shows_own_use_quotas_everything_stored_and_the_rules(
    site: Site, page: "Page", video: UUID
) -> None:
    await page.goto(f"{site.address}/ui/overview")
    storage = page.get_by_role("region", name="Storage")
    await expect(storage).to_contain_text("9 GB of 10 GB")
    await expect(storage).to_contain_text("Original videos: removed after 3,650 days")
    await storage.get_by_role("button", name="Measure now").click()
    await expect(storage).to_contain_text("Measured")
    await expect(storage.get_by_role("row", name="Database")).to_contain_text("MB")
    await expect(storage).to_contain_text("free for uploads")
    await page.evaluate("scrollTo(0, 0)")  # a link half below the sticky header counts as too small
    await check_every_look(page)


@pytest.mark.req(405)
async def test_a_removal_is_announced_and_a_removed_original_is_said_to_be(
    site: Site, page: "Page", video: UUID
) -> None:
    await page.goto(f"{site.address}/ui/videos")
    row = page.locator(".video-card", has_text="almost due.mp4")
    await expect(row).to_contain_text("Original will be removed on")
    await (
        page.locator(".video-card", has_text="without original.mp4")
        .get_by_role("link", name="without original.mp4")
        .click()
    )
    await page.get_by_role("tab", name="Details").click()
    await expect(page.locator("main")).to_contain_text("The original was removed on")
    await expect(page.get_by_role("button", name="Download original")).to_have_count(0)
    await expect(page.get_by_role("button", name="Create clip")).to_be_disabled()


@pytest.mark.req(402, 403, 405)
async def test_a_refused_upload_says_plainly_why_in_the_language_of_the_page(
    site: Site, closed: Site, page: "Page", video: UUID, database: asyncpg.Connection, tmp_path: Path
) -> None:
    film = tmp_path / "small.mp4"
    film.write_bytes(b"a few bytes")
    other = closed.user()
    announced = await other.ask("POST", "/videos", json={"totalSize": 1000, "filename": "large.mp4"})
    await database.execute(
        "UPDATE uploads SET total_size = 1::bigint << 60 WHERE video_id = $1", UUID(announced["videoId"])
    )
    await page.goto(f"{site.address}/ui/videos")
    await page.locator("header.head input[type=file]").set_input_files(film)
    await expect(page.locator(".upload.failed")).to_contain_text("Not enough space: needs 11 B, 0 B free")
    await other.ask("DELETE", f"/videos/{announced['videoId']}")
    await database.execute("UPDATE videos SET size_bytes = 10000000000 WHERE id = $1", video)
    await page.evaluate("localStorage.setItem('sightline.language', 'pt')")
    await page.reload()
    await page.locator("header.head input[type=file]").set_input_files(film)
    await expect(page.locator(".upload.failed")).to_contain_text(
        "Cota de armazenamento excedida: 10 GB de 10 GB em uso"
    )
