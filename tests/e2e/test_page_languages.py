"""Languages of text on screen in the settings: what is installed, what can be added, and that nothing is downloaded by looking."""

from typing import TYPE_CHECKING

import pytest

from support.browser import ON_ITS_LOOP
from support.page_site import Site, check_accessible

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]


@pytest.mark.req(441, 445)
async def test_installed_languages_are_listed_with_those_that_can_be_added(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}/ui/settings/reading")
    dialog = page.get_by_role("main")
    installed = dialog.get_by_role("list", name="Installed languages").get_by_role("listitem")
    await installed.filter(has_text="English").filter(has_text="Used for new videos").wait_for()
    await installed.filter(has_text="German").filter(has_text="Installed with Sightline").wait_for()
    add = dialog.get_by_role("button", name="Add", exact=True)
    assert await add.is_disabled()
    await dialog.get_by_label("Add a language").select_option("por")
    await dialog.get_by_text("Download: 8.1 MB").wait_for()
    assert await add.is_enabled()
    await check_accessible(page)
    assert (await site.ask("GET", "/api/languages"))["additions"] == []
