"""Cameras in the page: added by their address, watched, drawn on and deleted; the wall without any; phones and screen readers."""

import asyncio
from typing import TYPE_CHECKING

import asyncpg
import numpy as np
import pytest

from sightline.objects import camera_motion_key
from support.browser import ON_ITS_LOOP, new_context
from support.camera_watch import somebody_at
from support.console import ConsoleErrors
from support.page_site import DESK, PHONE, Site, check_accessible, check_every_look
from support.platform_process import database_url
from support.rtsp_server import RtspCamera
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page

pytestmark = [ON_ITS_LOOP]


_IS_LOADED = "image => image.naturalWidth > 0"
_IS_PLAYED = "video => video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA"
_SET_VISIBILITY = """state => {
  Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


async def wait_until(element: "Locator", holds: str) -> None:
    async def does_hold() -> bool:
        return bool(await element.evaluate(holds))

    await until(does_hold)


async def check_hidden_tabs_stop_streams(page: "Page") -> None:
    async with page.expect_event("requestfailed", lambda request: request.url.endswith("/live.mjpeg")) as stopped:
        async with page.expect_request("**/live.mjpeg"):
            await page.reload()
        await page.evaluate(_SET_VISIBILITY, "hidden")
    await stopped.value
    async with page.expect_request("**/live.mjpeg"):
        await page.evaluate(_SET_VISIBILITY, "visible")


async def check_tiles_outside_of_the_window_make_no_request(page: "Page", tile: "Locator") -> None:
    """The tile lies below another one, which fills this window."""
    asked: list[str] = []
    await page.set_viewport_size({"width": 375, "height": 300})
    page.on("request", lambda request: asked.append(request.url) if "/api/cameras/driveway/" in request.url else None)
    await page.reload()
    await tile.get_by_text("Live").wait_for()
    async with page.expect_response("**/api/cameras?limit=*"):
        pass  # The states are loaded again, five seconds later.
    assert asked == []
    async with page.expect_request("**/api/cameras/driveway/live.mjpeg"):
        await tile.scroll_into_view_if_needed()
    async with page.expect_event("requestfailed", lambda request: request.url.endswith("/driveway/live.mjpeg")):
        await page.evaluate("scrollTo(0, 0)")
    await page.set_viewport_size(DESK)


async def go_back(page: "Page") -> None:
    """One step to the left, as soon as enough was recorded for it."""

    async def is_recorded() -> bool:
        await page.get_by_role("slider", name="Timeline").press("ArrowLeft")
        return "at=" in page.url

    await until(is_recorded)


def tile_of(page: "Page", name: str) -> "Locator":
    return page.get_by_role("list", name="Cameras").get_by_role("listitem").filter(has_text=name)


async def draw(page: "Page", *corners: tuple[float, float]) -> None:
    """Clicks at these parts of the picture's width and height."""
    picture = page.locator(".shape-canvas")
    box = await picture.bounding_box()
    assert box is not None
    for x, y in corners:
        await picture.click(position={"x": x * box["width"], "y": y * box["height"]})


