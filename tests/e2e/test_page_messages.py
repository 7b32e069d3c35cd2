"""The page of messages: written and followed in the log, scheduled, chosen by preference, and the mails as they are read."""

from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from support.browser import ON_ITS_LOOP
from support.page_site import Site, check_every_look

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]


async def test_a_composed_message_is_followed_in_the_log_to_its_end(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}/ui/messages/compose")
    await page.get_by_label("Title").fill("Backup")
    await page.get_by_label("Message", exact=True).fill("It is done.")
    await page.get_by_label("Type").fill("not allowed!")
    await page.get_by_role("button", name="Send").click()
    # What the API says stands at the field that it is about, and that is where one goes on.
    wrong = page.get_by_label("Type")
    await page.locator(".field", has=wrong).get_by_text("String should match pattern").wait_for()
    assert await wrong.get_attribute("aria-invalid") == "true"
    await wrong.fill("backup.done")
    await page.get_by_role("button", name="Send").click()
    await page.wait_for_url("**/ui/messages/log/*")
    opened = page.get_by_role("region", name="Message details")
    await opened.get_by_text("Delivered").first.wait_for()
    await opened.get_by_text('"message": "It is done."').wait_for()
    message = (await site.ask("GET", "/api/messages?message_type=backup.done"))["messages"][0]
    await opened.get_by_text(message["correlation_id"]).wait_for()
    assert page.url.endswith(message["message_id"])
    row = page.get_by_role("listitem").filter(has_text="backup.done")
    await row.filter(has_text="Delivered").wait_for()


async def test_a_failed_message_says_why_and_is_tried_again(site: Site, page: "Page") -> None:
    body = {"message_type": "hook", "payload": {"title": "To nobody"}, "channel": "webhook"}
    made = await site.ask("POST", "/api/messages", json=body | {"target": "https://127.0.0.1:1/nothing"})
    address = f"/api/messages/{made['message_id']}"
    await site.ask_until(address, lambda found: found["status"] == "failed")
    await page.goto(f"{site.address}/ui/messages?status=failed")
    await page.get_by_role("listitem").filter(has_text="To nobody").get_by_role("link").click()
    opened = page.get_by_role("region", name="Message details")
    await opened.get_by_text("which is not a public address").first.wait_for()
    await opened.get_by_role("button", name="Retry").click()
    await page.get_by_text("Retrying…").wait_for()
    await site.ask_until(address, lambda found: found["status"] == "failed" and found["retry_count"] >= 2)
    await opened.get_by_role("listitem").filter(has_text="Pending by operator").wait_for()


async def test_a_schedule_is_made_paused_resumed_and_deleted(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}/ui/messages/schedules")
    await page.get_by_role("button", name="New schedule").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("nightly-report")
    await dialog.get_by_label("Schedule").fill("every night")
    await dialog.get_by_label("Time zone").fill("America/Sao_Paulo")
    await dialog.get_by_role("button", name="Create").click()
    await dialog.locator("[aria-invalid='true']").wait_for()
    assert await dialog.get_by_label("Schedule").get_attribute("aria-invalid") == "true"
    await dialog.get_by_role("button", name="Weekdays at 9:00").click()
    await dialog.get_by_role("button", name="Create").click()
    card = page.get_by_role("listitem").filter(has_text="nightly-report")
    await card.get_by_text("Active").wait_for()
    await card.get_by_text("Next run:").wait_for()
    schedule = await schedule_named(site, "nightly-report")
    assert (schedule["expression"], schedule["zone"]) == ("cron(0 9 ? * MON-FRI *)", "America/Sao_Paulo")
    assert schedule["next_tick"] == await card.locator("time").first.get_attribute("datetime")
    await card.get_by_role("button", name="Pause").click()
    await card.get_by_text("Paused").wait_for()
    assert (await schedule_named(site, "nightly-report"))["state"] == "paused"
    await card.get_by_role("button", name="Resume").click()
    await card.get_by_text("Active").wait_for()
    assert (await schedule_named(site, "nightly-report"))["state"] == "active"
    await card.get_by_role("button", name="Delete nightly-report").click()
    await dialog.get_by_role("button", name="Delete", exact=True).click()
    await card.wait_for(state="detached")


async def schedule_named(site: Site, name: str) -> dict[str, Any]:
    found = (await site.ask("GET", "/api/schedules"))["schedules"]
    return next(one for one in found if one["name"] == name)


