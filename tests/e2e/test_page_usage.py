"""Usage, quotas and one's own data in the browser."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING
from uuid import uuid4

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


@pytest.fixture(scope="module")
def site(closed: Site) -> Site:
    return closed.user(is_operator=True)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def database(closed: Site) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(await database_url(closed.state))
    yield connection
    await connection.close()


@pytest_asyncio.fixture(loop_scope="session")
async def page(page: "Page", site: Site) -> "Page":
    await site.let_in(page)
    return page


@pytest.mark.req(1144, 1145)
async def test_people_see_bars_and_days_and_an_operator_changes_the_quotas_of_an_owner(
    site: Site, page: "Page", database: asyncpg.Connection
) -> None:
    await database.execute(
        """INSERT INTO owner_usage SELECT $1, (now() AT TIME ZONE 'UTC')::date, m, a
           FROM (VALUES ('processed_ms', 5400000), ('uploads', 3), ('frames_read', 812), ('job_ms.ocr', 60000)) AS u (m, a)""",
        site.user_id,
    )
    await database.execute(
        "INSERT INTO videos (id, owner_id, name, status, size_bytes) VALUES ($1, $2, 'big.mp4', 'COMPLETED', 9000000000)",
        uuid4(),
        site.user_id,
    )
    await page.goto(f"{site.address}/ui/settings/usage")
    quotas = page.get_by_role("region", name="Quotas")
    await expect(quotas).to_contain_text("9 GB of 10 GB")
    await expect(quotas).to_contain_text("Nearly used up")
    await expect(page.get_by_role("region", name="By day")).to_contain_text("812")
    owners = page.get_by_role("region", name="All owners")
    me = owners.get_by_role("row").filter(has_text="9 GB")
    await me.get_by_role("button", name="Change quotas").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Default: 10 GB")
    await dialog.get_by_label("Storage in GB").fill("9")
    await dialog.get_by_label("Minutes of video this month").fill("120")
    await dialog.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Quotas saved")).to_be_visible()
    await page.reload()
    await expect(quotas).to_contain_text("Used up: new uploads are refused.")
    await expect(quotas).to_contain_text("90 of 120")
    async with page.expect_download() as download:
        await owners.get_by_role("link", name="Download CSV").click()
    assert (await download.value).suggested_filename.startswith("usage-")


@pytest.mark.req(1174)
async def test_an_owner_of_a_team_looks_at_what_it_used(site: Site, page: "Page", database: asyncpg.Connection) -> None:
    await database.execute(
        """WITH made AS (INSERT INTO teams (name) VALUES ('Night shift') RETURNING id),
                joined AS (INSERT INTO team_members (team_id, user_id, role) SELECT id, $1, 'owner' FROM made)
           INSERT INTO owner_usage SELECT id, (now() AT TIME ZONE 'UTC')::date, 'frames_read', 347 FROM made""",
        site.user_id,
    )
    await page.goto(f"{site.address}/ui/settings/usage")
    days = page.get_by_role("region", name="By day")
    owner = page.locator("label", has_text="Night shift").locator("select")
    await expect(owner).to_have_value("")
    await owner.select_option("Night shift")
    await expect(days).to_contain_text("347")
    await owner.select_option("Yourself")
    await expect(days).not_to_contain_text("347")


@pytest.mark.req(1146, 1147)
async def test_a_person_makes_an_export_asks_for_erasure_and_keeps_the_account(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}/ui/settings/data")
    export = page.get_by_role("region", name="Export")
    await export.get_by_role("button", name="Make export").click()
    await expect(export).to_contain_text("Ready", timeout=60_000)
    async with page.expect_download() as download:
        await export.get_by_role("button", name="Download").click()
    assert (await download.value).suggested_filename.startswith("my-data-")
    erase = page.get_by_role("region", name="Erase account")
    button = erase.get_by_role("button", name="Erase account")
    await expect(button).to_be_disabled()
    field = erase.get_by_role("textbox")
    label = await erase.locator("label").inner_text()
    await field.fill(label.removeprefix("Type ").removesuffix(" to confirm"))
    await button.click()
    await expect(erase).to_contain_text("Your account will be erased on")
    await erase.get_by_role("button", name="Keep account").click()
    await expect(page.get_by_text("The erasure was cancelled.")).to_be_visible()
    await expect(button).to_be_visible()


@pytest.mark.req(1144)
@pytest.mark.parametrize("part", ["usage", "data"])
async def test_both_are_accessible_and_fit_a_phone(site: Site, page: "Page", part: str) -> None:
    await page.goto(f"{site.address}/ui/settings/{part}")
    await page.wait_for_selector(".settings-part .card")
    await check_every_look(page)


@pytest.mark.req(1173)
async def test_an_operator_exports_a_person_and_requests_and_cancels_the_erasure(
    site: Site, page: "Page", database: asyncpg.Connection
) -> None:
    await database.execute(
        """INSERT INTO caller_memberships (user_id, team_ids, issued_at, expires_at, name)
           VALUES ($1, '{}', now(), now() + interval '1 hour', 'leaving@example.com')""",
        uuid4(),
    )
    await page.goto(f"{site.address}/ui/settings/people")
    await page.get_by_role("button", name="Export or erase: leaving@example.com").click()
    dialog = page.get_by_role("dialog", name="Data of leaving@example.com")
    export = dialog.get_by_role("region", name="Export")
    await expect(export).to_contain_text("stored about leaving@example.com")
    await export.get_by_role("button", name="Make export").click()
    await expect(export).to_contain_text("Ready", timeout=60_000)
    async with page.expect_download() as download:
        await export.get_by_role("button", name="Download").click()
    assert (await download.value).suggested_filename.endswith(".zip")
    erase = dialog.get_by_role("region", name="Erase account")
    button = erase.get_by_role("button", name="Erase account")
    field = erase.get_by_label("Type leaving@example.com to confirm")
    await field.fill("leaving")
    await expect(button).to_be_disabled()
    await field.fill("leaving@example.com")
    await button.click()
    await expect(erase).to_contain_text("The account of leaving@example.com will be erased on")
    await check_every_look(page)
    await erase.get_by_role("button", name="Keep account").click()
    await expect(erase).to_contain_text("Everything that is stored about leaving@example.com goes")
    actions = "SELECT DISTINCT action FROM audit_log WHERE action LIKE 'person.%requested'"
    assert {row["action"] for row in await database.fetch(actions)} >= {
        "person.export_requested",
        "person.erasure_requested",
    }
