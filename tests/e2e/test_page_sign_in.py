"""The page of a platform that wants to know who asks: the token is asked for once, and goes along with everything."""

from typing import TYPE_CHECKING

from support.browser import ON_ITS_LOOP
from support.page_site import Site, check_accessible

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]


async def sign_in(page: "Page", site: Site) -> None:
    await page.goto(site.address)
    await page.get_by_role("dialog").get_by_label("Access token").fill(str(site.token))
    await page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    await page.locator(".connection.live").wait_for()


async def test_a_token_is_asked_for_and_opens_the_sample_of_a_first_visit_pictures_stream_and_live_feed(
    closed: Site, page: "Page"
) -> None:
    await page.goto(closed.address)
    await page.get_by_role("dialog").get_by_label("Access token").wait_for()
    await check_accessible(page)
    await sign_in(page, closed.user())
    sample = page.get_by_role("button", name="Try a sample video")
    await sample.wait_for()
    await check_accessible(page)
    await sample.click()
    row = page.locator(".video-row").filter(has_text="sightline-sample.mp4")
    await row.locator(".badge", has_text="Ready").wait_for()
    await row.locator("img[src^='blob:']").wait_for()
    await row.locator("h2 a").click()
    await page.locator(".text-row", has_text="Welcome to Sightline").click()
    await page.locator(".text-row.now").first.wait_for()  # a picture was seen: the stream plays


async def test_another_user_sees_nothing_of_it(closed: Site, page: "Page") -> None:
    video = {"totalSize": 1000, "filename": "of another user.mp4"}
    await closed.user().ask("POST", "/videos", json=video)
    await sign_in(page, closed.user())
    await page.get_by_text("No videos yet").wait_for()
    await page.goto(f"{closed.address}/ui/jobs")
    await page.get_by_text("Only operators can see").first.wait_for()


async def test_a_token_that_does_not_hold_is_asked_for_again(closed: Site, page: "Page") -> None:
    await page.goto(closed.address)
    await page.get_by_role("dialog").get_by_label("Access token").fill("nonsense")
    await page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    await page.get_by_role("alert").get_by_text("Invalid or expired token").wait_for()
    await page.get_by_role("dialog").get_by_label("Access token").wait_for()
