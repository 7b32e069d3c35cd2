"""API keys in the page: created with the key shown once, listed with their last use, revoked."""

from typing import TYPE_CHECKING

import pytest

from support.browser import ON_ITS_LOOP
from support.page_site import Site, check_accessible
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]


@pytest.mark.req(363)
async def test_a_key_is_shown_once_works_and_is_revoked(closed: Site, page: "Page") -> None:
    user = closed.user()
    await user.let_in(page)
    await page.goto(closed.address)
    await page.get_by_role("link", name="Settings").click()
    await page.get_by_role("link", name="API keys").click()
    dialog = page.get_by_role("main")
    await dialog.get_by_text("No API keys").wait_for()
    await check_accessible(page)
    await dialog.get_by_label("Name").fill("front door")
    await dialog.get_by_label("videos:read").check()
    await dialog.get_by_role("button", name="Create key").click()
    text = await dialog.get_by_label("API key", exact=True).input_value()
    assert text.startswith("slk_")
    await check_accessible(page)
    with_key = {"authorization": f"Bearer {text}"}
    assert (await closed.client.get("/videos", headers=with_key)).status_code == 200
    await dialog.get_by_role("button", name="Done").click()
    row = dialog.get_by_role("listitem").filter(has_text="front door")
    await row.get_by_text("videos:read").wait_for()
    assert text not in await page.content()
    await row.get_by_role("button", name="Revoke front door").click()
    await page.get_by_role("button", name="Revoke", exact=True).click()
    await dialog.get_by_text("No API keys").wait_for()

    async def is_refused() -> bool:
        return (await closed.client.get("/videos", headers=with_key)).status_code == 401

    await until(is_refused)