@pytest.mark.req(621, 622, 623, 624, 627, 628, 672)
async def test_a_camera_is_added_by_its_address_watched_given_a_zone_and_deleted(site: Site, page: "Page") -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    async with RtspCamera(user="viewer", password="right") as camera:
        await somebody_at(site, "Archway")  # listed before the other, by name
        await page.goto(f"{site.address}/ui/cameras")
        await page.get_by_role("button", name="Add camera").click()
        dialog = page.get_by_role("dialog")
        address = dialog.get_by_label("Address", exact=True)
        await address.fill(camera.address.replace("//", "//viewer:wrong@"))
        await dialog.get_by_role("button", name="Test").click()
        await dialog.get_by_role("alert").filter(has_text="refuses the user name or password").wait_for()
        assert await address.input_value() == camera.address
        await dialog.get_by_label("Password").fill("right")
        await dialog.get_by_role("button", name="Test").click()
        await dialog.get_by_role("img", name="Picture from the camera").wait_for()
        assert await dialog.get_by_label("Name", exact=True).input_value() == "Camera 127.0.0.1"
        await dialog.get_by_label("Name", exact=True).fill("Driveway")
        await dialog.get_by_role("button", name="Always").click()
        await dialog.get_by_role("button", name="Add camera").click()

        tile = tile_of(page, "Driveway")
        await tile.get_by_text("Live").wait_for()
        await wait_until(tile.get_by_role("img", name="Picture of Driveway"), _IS_LOADED)
        await check_tiles_outside_of_the_window_make_no_request(page, tile)
        await tile.get_by_role("link", name="Driveway").click()
        await check_hidden_tabs_stop_streams(page)
        await wait_until(page.get_by_role("img", name="Picture of Driveway"), _IS_LOADED)
        await page.locator(".day-track .recorded").first.wait_for(state="attached")
        await go_back(page)
        await wait_until(page.get_by_label("Recording of Driveway"), _IS_PLAYED)
        await page.get_by_role("button", name="Live").click()
        await wait_until(page.get_by_role("img", name="Picture of Driveway"), _IS_LOADED)
        assert "at=" not in page.url
        await page.get_by_text("Snooze alerts", exact=True).click()
        await page.get_by_role("button", name="1 hour").click()
        await page.get_by_text("Snoozed until").wait_for()
        assert (await site.ask("GET", "/api/cameras/driveway/snooze"))["snoozed_until"] is not None
        await page.get_by_role("button", name="End snooze").click()
        await page.get_by_text("Snooze alerts", exact=True).wait_for()
        assert (await site.ask("GET", "/api/cameras/driveway/snooze"))["snoozed_until"] is None
        await page.get_by_role("tab", name="Zones").click()
        await page.get_by_role("button", name="Draw zone").click()
        await draw(page, (0.1, 0.1), (0.9, 0.1), (0.9, 0.9))
        await page.keyboard.press("Enter")
        last = page.get_by_role("button", name="Point 3 of 3, 90 % from the left, 90 % from the top")
        await last.focus()
        await page.keyboard.press("Shift+ArrowLeft")
        await page.get_by_label("Name").fill("Steps")
        await page.get_by_role("button", name="Save").click()
        await page.get_by_role("list", name="Zones").get_by_text("Steps").wait_for()
        (zone,) = (await site.ask("GET", "/api/cameras/driveway"))["zones"]
        assert zone["polygon"] == [pytest.approx(corner, abs=0.01) for corner in ([0.1, 0.1], [0.9, 0.1], [0.85, 0.9])]

        await camera.unplug()
        await page.get_by_role("tab", name="Watch").click()
        await page.get_by_label("Driveway", exact=True).get_by_text("Lost").wait_for()
        await page.get_by_role("tab", name="Settings").click()
        await page.get_by_role("button", name="Delete camera").click()
        await dialog.get_by_text("all its recordings").wait_for()
        await dialog.get_by_role("button", name="Delete camera").click()
        await page.get_by_text("Driveway deleted.").wait_for()
        await tile_of(page, "Archway").wait_for()
        assert await tile.count() == 0
        listed = (await site.ask("GET", "/api/cameras", params={"limit": 200}))["cameras"]
        assert "driveway" not in {one["camera_id"] for one in listed}
    assert errors == []


@pytest.mark.req(623)
async def test_a_line_is_drawn_and_turned_on_a_phone_and_undone_before_it_is_saved(
    site: Site, chromium: "Browser"
) -> None:
    await site.ask("POST", "/api/cameras", json={"name": "Touched"})
    async with new_context(chromium, viewport=PHONE, has_touch=True) as context:
        page = await context.new_page()
        await page.goto(f"{site.address}/ui/cameras/touched?tab=zones")
        await page.get_by_role("button", name="Draw line").tap()
        box = await page.locator(".shape-canvas").bounding_box()
        assert box is not None
        for x in (0.25, 0.5):
            await page.touchscreen.tap(box["x"] + x * box["width"], box["y"] + box["height"] / 2)
        await page.get_by_role("button", name="Undo").tap()
        await page.touchscreen.tap(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)
        await page.get_by_label("Name").fill("Fence")
        await page.get_by_role("button", name="One way").tap()
        await page.get_by_role("button", name="Save").tap()
        await page.get_by_role("list", name="Zones").get_by_text("Fence").wait_for()
    (line,) = (await site.ask("GET", "/api/cameras/touched"))["zones"]
    assert (line["kind"], line["direction"]) == ("line", "to_right")
    assert line["polygon"] == [pytest.approx(end, abs=0.01) for end in ([0.25, 0.5], [0.75, 0.5])]


