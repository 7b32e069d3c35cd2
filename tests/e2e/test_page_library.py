"""The library of videos: select, tag, collect, delete and restore. The videos are rows alone: nothing is processed for it."""

import re
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import asyncpg
import pytest
from playwright.async_api import expect

from support.browser import ON_ITS_LOOP
from support.console import ConsoleErrors
from support.page_site import DESK, Site, check_every_look
from support.platform_process import database_url
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Page, Route

pytestmark = [ON_ITS_LOOP]

NAMES = ("alpha.mp4", "beta.mp4", "gamma.mp4", "delta.mp4")
ADD = """
    INSERT INTO videos (owner_id, name, duration_ms, created_at)
    SELECT $1, name, 1000 * place, now() - place * interval '1 hour'
    FROM unnest($2::text[]) WITH ORDINALITY AS given (name, place)
"""


async def add_videos(site: Site, owner: UUID) -> None:
    connection = await asyncpg.connect(await database_url(site.state))
    try:
        async with connection.transaction():
            await connection.execute("SET LOCAL sightline.writer = 'platform'")
            await connection.execute(ADD, owner, list(NAMES))
            await connection.execute("SET LOCAL session_replication_role = replica")  # past the guard of status moves
            await connection.execute("UPDATE videos SET status = 'COMPLETED' WHERE owner_id = $1", owner)
    finally:
        await connection.close()


async def open_library(closed: Site, page: "Page") -> Site:
    user = closed.user()
    await add_videos(closed, user.user_id)
    await user.let_in(page)
    await page.goto(f"{closed.address}/ui/videos")
    await page.locator(".video-card").first.wait_for()
    return user


async def shown(page: "Page", names: list[str]) -> None:
    await expect(page.locator(".video-card h2")).to_have_text(names)


@pytest.mark.req(964)
async def test_videos_are_found_by_name_sorted_and_filtered_by_the_address(closed: Site, page: "Page") -> None:
    user = await open_library(closed, page)
    await shown(page, list(NAMES))
    await page.get_by_label("Sort by").select_option("Longest")
    await shown(page, list(reversed(NAMES)))
    await page.get_by_label("Sort by").select_option("Name")
    await shown(page, sorted(NAMES))
    await page.get_by_label("Find by name, tag or description").fill("gam")
    await shown(page, ["gamma.mp4"])
    assert page.url.endswith("/ui/videos?sort=name&q=gam")
    await page.get_by_label("Find by name, tag or description").fill("nothing like it")
    await page.get_by_role("button", name="Clear filters").click()
    await shown(page, sorted(NAMES))
    video_id = (await user.ask("GET", "/videos"))["videos"][0]["videoId"]
    await user.ask("PATCH", f"/videos/{video_id}", json={"tags": ["harbour"]})
    await page.reload()
    await page.get_by_role("button", name="Show videos with tag harbour").click()
    await shown(page, ["alpha.mp4"])
    await check_every_look(page)


@pytest.mark.req(965)
async def test_videos_are_selected_with_keys_tagged_and_collected(closed: Site, page: "Page") -> None:
    user = await open_library(closed, page)
    await page.keyboard.press("j")
    await expect(page.get_by_role("link", name="alpha.mp4")).to_be_focused()
    await page.keyboard.press("x")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("X")
    bar = page.get_by_role("group", name="3 selected")
    await bar.get_by_role("button", name="Add tags").click()
    await page.get_by_role("dialog").get_by_label("Tags").fill("first, second")
    await page.get_by_role("dialog").get_by_role("button", name="Add tags").click()
    await page.get_by_text("Tags added to 3 videos.").wait_for()
    tags = [video["tags"] for video in (await user.ask("GET", "/videos"))["videos"]]
    assert tags == [["first", "second"]] * 3 + [[]]
    await bar.get_by_role("button", name="Add to collection").click()
    await page.get_by_role("button", name="New collection").click()
    await page.get_by_label("Name of the collection").fill("Talks")
    await page.get_by_role("button", name="Create").click()
    await page.get_by_text("3 videos added to Talks.").wait_for()
    await expect(page.locator(".bulk-bar")).to_have_count(0)
    await page.get_by_role("link", name="Collections").click()
    await page.get_by_role("link", name="Talks").click()
    await page.get_by_role("heading", name="Talks").wait_for()
    await shown(page, ["alpha.mp4", "beta.mp4", "gamma.mp4"])
    await page.get_by_label("Select beta.mp4").check()
    await page.get_by_role("button", name="Remove from collection").click()
    await shown(page, ["alpha.mp4", "gamma.mp4"])
    await page.keyboard.press("?")
    await page.get_by_role("dialog").get_by_text("Select all loaded videos").wait_for()


