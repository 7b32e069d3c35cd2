"""Description and tags of a video, edited where they are shown; in a real browser."""

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from support.browser import ON_ITS_LOOP
from support.page_site import DESK, Site, check_every_look

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]


async def started_video(owner: Site, name: str, **details: object) -> str:
    video_id = str((await owner.ask("POST", "/videos", json={"totalSize": 10, "filename": name}))["videoId"])
    if details:
        await owner.ask("PATCH", f"/videos/{video_id}", json=details)
    return video_id


@pytest.mark.req(801)
async def test_description_and_tags_are_edited_in_place_and_tags_of_other_videos_are_suggested(
    closed: Site, page: "Page"
) -> None:
    owner = closed.user()
    await started_video(owner, "other.mp4", tags=["Lectures", "legal"])
    video_id = await started_video(owner, "mine.mp4")
    await owner.let_in(page)
    await page.set_viewport_size(DESK)
    await page.goto(f"{owner.address}/ui/videos/{video_id}")
    about = page.get_by_role("region", name="About this video")
    await about.get_by_role("button", name="Add description and tags").click()
    await about.get_by_label("Description").fill("The second lecture.\nWith questions.")
    tags = about.get_by_role("combobox", name="Tags")
    await tags.press_sequentially("lec")
    await expect(about.get_by_role("option")).to_have_text(["Lectures1 video"])
    await tags.press("ArrowDown")
    await tags.press("Enter")
    await tags.press_sequentially("autumn 2026,")
    await tags.press_sequentially("AUTUMN 2026,")  # is there already
    await tags.press_sequentially("wrong,")
    chips = about.get_by_role("list", name="Tags").get_by_role("listitem")
    await expect(chips).to_have_text(["Lectures", "autumn 2026", "wrong"])
    await about.get_by_role("button", name="Remove tag “wrong”").click()
    await tags.press_sequentially("not confirmed")
    await check_every_look(page)
    await page.set_viewport_size(DESK)
    await about.get_by_role("button", name="Save").click()
    await expect(about.get_by_role("listitem")).to_have_text(["Lectures", "autumn 2026", "not confirmed"])
    await expect(about.get_by_role("button", name="Edit description and tags")).to_be_focused()
    stored = await owner.ask("GET", f"/videos/{video_id}")
    assert stored["description"] == "The second lecture.\nWith questions."
    assert stored["tags"] == ["Lectures", "autumn 2026", "not confirmed"]
    await check_every_look(page)
    await about.get_by_role("link", name="autumn 2026").click()
    await expect(page).to_have_url(re.compile(r"/ui/search\?q=tag%3A%22autumn(%20|\+)2026%22$"))


@pytest.mark.req(801)
async def test_what_is_cancelled_or_refused_is_not_stored(closed: Site, page: "Page") -> None:
    owner = closed.user()
    video_id = await started_video(owner, "mine.mp4", description="As it was.", tags=["kept"])
    await owner.let_in(page)
    await page.set_viewport_size(DESK)
    await page.goto(f"{owner.address}/ui/videos/{video_id}")
    about = page.get_by_role("region", name="About this video")
    await about.get_by_role("button", name="Edit description and tags").click()
    tags = about.get_by_role("combobox", name="Tags")
    await about.get_by_label("Description").fill("Something else.")
    await tags.press("Backspace")
    await expect(about.get_by_role("listitem")).to_have_count(0)
    await tags.press("Escape")
    await expect(about.get_by_text("As it was.")).to_be_visible()
    await expect(about.get_by_role("listitem")).to_have_text(["kept"])
    await about.get_by_role("button", name="Edit description and tags").click()
    for number in range(30):
        await tags.fill(f"tag {number}")
        await tags.press("Enter")
    await about.get_by_role("button", name="Save").click()
    await expect(about.get_by_text("at most 30")).to_be_visible()
    stored = await owner.ask("GET", f"/videos/{video_id}")
    assert (stored["description"], stored["tags"]) == ("As it was.", ["kept"])
