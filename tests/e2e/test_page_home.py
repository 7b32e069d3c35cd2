"""The home page, what the page says of channels and failures, the command palette, settings, and the page as an app."""

import json
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from support.browser import ON_ITS_LOOP, new_context
from support.page_site import Site, check_every_look

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [ON_ITS_LOOP]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def failed_video(site: Site) -> str:
    content = b"this is not a video either"
    body = {"totalSize": len(content), "filename": "broken holiday.mp4", "extension": "mp4", "duration": 1000}
    video = str((await site.ask("POST", "/videos", json=body))["videoId"])
    part = (await site.ask("GET", f"/videos/{video}/upload-urls"))["urls"][0]
    named = {"parts": [{"part": 1, "etag": await site.put(part["url"], content)}]}
    await site.ask("POST", f"/videos/{video}/complete", json=named)
    await site.ask_until(f"/videos/{video}", lambda found: found["status"] == "FAILED", within_s=60)
    return video


@pytest.mark.req(923)
async def test_a_newcomer_finds_three_doors_and_later_what_is_new(closed: Site, page: "Page") -> None:
    user = closed.user()
    await user.let_in(page)
    await page.goto(closed.address)
    doors = page.get_by_role("region", name="Start here")
    await doors.get_by_role("button", name="Upload a video").wait_for()
    await doors.get_by_role("link", name="Add a camera").wait_for()
    assert await page.get_by_role("link", name="Operate").count() == 0  # for operators only
    await check_every_look(page)
    await doors.get_by_role("button", name="Try the sample video").click()
    uploads = page.get_by_role("region", name="Latest uploads")
    await uploads.get_by_role("link", name="sightline-sample.mp4").wait_for()
    await page.goto(f"{closed.address}/ui/cameras?add")
    await page.get_by_role("dialog", name="Add camera").wait_for()


@pytest.mark.req(922)
async def test_a_failed_video_is_not_said_to_be_processed_and_can_be_deleted(
    site: Site, page: "Page", failed_video: str
) -> None:
    await page.goto(f"{site.address}/ui/videos/{failed_video}")
    note = page.locator(".failed-note")
    await note.get_by_text("A retry would not help.").wait_for()
    await page.get_by_text("No text, because processing failed").wait_for()
    assert await page.get_by_text("Processing this video").count() == 0
    assert await note.get_by_role("button", name="Retry").count() == 0
    await note.get_by_role("button", name="Delete video").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete video").click()
    await page.wait_for_url("**/ui/videos")


@pytest.mark.req(920, 921)
async def test_a_channel_without_destination_is_not_ticked_and_a_test_says_what_came_of_it(
    site: Site, page: "Page"
) -> None:
    await page.goto(f"{site.address}/ui/settings/channels")
    channels = page.get_by_role("list", name="Channels")
    await channels.get_by_role("listitem").filter(has_text="ntfy").get_by_text("not set up").wait_for()
    assert await channels.get_by_role("button", name="Send test: ntfy").count() == 0
    email = channels.get_by_role("listitem").filter(has_text="Email")
    await email.get_by_text("Kept here: no mail server set").wait_for()
    await email.get_by_role("button", name="Send test: Email").click()
    await email.get_by_text("Nothing was sent: no mail server is set.").wait_for()
    await channels.get_by_role("button", name="Send test: Log").click()
    await channels.get_by_text("Written to the log.").wait_for()
    await page.goto(f"{site.address}/ui/settings/notifications")
    ticked = page.get_by_label("ntfy: Critical event")
    await ticked.wait_for()
    assert (await ticked.is_checked(), await ticked.is_disabled()) == (False, True)


@pytest.mark.req(925, 926)
async def test_a_setting_is_changed_in_the_page_and_a_pinned_one_is_read_only(
    site: Site, closed: Site, page: "Page"
) -> None:
    await page.goto(f"{site.address}/ui/settings/retention")
    field = page.get_by_label("Announce removals (days before)")
    await field.fill("-1")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_text("Input should be greater than or equal to 0").wait_for()
    await field.fill("9")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_text("Settings saved and in force.").wait_for()
    name = "SIGHTLINE_RETENTION_NOTICE_DAYS"
    found = (await site.ask("GET", "/api/settings"))["settings"]
    assert next(one["value"] for one in found if one["name"] == name) == 9
    await page.locator(".setting", has_text=name).get_by_role("button", name="Back to default").click()
    await page.get_by_role("button", name="Save").click()
    await page.locator(".setting", has_text=name).get_by_text("Default", exact=True).wait_for()
    await check_every_look(page)
    operator = closed.user(is_operator=True)
    await operator.let_in(page)
    await page.goto(f"{closed.address}/ui/settings/retention")
    pinned = page.locator(".setting", has_text="SIGHTLINE_RETENTION_ORIGINALS_DAYS")
    await pinned.get_by_text("Set in the environment").wait_for()
    assert await pinned.get_by_role("spinbutton").get_attribute("readonly") is not None