@pytest.mark.req(966)
async def test_a_deleted_video_comes_back_by_undo_and_from_the_trash(closed: Site, page: "Page") -> None:
    errors = ConsoleErrors(page.context)
    await open_library(closed, page)
    await page.get_by_label("Select alpha.mp4").check()
    await page.get_by_label("Select gamma.mp4").check()
    await page.get_by_role("button", name="Move to trash").click()
    await page.get_by_text("2 videos moved to the trash.").wait_for()
    await shown(page, ["beta.mp4", "delta.mp4"])
    await page.get_by_role("button", name="Undo").click()
    await shown(page, list(NAMES))
    await page.get_by_label("Actions for beta.mp4").click()
    await page.get_by_role("button", name="Move to trash").click()
    await shown(page, ["alpha.mp4", "gamma.mp4", "delta.mp4"])
    await page.reload()  # the grace period is not the page's
    await page.get_by_role("link", name="Trash").click()
    await expect(page.locator(".trash-row")).to_contain_text("Deleted for good in 7 days")
    await check_every_look(page)
    await page.set_viewport_size(DESK)
    await page.get_by_role("button", name="Restore: beta.mp4").click()
    await page.get_by_role("heading", name="The trash is empty").wait_for()
    await page.get_by_role("link", name="Videos", exact=True).last.click()
    await shown(page, list(NAMES))
    await page.get_by_label("Actions for delta.mp4").click()
    await page.get_by_role("button", name="Move to trash").click()
    await page.get_by_role("link", name="Trash").click()
    await page.get_by_role("button", name="Delete for good: delta.mp4").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete for good").click()
    await page.get_by_text("1 video deleted for good.").wait_for()
    await page.get_by_role("heading", name="The trash is empty").wait_for()
    errors.check()


@pytest.mark.req(965)
async def test_a_video_is_renamed_and_described_in_the_grid(closed: Site, page: "Page") -> None:
    user = await open_library(closed, page)
    await page.get_by_label("Actions for beta.mp4").click()
    await page.get_by_role("button", name="Edit details").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Tags").fill('a "quoted" one')
    await dialog.get_by_role("button", name="Save").click()
    await dialog.get_by_text("use no quotation marks").wait_for()
    await dialog.get_by_label("Name").fill("Lecture 2")
    await dialog.get_by_label("Description").fill("About boats.")
    await dialog.get_by_label("Tags").fill("boats, 2026")
    await dialog.get_by_role("button", name="Save").click()
    await page.get_by_role("link", name="Lecture 2").wait_for()
    found = (await user.ask("GET", "/videos", params={"q": "lecture"}))["videos"]
    assert [(video["description"], video["tags"]) for video in found] == [("About boats.", ["boats", "2026"])]


@pytest.mark.req(967)
async def test_uploads_go_on_over_pages_with_their_progress_in_the_title_and_fold_away(
    closed: Site, page: "Page", tmp_path: Path
) -> None:
    user = closed.user()
    plain = await page.context.new_page()  # in which timers run: cards fold
    await user.let_in(plain)
    film = tmp_path / "broken.mp4"
    film.write_bytes(b"no film" * 1000)
    held: list[Route] = []

    async def hold(route: "Route") -> None:
        held.append(route)

    async def is_held() -> bool:
        return len(held) == 1

    await plain.route(re.compile(r"/objects/.*partNumber="), hold)
    await plain.goto(f"{closed.address}/ui/videos")
    await plain.locator("header.head input[type=file]").set_input_files(film)
    await expect(plain).to_have_title("0% · Videos · Sightline")
    await plain.get_by_role("link", name="Search").click()
    await expect(plain).to_have_title("0% · Search · Sightline")
    dock = plain.locator(".upload-dock")
    await expect(dock).to_contain_text("Uploading 1 video")
    await until(is_held)
    await held[0].continue_()
    await expect(plain).to_have_title("Search · Sightline")
    await expect(dock).to_have_count(0)
    await plain.go_back()
    await plain.locator(".video-card", has_text="broken.mp4").wait_for()
    await expect(plain.locator(".uploads")).to_have_count(0)
