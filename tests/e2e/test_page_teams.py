"""Teams in the browser: made, joined by a link, filled with videos, and left."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from support.browser import ON_ITS_LOOP, new_context
from support.page_site import Site, check_every_look

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [ON_ITS_LOOP]

DESK: Any = {"width": 1280, "height": 800}


async def look(page: "Page", name: str) -> None:
    """A picture for people, where a folder for pictures is named."""
    if folder := os.environ.get("LOOK_AT"):
        await page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.mark.req(1069)
async def test_a_team_is_made_joined_by_link_and_has_videos(closed: Site, page: "Page", chromium: "Browser") -> None:
    olga = closed.user(email="olga@example.com")
    edda = closed.user(email="edda@example.com")
    await olga.ask("POST", "/videos", json={"totalSize": 1000, "filename": "gate.mp4"})
    await olga.let_in(page)
    await page.goto(f"{closed.address}/ui/settings/teams")
    await page.get_by_text("No teams yet").wait_for()
    await page.get_by_label("Name", exact=True).fill("Night shift")
    await page.get_by_role("button", name="Create team").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_text("olga@example.com").wait_for()
    await dialog.get_by_label("Role", exact=True).select_option("editor")
    await dialog.get_by_role("button", name="Create link").click()
    link = await dialog.get_by_label("Invitation link").input_value()
    await look(page, "team")
    await check_every_look(page)
    await page.set_viewport_size(DESK)
    async with new_context(chromium) as context:
        other = await context.new_page()
        await edda.let_in(other)
        await other.goto(link)
        await other.get_by_text("You are invited as Editor.").wait_for()
        assert "#" not in other.url
        await look(other, "join")
        await other.get_by_role("button", name="Join team").click()
        await other.get_by_role("list", name="Your teams").get_by_text("Night shift", exact=True).wait_for()
        await other.goto(f"{closed.address}/ui/videos")
        await expect(other.get_by_role("link", name="gate.mp4")).to_have_count(0)

        await page.goto(f"{closed.address}/ui/videos")
        await page.get_by_role("checkbox", name="Select gate.mp4").check()
        await look(page, "selected")
        await page.get_by_role("button", name="Move to team").click()
        await page.get_by_role("dialog").get_by_role("button", name="Night shift").click()
        await page.get_by_text("1 video moved.").wait_for()
        await page.get_by_role("button", name="Night shift", exact=True).click()
        await page.get_by_text("Uploads go to Night shift.").wait_for()
        await look(page, "filtered")
        await other.get_by_role("link", name="gate.mp4").wait_for()  # by the live feed, without a reload

        await page.goto(f"{closed.address}/ui/settings/teams")
        await page.get_by_role("button", name="Manage Night shift").click()
        await page.get_by_label("Role of edda@example.com").select_option("viewer")
        await page.get_by_text("Role of edda@example.com changed.").wait_for()
        await page.get_by_role("button", name="Remove edda@example.com").click()
        await (
            page.get_by_role("dialog", name="Remove edda@example.com").get_by_role("button", name="Remove").last.click()
        )
        await page.get_by_text("Member removed.").wait_for()
        await other.reload()
        await expect(other.get_by_role("link", name="gate.mp4")).to_have_count(0)


@pytest.mark.req(1069)
async def test_teams_fit_a_phone_in_four_languages(closed: Site, chromium: "Browser") -> None:
    olga = closed.user(email="olga.with.a.rather.long.name@example.com")
    team = await olga.ask("POST", "/api/teams", json={"name": "Nachtschicht am Werkstor im Südwesten der Stadt"})
    for locale in ("en", "pt", "es", "de"):
        async with new_context(chromium, locale=locale, viewport={"width": 360, "height": 740}) as context:
            phone = await context.new_page()
            await olga.let_in(phone)
            await phone.goto(f"{closed.address}/ui/settings/teams")
            await phone.get_by_role("button", name=team["name"]).click()
            await phone.get_by_role("dialog").get_by_text("olga.with").wait_for()
            await look(phone, f"phone-{locale}")
            assert await phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert await phone.evaluate("(d => d.scrollWidth <= d.clientWidth)(document.querySelector('dialog'))")


@pytest.mark.req(1066)
async def test_an_operator_makes_another_one(closed: Site, page: "Page") -> None:
    ben = closed.user(email="ben.who.becomes@example.com")
    await ben.ask("GET", "/api/me")
    operator = closed.user(is_operator=True, email="opa.of.ben@example.com")
    await operator.let_in(page)
    await page.goto(f"{closed.address}/ui/settings/people")
    row = page.get_by_role("listitem").filter(has_text="ben.who.becomes@example.com")
    await row.get_by_role("button", name="Make operator").click()
    await row.get_by_role("button", name="Take operator role").wait_for()
    await expect(
        page.get_by_role("listitem")
        .filter(has_text="opa.of.ben@example.com")
        .get_by_text("The identity provider sets this role")
    ).to_be_visible()
    assert (await ben.ask("GET", "/api/me"))["is_operator"] is True


@pytest.mark.req(1069)
async def test_without_sign_in_the_page_says_why_there_are_no_teams(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}/ui/settings/teams")
    await expect(page.get_by_text("Teams need several people.")).to_be_visible()
    await expect(page.get_by_role("button", name="Create team")).to_have_count(0)
