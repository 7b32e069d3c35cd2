"""Events in daily life, in the page: comments, people, snoozes, days, exports, and rules that are tried before they are saved."""

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import expect

from support.browser import ON_ITS_LOOP
from support.camera_watch import somebody_at
from support.page_site import Site

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]

BATCH_MAX = 500
"""Detections after which a batch is full, by default."""
AT_ONCE = 100


@pytest.mark.req(643, 670)
async def test_an_event_is_assigned_commented_snoozed_and_reopened(site: Site, page: "Page") -> None:
    event = await somebody_at(site, "Review Yard")
    await page.goto(f"{site.address}/ui/events/{event['id']}")
    opened = page.get_by_role("region", name="Event details")
    await opened.get_by_label("Assigned to").select_option("owner@localhost")
    await opened.get_by_text("Assigned by owner@localhost").wait_for()
    await opened.get_by_label("Comment", exact=True).fill("It was the neighbour.")
    await opened.get_by_role("button", name="Add comment").click()
    await opened.get_by_role("listitem").get_by_text("It was the neighbour.").wait_for()
    await opened.get_by_role("button", name="1 hour").click()
    await opened.get_by_text("Snoozed until").wait_for()
    await opened.get_by_role("button", name="End snooze").click()
    await opened.get_by_role("button", name="24 hours").wait_for()
    await opened.get_by_role("button", name="Resolve…").click()
    await page.get_by_role("button", name="Resolve", exact=True).click()
    await opened.get_by_role("button", name="Reopen").click()
    await opened.get_by_text("Reopened by owner@localhost").wait_for()
    link = await opened.get_by_role("link", name="Review Yard").get_attribute("href") or ""
    # From three seconds before the event, so that it is seen from its begin.
    assert parse_qs(urlsplit(link).query) == {"at": ["2026-03-04T11:59:57.000Z"]}
    stored = await site.ask("GET", f"/api/events/{event['id']}")
    assert (stored["state"], stored["comment_count"]) == ("acknowledged", 1)
    assert stored["assignee"]["name"] == "owner@localhost"


@pytest.mark.req(671)
async def test_what_others_do_is_followed_in_the_list_and_in_the_details(site: Site, page: "Page") -> None:
    event = await somebody_at(site, "Followed Yard")
    path = f"/api/events/{event['id']}"
    await page.goto(f"{site.address}/ui/events/{event['id']}?camera=followed_yard&assigned=nobody")
    opened = page.get_by_role("region", name="Event details")
    row = page.get_by_role("listitem").filter(has_text="Followed Yard")
    await opened.get_by_label("Assigned to").get_by_role("option", name="owner@localhost").wait_for(state="attached")
    await page.locator(".live-line.live").wait_for()
    await site.ask("POST", f"{path}/comments", json={"text": "I am on my way."})
    await opened.get_by_text("I am on my way.").wait_for()
    await row.get_by_text("1 comment").wait_for()
    await site.ask("PATCH", f"{path}/snooze", json={"minutes": 60})
    await opened.get_by_text("Snoozed until").wait_for()
    await site.ask("PATCH", f"{path}/assign", json={"user_id": str(site.user_id)})
    await expect(opened.get_by_label("Assigned to")).to_have_value(str(site.user_id))
    # It is somebody's now: the list of what is nobody's says so, and leaves the row in place until it is refreshed.
    await page.get_by_text("1 event no longer matches this filter").wait_for()
    await page.get_by_role("button", name="Refresh").click()
    await row.wait_for(state="detached")
    await page.get_by_label("Assigned", exact=True).select_option("Assigned to me")
    await row.wait_for()
    await site.ask("PATCH", f"{path}/acknowledge")
    await site.ask("PATCH", f"{path}/resolve", json={"notes": "A friend."})
    await opened.get_by_role("button", name="Reopen").wait_for()
    await site.ask("PATCH", f"{path}/reopen")
    await opened.get_by_role("button", name="Reopen").wait_for(state="detached")
    await opened.get_by_text("Reopened by").wait_for()


