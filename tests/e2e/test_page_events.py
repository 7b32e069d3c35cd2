"""The page of security events: live, settled by several people, cut off and back again."""

import json
import re
from typing import TYPE_CHECKING

from support.browser import ON_ITS_LOOP, new_context
from support.cable import Cable
from support.camera_watch import somebody_at
from support.page_site import Site
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page, WebSocketRoute

pytestmark = [ON_ITS_LOOP]


async def open_events(page: "Page", address: str, rest: str = "") -> None:
    """The list is there, and the stream of events is followed."""
    await page.goto(f"{address}/ui/events{rest}")
    await page.wait_for_selector(".live-line.live")
    await page.wait_for_selector("main .loading", state="detached")


def row_of(page: "Page", camera: str) -> "Locator":
    return page.get_by_role("listitem").filter(has_text=camera)


async def test_a_new_event_waits_behind_a_bar_until_it_is_wanted(site: Site, page: "Page") -> None:
    await somebody_at(site, "Old Gate")
    await open_events(page, site.address)
    await row_of(page, "Old Gate").wait_for()
    await somebody_at(site, "New Gate")
    await page.get_by_role("status").filter(has_text="1 new").wait_for()
    assert await row_of(page, "New Gate").count() == 0
    await page.get_by_role("button", name="Show", exact=True).click()
    await row_of(page, "New Gate").wait_for()
    await page.wait_for_selector(".new-bar", state="detached")
    first = page.get_by_role("listitem").first
    assert "New Gate" in await first.inner_text()


async def test_what_one_window_acknowledges_the_other_shows(site: Site, page: "Page", chromium: "Browser") -> None:
    event = await somebody_at(site, "Shared Yard")
    async with new_context(chromium) as other_context:
        other = await other_context.new_page()
        await open_events(other, site.address, f"/{event['id']}")
        await open_events(page, site.address)
        await row_of(page, "Shared Yard").get_by_role("button", name="Acknowledge").click()
        await row_of(page, "Shared Yard").get_by_text("Acknowledged").wait_for()
        # Without a reload: in the list, where it stays in its place, and in the opened event's history.
        await row_of(other, "Shared Yard").get_by_text("Acknowledged").wait_for()
        opened = other.get_by_role("region", name="Event details")
        await opened.get_by_text("Acknowledged by owner@localhost").wait_for()
        assert await opened.get_by_role("button", name="Acknowledge").count() == 0
        await other.get_by_text("1 event no longer matches this filter").wait_for()


async def test_what_was_missed_while_the_line_was_cut_is_replayed(site: Site, page: "Page") -> None:
    known = await somebody_at(site, "Known Shed")
    cable = Cable()
    cable.leads_to = int(site.address.rpartition(":")[2])
    async with cable.laid():
        await open_events(page, cable.address)
        last = page.locator("[data-sequence]")
        before = int(await last.get_attribute("data-sequence") or 0)
        cable.cut()
        await page.wait_for_selector(".live-line.offline >> text=Offline")
        await site.ask("PATCH", f"/api/events/{known['id']}/acknowledge")
        await somebody_at(site, "Missed Shed")
        assert await page.locator(".new-bar").count() == 0
        cable.mend()
        await page.get_by_role("status").filter(has_text="1 new").wait_for()
        await row_of(page, "Known Shed").get_by_text("Acknowledged").wait_for()

        async def is_replayed() -> bool:
            # At least these two: cameras of other tests may report their state in between.
            return int(await last.get_attribute("data-sequence") or 0) >= before + 2

        await page.wait_for_selector(".live-line.live")
        await until(is_replayed)
        await page.get_by_role("button", name="Show", exact=True).click()
        await row_of(page, "Missed Shed").wait_for()


async def test_a_gap_loads_the_list_afresh(site: Site, page: "Page") -> None:
    routes: list[WebSocketRoute] = []

    def between(browser: "WebSocketRoute") -> None:
        routes.append(browser)
        server = browser.connect_to_server()
        # Numbered messages get lost on their way.
        server.on_message(lambda text: None if '"requires_ack"' in str(text) else browser.send(text))

    await page.route_web_socket(re.compile(r"/ws/events"), between)
    await open_events(page, site.address)
    await somebody_at(site, "Lost Pier")
    assert await row_of(page, "Lost Pier").count() == 0
    routes[-1].send(json.dumps({"type": "gap", "data": {"reason": "buffer_exceeded", "sequence": 10_000}}))
    await row_of(page, "Lost Pier").wait_for()
    await page.get_by_text("The list was reloaded").wait_for()
    await page.wait_for_selector("[data-sequence='10000']")


