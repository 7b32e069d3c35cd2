"""Cameras, zones and alert rules in the page, and all of the events' parts on a phone and for screen readers."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from support.browser import ON_ITS_LOOP
from support.camera_watch import somebody_at
from support.page_site import Site, check_accessible, check_every_look

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]


async def test_a_camera_gets_a_zone_and_a_rule_that_is_tried_on_what_happened(site: Site, page: "Page") -> None:
    event = await somebody_at(site, "Porch")
    await page.goto(f"{site.address}/ui/events/cameras")
    await page.get_by_role("button", name="Add camera").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("Back Door")
    await dialog.get_by_label("Time zone").fill("Mars/Olympus")
    await dialog.get_by_role("button", name="Add camera").click()
    await dialog.get_by_text("there is no time zone 'Mars/Olympus'").wait_for()
    assert await dialog.get_by_label("Time zone").get_attribute("aria-invalid") == "true"
    await dialog.get_by_label("Time zone").fill("Europe/Berlin")
    await dialog.get_by_role("button", name="Add camera").click()
    card = page.get_by_role("listitem").filter(has_text="back_door")
    await card.get_by_role("button", name="Zones").click()
    await dialog.get_by_label("Name").fill("Steps")
    await dialog.get_by_role("button", name="Add zone").click()
    await dialog.get_by_role("button", name="Remove zone Steps").wait_for()
    assert len((await site.ask("GET", "/api/cameras/back_door"))["zones"]) == 1

    await page.goto(f"{site.address}/ui/events/rules")
    await page.get_by_role("button", name="Add rule").click()
    await dialog.get_by_label("Name").fill("Anybody at the porch")
    await dialog.get_by_label("Minimum risk score").fill("10")
    await dialog.get_by_role("checkbox", name="Porch").check()
    await dialog.get_by_role("button", name="Add rule").click()
    rule = page.get_by_role("listitem").filter(has_text="Anybody at the porch")
    await rule.get_by_text("risk 10 or higher · cameras: Porch").wait_for()
    await rule.get_by_role("button", name="Test").click()
    await dialog.get_by_role("heading", name="1 event would have alerted you").wait_for()
    await dialog.get_by_role("link", name=event["summary"]).wait_for()
    await page.keyboard.press("Escape")
    await rule.get_by_role("button", name="Turn off").click()
    await rule.get_by_text("Off", exact=True).wait_for()
    await rule.get_by_role("button", name="Remove “Anybody at the porch”").click()
    await dialog.get_by_role("button", name="Remove", exact=True).click()
    await page.get_by_role("heading", name="No alert rules yet").wait_for()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def anything(site: Site) -> AsyncIterator[int]:
    """Something to see in every part; the id of a critical event."""
    await somebody_at(site, "A camera with quite a long name beside the loading ramp")
    await site.ask("POST", "/api/alert-rules", json={"name": "Night", "conditions": {"risk_threshold": 50}})
    event = await somebody_at(site, "Safe", critical=True)
    yield int(event["id"])
    # Other tests of the page are about the only critical event that waits.
    await site.ask("PATCH", f"/api/events/{event['id']}/acknowledge")


@pytest.mark.parametrize("part", ["", "/{id}", "/cameras", "/rules"])
async def test_each_part_is_accessible_and_fits_a_phone(site: Site, page: "Page", anything: int, part: str) -> None:
    await page.goto(f"{site.address}/ui/events{part.format(id=anything)}")
    await page.get_by_role("listitem").first.wait_for()
    await page.wait_for_selector("main .loading", state="detached")
    if part == "":
        await page.keyboard.press("j")
        await page.keyboard.press("x")
        await page.get_by_role("button", name="Resolve 1…").wait_for()
    await check_every_look(page)


async def test_the_dialog_that_asks_for_a_note_is_accessible(site: Site, page: "Page", anything: int) -> None:
    await page.goto(f"{site.address}/ui/events/{anything}")
    await page.get_by_role("region", name="Event details").get_by_role("button", name="Resolve…").click()
    await page.get_by_label("Resolution note").wait_for()
    await check_accessible(page)