@pytest.mark.req(644)
async def test_a_day_is_shown_as_a_line_and_exported_as_it_is_filtered(site: Site, page: "Page") -> None:
    event = await somebody_at(site, "Day Porch")
    await page.goto(f"{site.address}/ui/events?camera=day_porch")
    row = page.get_by_role("listitem").filter(has_text="Day Porch")
    await row.locator(".event-thumbnail img").wait_for()
    # The browser's own day: its clock may be elsewhere than the platform's.
    day = await page.evaluate(
        "at => { const d = new Date(at); const two = n => String(n).padStart(2, '0');"
        " return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`; }",
        event["started_at"],
    )
    await page.get_by_label("Day", exact=True).fill(day)
    await page.get_by_role("navigation", name="Events of").get_by_role("link", name=event["summary"]).wait_for()
    await page.get_by_text("Export", exact=True).click()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="CSV").click()
    text = (await (await download.value).path()).read_text(encoding="utf-8")
    assert event["summary"] in text
    assert text.count("day_porch") >= 1
    await page.get_by_label("Day", exact=True).fill("2020-01-01")
    await row.wait_for(state="detached")


@pytest.mark.req(644)
async def test_events_are_filtered_by_object_zone_and_assignee(site: Site, page: "Page") -> None:
    events: dict[str, int] = {}
    # A person is an event at once; other things are when their batch closes, which it does when it is full.
    for name, label, count in (("Filter Porch", "person", 1), ("Filter Lawn", "dog", BATCH_MAX)):
        camera_id = (await site.ask("POST", "/api/cameras", json={"name": name}))["camera_id"]
        if label == "person":
            steps = {"name": "Filter steps", "kind": "entry", "polygon": [[0, 0], [1, 0], [1, 1], [0, 1]]}
            await site.ask("POST", f"/api/cameras/{camera_id}/zones", json=steps)
        seen = {"camera_id": camera_id, "object_type": label, "confidence": 0.95, "bbox": [0.4, 0.3, 0.1, 0.4]}
        for at in range(0, count, AT_ONCE):
            await site.ask("POST", "/api/detections", json={"detections": [seen] * min(AT_ONCE, count - at)})
        answer = await site.ask_until(f"/api/events?camera_id={camera_id}", lambda found: bool(found["events"]))
        events[name] = answer["events"][0]["id"]
    porch, lawn = (page.get_by_role("listitem").filter(has_text=name) for name in events)
    await page.goto(f"{site.address}/ui/events")
    await porch.wait_for()
    await lawn.wait_for()
    detected, zone, assigned = (page.get_by_label(name, exact=True) for name in ("Detected", "Zone", "Assigned"))
    await detected.select_option("dog")
    await porch.wait_for(state="detached")
    await lawn.wait_for()
    await detected.select_option("All objects")
    await porch.wait_for()
    await zone.select_option("Filter steps")
    await lawn.wait_for(state="detached")
    await porch.wait_for()
    await zone.select_option("All zones")
    await lawn.wait_for()
    await site.ask("PATCH", f"/api/events/{events['Filter Lawn']}/assign", json={"user_id": str(site.user_id)})
    await assigned.select_option("Assigned to me")
    await porch.wait_for(state="detached")
    await lawn.wait_for()
    await assigned.select_option("Not assigned")
    await lawn.wait_for(state="detached")
    await porch.wait_for()