@pytest.mark.req(625)
async def test_an_empty_wall_offers_three_ways_to_a_camera(closed: Site, page: "Page") -> None:
    user = closed.user()
    await user.let_in(page)
    await page.goto(f"{closed.address}/ui/cameras")
    await page.get_by_role("heading", name="No cameras yet").wait_for()
    for door in ("Add by address", "Try the sample camera", "Send detections"):
        await page.get_by_role("heading", name=door).wait_for()
    await check_every_look(page)
    await page.get_by_role("button", name="Show how").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name", exact=True).fill("Own Detector")
    await dialog.get_by_role("button", name="Add camera").click()
    await dialog.get_by_text('"camera_id":"own_detector"').wait_for()
    await page.keyboard.press("Escape")
    await tile_of(page, "Own Detector").get_by_text("Receives detections").wait_for()


@pytest.mark.req(677)
async def test_a_camera_of_the_network_is_found_and_its_address_taken_with_one_click(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}/ui/cameras")
    await page.get_by_role("button", name="Add camera").first.click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Find cameras").click()
    found = dialog.get_by_role("list", name="Found cameras").get_by_role("listitem")
    await found.get_by_text("Front Door").wait_for()
    await dialog.get_by_role("button", name="Use Front Door").click()
    await dialog.get_by_text("Type its user name and password below").wait_for()
    await dialog.get_by_label("User name").fill("viewer")
    await dialog.get_by_label("Password").fill("s3cret-of-camera")
    await dialog.get_by_role("button", name="Use Front Door").click()
    streams = dialog.get_by_label("Stream", exact=True)
    await streams.wait_for()
    address = dialog.get_by_label("Address", exact=True)
    largest = await address.input_value()
    assert largest.startswith("rtsp://127.0.0.1")
    await streams.select_option(index=1)
    assert await address.input_value() not in ("", largest)
    await check_accessible(page)


@pytest.mark.req(676)
async def test_cameras_that_upload_files_or_send_mqtt_are_added_and_edited(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}/ui/cameras")
    await page.get_by_role("button", name="Add camera").first.click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="FTP uploads").click()
    assert await dialog.get_by_role("button", name="Test").count() == 0
    await dialog.get_by_label("User name").fill("uploader")
    await dialog.get_by_label("Password").fill("for-uploads")
    await dialog.get_by_label("Name", exact=True).fill("Uploading")
    await dialog.get_by_role("button", name="Add camera").click()
    facts = page.get_by_role("region", name="Type this into the camera")
    await facts.wait_for()
    added = await site.ask("GET", "/api/cameras/uploading")
    assert (added["source"]["kind"], added["source"]["record_mode"]) == ("folder", "off")
    for text in ("uploader", added["upload"]["folder"], f"127.0.0.1:{added['upload']['ftp_port']}"):
        await facts.get_by_text(text, exact=True).wait_for()
    await page.keyboard.press("Escape")
    await page.goto(f"{site.address}/ui/cameras/uploading?tab=settings")
    folder = site.state / "elsewhere"
    await page.get_by_label("Folder").fill(str(folder))
    await page.get_by_role("button", name="Save").click()
    await facts.get_by_text(str(folder), exact=True).wait_for()

    await page.goto(f"{site.address}/ui/cameras")
    await page.get_by_role("button", name="Add camera").first.click()
    await dialog.get_by_role("button", name="MQTT").click()
    await dialog.get_by_label("Broker").fill("127.0.0.1:1")
    await dialog.get_by_label("Camera in Frigate").fill("frigate_yard")
    assert await dialog.get_by_label("Name", exact=True).input_value() == "frigate_yard"
    await dialog.get_by_role("button", name="Add camera").click()
    await tile_of(page, "frigate_yard").wait_for()
    source = (await site.ask("GET", "/api/cameras/frigate_yard"))["source"]
    assert (source["kind"], source["address"]) == ("mqtt", "mqtt://127.0.0.1:1/frigate/events?camera=frigate_yard")
    await page.goto(f"{site.address}/ui/cameras/frigate_yard?tab=settings")
    await page.get_by_role("button", name="Home Assistant or a sensor").click()
    await page.get_by_label("Topic").fill("zigbee2mqtt/porch")
    await page.get_by_label("Reported as").fill("person")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_text("Settings saved.").wait_for()
    source = (await site.ask("GET", "/api/cameras/frigate_yard"))["source"]
    assert source["address"] == "mqtt://127.0.0.1:1/zigbee2mqtt/porch?label=person"