async def test_where_no_socket_comes_about_new_events_are_asked_for(site: Site, page: "Page") -> None:
    await somebody_at(site, "Near Tower")
    await page.route_web_socket(re.compile(r"/ws/events"), lambda route: route.close())
    await page.goto(f"{site.address}/ui/events")
    await page.wait_for_selector(".live-line.offline")
    await row_of(page, "Near Tower").wait_for()
    await somebody_at(site, "Far Tower")
    await page.get_by_role("status").filter(has_text="1 new").wait_for()
    await page.get_by_role("button", name="Show", exact=True).click()
    await row_of(page, "Far Tower").wait_for()


async def test_many_are_acknowledged_at_once_and_refusals_are_told(site: Site, page: "Page") -> None:
    events = [await somebody_at(site, f"Dock {n}") for n in (1, 2, 3)]
    await page.route_web_socket(re.compile(r"/ws/events"), lambda _: None)  # this window is told of nothing
    await page.goto(f"{site.address}/ui/events?q=dock")
    await row_of(page, "Dock 1").wait_for()
    for move in ("acknowledge", "resolve"):  # somebody else is quicker
        await site.ask("PATCH", f"/api/events/{events[1]['id']}/{move}")
    for key in ("j", "x", "j", "j", "X"):  # the first, and up to the third
        await page.keyboard.press(key)
    await page.get_by_role("button", name="Acknowledge 3").click()
    told = page.get_by_role("alert").filter(has_text="2 updated, 1 failed")
    await told.wait_for()
    assert "changed since you opened it" in await told.inner_text()
    await row_of(page, "Dock 2").get_by_text("Resolved").wait_for()
    await page.wait_for_selector(".bulk-bar", state="detached")
    states = {one["camera_id"]: one["state"] for one in (await site.ask("GET", "/api/events?q=dock"))["events"]}
    assert states == {"dock_1": "acknowledged", "dock_2": "resolved", "dock_3": "acknowledged"}


async def test_an_event_is_resolved_with_a_note_that_stays_in_its_history(site: Site, page: "Page") -> None:
    event = await somebody_at(site, "Mail Slot")
    await open_events(page, site.address)
    await row_of(page, "Mail Slot").get_by_role("link").click()
    await page.wait_for_url(f"**/ui/events/{event['id']}")
    opened = page.get_by_role("region", name="Event details")
    await opened.get_by_text("person seen (+35)").wait_for()
    await opened.get_by_role("img", name="person, 95%").wait_for()
    await page.keyboard.press("r")
    await page.get_by_label("Resolution note").fill("It was the postman.")
    await page.get_by_role("button", name="Resolve", exact=True).click()
    for text in ("Acknowledged by owner@localhost", "It was the postman."):
        await opened.get_by_text(text).wait_for()
    await page.reload()
    for text in ("Sent live (message", "Acknowledged by owner@localhost", "It was the postman."):
        await opened.get_by_text(text).wait_for()
    assert (await site.ask("GET", f"/api/events/{event['id']}"))["resolution_notes"] == "It was the postman."


async def test_critical_events_ask_to_be_acknowledged_wherever_one_is(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}/ui/jobs")
    await page.wait_for_selector(".connection.live")
    await somebody_at(site, "Vault Door", critical=True)
    await page.get_by_role("link", name="Events 1 critical unacknowledged").click()
    banner = page.get_by_role("alert").filter(has_text="1 unacknowledged critical event")
    await banner.wait_for()
    assert "Vault Door" in await banner.inner_text()
    await page.locator(".critical-banner").get_by_role("button", name="Acknowledge").click()
    await row_of(page, "Vault Door").get_by_text("Acknowledged").wait_for()
    await page.wait_for_selector(".critical-banner", state="detached")
    await page.get_by_role("link", name="Events", exact=True).wait_for()


async def test_filters_stand_in_the_address_and_an_empty_list_names_them(site: Site, page: "Page") -> None:
    await somebody_at(site, "Side Street")
    await open_events(page, site.address, "?state=all&camera=side_street")
    await row_of(page, "Side Street").wait_for()
    assert await page.get_by_role("listitem").count() == 1
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/ui/events/*?state=all&camera=side_street")
    await page.keyboard.press("Escape")
    await page.wait_for_url("**/ui/events?state=all&camera=side_street")
    await row_of(page, "Side Street").locator("a:focus").wait_for()  # where one was
    await page.get_by_role("button", name="Critical", exact=True).click()
    await page.wait_for_url("**/ui/events?state=all&camera=side_street&level=critical")
    await page.get_by_role("heading", name="No events match Level: Critical, Camera: Side Street").wait_for()
    await page.get_by_role("button", name="Clear filters").click()
    await row_of(page, "Side Street").wait_for()
    assert page.url.endswith("/ui/events?state=all")