@pytest.mark.req(645)
async def test_a_rule_is_tried_before_it_is_saved_and_changed_afterwards(site: Site, page: "Page") -> None:
    await site.ask("POST", "/api/cameras", json={"name": "Trial Door"})
    seen = {"camera_id": "trial_door", "object_type": "person", "confidence": 0.9}
    await site.ask("POST", "/api/detections", json=seen)
    await site.ask_until("/api/events?camera_id=trial_door", lambda found: bool(found["events"]))
    await page.goto(f"{site.address}/ui/events/rules")
    await page.get_by_role("button", name="Add rule").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name", exact=True).fill("Trial")
    await dialog.get_by_label("Minimum risk score").fill("10")
    await dialog.get_by_role("group", name="Cameras").get_by_role("checkbox", name="Trial Door").check()
    await dialog.get_by_role("button", name="Add step").click()
    await dialog.get_by_role("button", name="Would it have fired?").click()
    await dialog.get_by_text("Would have fired 1 time in the last 7 days").wait_for()
    await dialog.get_by_role("button", name="Add rule").click()
    rule = page.get_by_role("listitem").filter(has_text="risk 10 or higher · cameras: Trial Door")
    await rule.get_by_role("button", name="Edit").click()
    assert await dialog.get_by_label("After minutes").input_value() == "5"
    await dialog.get_by_label("Minimum risk score").fill("99")
    await dialog.get_by_label("Quiet from").fill("22:00")
    await dialog.get_by_label("Quiet until").fill("07:00")
    await dialog.get_by_role("button", name="Would it have fired?").click()
    await dialog.get_by_text("Would have fired 0 times in the last 7 days").wait_for()
    await dialog.get_by_role("button", name="Save").click()
    changed = page.get_by_role("listitem").filter(has_text="risk 99 or higher")
    await changed.get_by_role("button", name="Turn off").click()
    await changed.get_by_text("Off", exact=True).wait_for()
    (stored,) = [one for one in (await site.ask("GET", "/api/alert-rules"))["rules"] if one["name"] == "Trial"]
    assert stored["escalation"][0]["after_s"] == 300
    assert stored["quiet_hours"]["start"][:5] == "22:00"
    await site.ask("DELETE", f"/api/alert-rules/{stored['rule_id']}")


@pytest.mark.req(973)
async def test_events_are_gone_through_with_keys_as_cards_or_as_a_list_under_the_line_of_a_day(
    site: Site, page: "Page"
) -> None:
    ids = [(await somebody_at(site, f"Triage {number}"))["id"] for number in (1, 2, 3)]
    await page.goto(f"{site.address}/ui/events?q=Triage")
    await expect(page.locator(".event-row.as-card")).to_have_count(3)
    await page.keyboard.press("j")
    await page.keyboard.press("a")  # acknowledges it and goes on
    await page.keyboard.press("a")

    def states(events: dict[str, Any]) -> list[str]:
        return sorted(one["state"] for one in events["events"] if one["id"] in ids)

    await site.ask_until(
        "/api/events",
        lambda found: states(found) == ["acknowledged", "acknowledged", "broadcasted"],
        params={"q": "Triage"},
    )
    await expect(page.locator(".event-row.current")).to_have_count(1)
    await page.get_by_role("button", name="List", exact=True).click()
    await expect(page.locator(".event-row.as-card")).to_have_count(0)
    await page.reload()
    await page.locator(".event-row:not(.as-card)").first.wait_for()
    await page.get_by_role("button", name="Cards").click()
    await page.locator(".event-row.as-card").first.wait_for()
    day = page.get_by_role("navigation", name="Events of")
    await day.get_by_text("Today").wait_for()
    await expect(day.get_by_role("button", name="Next day")).to_be_disabled()
    await page.goto(f"{site.address}/ui/events?q=Triage&state=all&day=2026-03-05")
    await day.get_by_text("0 events").wait_for()
    await day.get_by_role("button", name="Previous day").click()
    await day.get_by_text("3 events").wait_for()
    await day.get_by_role("link").last.hover()  # the others lie below it
    await page.locator(".day-preview img").wait_for()
    await day.get_by_role("button", name="Show all days").click()
    await expect(page).to_have_url(f"{site.address}/ui/events?q=Triage&state=all")