@pytest.mark.req(673)
async def test_preferences_are_kept_and_what_is_wrong_is_told(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}/ui/messages/preferences")
    assert await page.get_by_label("Webhook: Video failed").is_disabled()
    await page.get_by_label("Webhook URL").fill("https://hooks.example.com/x")
    await page.get_by_label("Webhook: Video failed").check()
    await page.get_by_label("Email address").fill("nobody")
    await page.get_by_label("Mute notifications during quiet hours").check()
    await page.get_by_label("Critical notifications are sent in quiet hours too").uncheck()
    await page.get_by_role("button", name="Save").click()
    wrong = page.get_by_label("Email address")
    await page.locator("input[aria-invalid='true']").wait_for()
    assert await wrong.get_attribute("aria-invalid") == "true"
    await wrong.fill("ana@example.com")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_text("Preferences saved.", exact=True).wait_for()
    kept = (await site.ask("GET", "/api/notification-preferences"))["preferences"]
    assert kept["events"] == {"video_failed": ["ntfy", "webhook"]}
    assert kept["email"] == "ana@example.com"
    assert kept["quiet_hours"]["start"].startswith("22:00")
    assert kept["quiet_hours"]["lets_critical"] is False
    await page.reload()
    assert await page.get_by_label("Webhook: Video failed").is_checked()
    await page.get_by_role("button", name="Reset to default: Video failed").click()
    await page.get_by_label("Language of emails and notifications").select_option("de")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_text("Preferences saved.", exact=True).wait_for()
    assert (await site.ask("GET", "/api/notification-preferences"))["preferences"]["events"] == {}
    assert (await site.ask("GET", "/api/notification-preferences"))["preferences"]["language"] == "de"
    await page.get_by_label("Language of emails and notifications").select_option("")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_role("button", name="Save", disabled=True).wait_for()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def mail(site: Site) -> dict[str, Any]:
    """The mail that the owner of a video gets which is none."""
    content = b"this is not a video"
    body = {"totalSize": len(content), "filename": "<b>aula</b>.mp4", "extension": "mp4", "duration": 1000}
    video = (await site.ask("POST", "/videos", json=body))["videoId"]
    part = (await site.ask("GET", f"/videos/{video}/upload-urls"))["urls"][0]
    named = {"parts": [{"part": 1, "etag": await site.put(part["url"], content)}]}
    await site.ask("POST", f"/videos/{video}/complete", json=named)
    sent = {"video_id": video, "status": "kept"}
    answer = await site.ask_until("/api/mails", lambda found: bool(found["mails"]), within_s=60, params=sent)
    found: dict[str, Any] = answer["mails"][0]
    return found


async def test_a_mail_is_read_as_it_was_sent_and_nothing_in_it_can_run(
    site: Site, page: "Page", mail: dict[str, Any]
) -> None:
    await page.goto(f"{site.address}/ui/messages/mails?template=VideoFalhou")
    await page.get_by_role("listitem").filter(has_text=mail["subject"]).get_by_role("link").click()
    await page.wait_for_url(f"**/ui/messages/mails/{mail['mail_id']}?template=VideoFalhou")
    opened = page.get_by_role("region", name="Email details")
    frame = opened.get_by_title(f"Email: {mail['subject']}")
    assert await frame.get_attribute("sandbox") == ""
    await frame.content_frame.get_by_text("Your video <b>aula</b>.mp4 could not be processed.").wait_for()
    await opened.get_by_text("Kept here: no mail server set.").wait_for()
    await opened.get_by_text("owner@localhost").wait_for()
    await opened.get_by_role("button", name="Plain text").click()
    await opened.locator("pre").filter(has_text="could not be processed").wait_for()
    await page.get_by_role("button", name="Skipped").click()
    await page.get_by_role("heading", name="No emails match Skipped, Video failed").wait_for()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def message(site: Site) -> dict[str, Any]:
    body = {"message_type": "seen", "payload": {"title": "Seen"}}
    made: dict[str, Any] = await site.ask("POST", "/api/messages", json=body)
    return made


@pytest.mark.parametrize(
    "part", ["", "/log/{message}", "/compose", "/schedules", "/preferences", "/mails", "/mails/{mail}"]
)
async def test_each_part_is_accessible_and_fits_a_phone(
    site: Site, page: "Page", message: dict[str, Any], mail: dict[str, Any], part: str
) -> None:
    path = part.format(message=message["message_id"], mail=mail["mail_id"])
    await page.goto(f"{site.address}/ui/messages{path}")
    await page.wait_for_selector("[role=tabpanel] :is(li, form, [role=listitem])")
    await check_every_look(page)
