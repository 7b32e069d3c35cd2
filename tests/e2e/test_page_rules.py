"""Alert rules in the page, and all of the events' parts on a phone and for screen readers."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
import pytest_asyncio

from support.browser import ON_ITS_LOOP
from support.camera_watch import somebody_at
from support.page_site import Site, check_accessible, check_every_look

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]


async def test_a_rule_is_tried_on_what_happened(site: Site, page: "Page") -> None:
    event = await somebody_at(site, "Porch")
    await page.goto(f"{site.address}/ui/events/rules")
    await page.get_by_role("button", name="Add rule").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name", exact=True).fill("Anybody at the porch")
    await dialog.get_by_label("Minimum risk score").fill("10")
    await dialog.get_by_role("group", name="Cameras").get_by_role("checkbox", name="Porch", exact=True).check()
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


@pytest.mark.req(672)
async def test_a_rule_of_a_team_escalates_to_a_person_and_is_snoozed(closed: Site, page: "Page") -> None:
    team = str(uuid4())
    mate = closed.user(email="mate@example.com", team_ids=[team])
    await mate.ask("GET", "/api/me")  # members are known once they were here
    owner = closed.user(email="owner@example.com", team_ids=[team])
    await owner.let_in(page)
    await page.goto(f"{owner.address}/ui/events/rules")
    await page.get_by_role("button", name="Add rule").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name", exact=True).fill("Night watch")
    await dialog.get_by_label("Watches").select_option("my cameras and those of my team (mate@example.com)")
    for _ in range(2):
        await dialog.get_by_role("button", name="Add step").click()
    await dialog.get_by_role("combobox", name="Person").nth(1).select_option("mate@example.com")
    await dialog.get_by_role("button", name="Add rule").click()
    rule = page.get_by_role("listitem").filter(has_text="Night watch")
    await rule.get_by_text("Snooze", exact=True).click()
    await rule.get_by_role("button", name="24 hours").click()
    await rule.get_by_text("Snoozed until").wait_for()
    (stored,) = (await owner.ask("GET", "/api/alert-rules"))["rules"]
    assert stored["team_id"] == team
    assert [step["user_id"] for step in stored["escalation"]] == [None, str(mate.user_id)]
    assert stored["snoozed_until"] is not None
    await rule.get_by_role("button", name="End snooze").click()
    await rule.get_by_text("Snooze", exact=True).wait_for()
    (stored,) = (await owner.ask("GET", "/api/alert-rules"))["rules"]
    assert stored["snoozed_until"] is None


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def anything(site: Site) -> AsyncIterator[int]:
    """Something to see in every part; the id of a critical event."""
    await somebody_at(site, "A camera with quite a long name beside the loading ramp")
    await site.ask("POST", "/api/alert-rules", json={"name": "Night", "conditions": {"risk_threshold": 50}})
    event = await somebody_at(site, "Safe", critical=True)
    yield int(event["id"])
    # Other tests of the page are about the only critical event that waits.
    await site.ask("PATCH", f"/api/events/{event['id']}/acknowledge")


@pytest.mark.parametrize("part", ["", "/{id}", "/rules"])
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