@pytest.mark.parametrize("part", ["appearance", "notifications", "keys", "channels", "reading", "models", "people"])
@pytest.mark.req(938)
async def test_each_part_of_the_settings_is_accessible_and_fits_a_phone(site: Site, page: "Page", part: str) -> None:
    await page.goto(f"{site.address}/ui/settings/{part}")
    await page.wait_for_selector(".settings-part .card, .settings-part .empty")
    await page.wait_for_selector("main .loading", state="detached")
    await check_every_look(page)


@pytest.mark.req(935)
async def test_the_palette_leads_anywhere_by_keyboard_alone(site: Site, page: "Page") -> None:
    await site.ask("POST", "/api/cameras", json={"camera_id": "palette_door", "name": "Palette door"})
    await page.goto(site.address)
    await page.wait_for_selector("main h1")
    await page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Go anywhere, do anything")
    await box.fill("retent")
    await page.get_by_role("option", name="Retention").wait_for()
    await check_every_look(page)
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/ui/settings/retention")
    await page.keyboard.press("Control+k")
    await box.fill("palette door")
    await page.get_by_role("option", name="Palette door Camera").wait_for()
    await page.keyboard.press("ArrowUp")  # from the first to the last: the search
    await page.locator("[aria-selected=true]", has_text="Search “palette door”").wait_for()
    await page.get_by_role("option", name="Palette door Camera").click()
    await page.wait_for_url("**/ui/cameras/palette_door")
    await page.keyboard.press("Control+k")
    await box.fill("dark theme")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(":root[data-theme=dark]")


@pytest.mark.req(937)
@pytest.mark.parametrize(("locale", "language", "videos"), [("es-ES", "es", "Vídeos"), ("de-DE", "de", "Videos")])
async def test_the_page_speaks_spanish_and_german(
    site: Site, chromium: "Browser", locale: str, language: str, videos: str
) -> None:
    async with new_context(chromium, locale=locale) as context:
        page = await context.new_page()
        await page.goto(f"{site.address}/ui/videos")
        await page.get_by_role("heading", level=1, name=videos).wait_for()
        assert await page.evaluate("document.documentElement.lang") == language
        await page.get_by_role("link", name={"es": "Ajustes", "de": "Einstellungen"}[language]).wait_for()


@pytest.mark.req(1161)
@pytest.mark.parametrize(
    ("locale", "create", "missing", "conflict"),
    [
        ("es-ES", "Nueva colección", "No encontrado: cámara.", "No es posible en su estado actual."),
        ("de-DE", "Neue Sammlung", "Nicht gefunden: Kamera.", "Das geht in diesem Zustand nicht."),
    ],
)
async def test_errors_of_the_api_are_said_in_the_language_of_the_page(
    site: Site, chromium: "Browser", locale: str, create: str, missing: str, conflict: str
) -> None:
    taken = f"Taken {locale}"
    await site.ask("POST", "/api/collections", json={"name": taken})
    async with new_context(chromium, locale=locale) as context:
        page = await context.new_page()
        await page.goto(f"{site.address}/ui/cameras/none_of_this_name")
        await page.get_by_text(missing).wait_for()
        await page.goto(f"{site.address}/ui/videos?view=collections")
        await page.get_by_role("button", name=create).first.click()
        await page.get_by_role("dialog").get_by_role("textbox").fill(taken)
        await page.keyboard.press("Enter")
        said = page.get_by_role("dialog").get_by_text(conflict, exact=False)
        await said.wait_for()
        # What exactly is taken, only the API's own sentence says.
        assert taken in await said.inner_text()


@pytest.mark.req(929)
async def test_the_page_can_be_installed_and_opens_without_a_connection(site: Site, chromium: "Browser") -> None:
    manifest = json.loads((await site.client.get("/ui/assets/manifest.webmanifest")).text)
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])
    for icon in manifest["icons"]:
        assert (await site.client.get(icon["src"])).status_code == 200
    async with new_context(chromium, service_workers="allow") as context:
        page = await context.new_page()
        await page.goto(site.address)
        await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        await page.wait_for_function("navigator.serviceWorker.controller !== null")
        kept: Any = await page.evaluate(
            """async () => {
              const paths = [];
              for (const name of await caches.keys())
                for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname);
              return paths;
            }"""
        )
        assert "/" in kept
        assert [path for path in kept if path != "/" and not path.startswith("/ui/assets/")] == []
        await context.set_offline(True)
        await page.reload()
        await page.get_by_role("link", name="Sightline").wait_for()
        await page.locator(".connection.offline, .connection.connecting").wait_for()