@pytest.mark.req(678, 679)
async def test_the_sample_is_offered_beside_other_cameras_and_the_page_says_what_the_models_are(
    site: Site, page: "Page"
) -> None:
    await somebody_at(site, "Beside the Sample")
    await page.goto(f"{site.address}/ui/cameras")
    await page.get_by_role("button", name="Add camera").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Sample camera", exact=True).click()
    await dialog.get_by_role("button", name="Add sample camera").click()
    await tile_of(page, "Sample camera").wait_for()
    await page.goto(f"{site.address}/ui/cameras/sample_camera?tab=settings")
    await page.get_by_text("What finds them, and what it cannot see").click()
    for model in (await site.ask("GET", "/api/vision"))["models"]:
        card = page.get_by_role("region", name=model["name"])
        for text in (*model["cannot_see"], model["purpose"], model["licence"], model["source"]):
            await card.get_by_text(text).wait_for()
        await card.get_by_text("Calibrated" if model["is_calibrated"] else "Not calibrated", exact=True).wait_for()
    await check_every_look(page)
    await site.ask("DELETE", "/api/cameras/sample_camera")


@pytest.mark.req(680, 1128)
async def test_what_a_camera_has_learned_to_ignore_is_shown_over_its_picture(site: Site, page: "Page") -> None:
    source = {"address": "rtsp://127.0.0.1:1/none"}
    await site.ask("POST", "/api/cameras", json={"name": "Leafy", "source": source})
    console = ConsoleErrors(page.context)
    async with page.expect_response(lambda answer: "/leafy/motion" in answer.url) as answered:
        await page.goto(f"{site.address}/ui/cameras/leafy?tab=zones")
    assert await (await answered.value).json() is None
    console.check()
    await page.get_by_role("button", name="Draw zone").wait_for()
    switch = page.get_by_label("Show what is ignored")
    assert await switch.count() == 0  # nothing has been learned
    connection = await asyncpg.connect(await database_url(site.state))
    try:
        key = await connection.fetchval("SELECT camera_key FROM cameras WHERE camera_id = 'leafy'")
    finally:
        await connection.close()
    learned = np.zeros((30, 40), dtype=bool)
    learned[:6, 20:] = True
    file = site.state / "objects" / camera_motion_key(key)
    await asyncio.to_thread(file.parent.mkdir, parents=True, exist_ok=True)
    await asyncio.to_thread(np.savez_compressed, file, learned=learned)
    await page.reload()
    await switch.check()
    mask = page.get_by_role("img", name="Motion is ignored in 10% of the picture")
    await wait_until(mask, _IS_LOADED)
    assert await mask.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [40, 30]
    await page.get_by_role("button", name="Learn anew").click()
    await switch.wait_for(state="detached")
    await site.ask("DELETE", "/api/cameras/leafy")


@pytest.mark.req(626)
@pytest.mark.parametrize("part", ["", "/looks", "/looks?tab=zones", "/looks?tab=settings"])
async def test_each_part_is_accessible_and_fits_a_phone(site: Site, page: "Page", part: str) -> None:
    listed = (await site.ask("GET", "/api/cameras", params={"limit": 200}))["cameras"]
    if "looks" not in {one["camera_id"] for one in listed}:
        await somebody_at(site, "Looks")
        zone = {"name": "Porch", "kind": "entry", "polygon": [[0.1, 0.5], [0.6, 0.5], [0.6, 1.0]]}
        await site.ask("POST", "/api/cameras/looks/zones", json=zone)
    await page.goto(f"{site.address}/ui/cameras{part}")
    await page.get_by_text("Looks").first.wait_for()
    await page.wait_for_selector("main .loading", state="detached")
    if part.endswith("zones"):
        await page.get_by_role("button", name="Edit Porch").click()
    await check_every_look(page)


@pytest.mark.req(626)
async def test_the_dialog_that_adds_a_camera_is_accessible(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}/ui/cameras")
    await page.get_by_role("button", name="Add camera").first.click()
    await page.get_by_role("dialog").get_by_text("More settings").click()
    await check_accessible(page)
