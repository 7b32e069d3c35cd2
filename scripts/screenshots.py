"""Takes the pictures in docs/screenshots from the real page of a platform that is started for it and filled with examples."""

import asyncio
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Browser, ViewportSize, async_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))  # the browser and the platform's process are started as tests start them

from support.browser import find_chromium  # noqa: E402
from support.platform_process import up  # noqa: E402
from support.waiting import until  # noqa: E402

OUT = ROOT / "docs" / "screenshots"
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 375, "height": 740}

SAMPLE_ZONES: list[dict[str, Any]] = [
    {"name": "Door", "kind": "entry", "polygon": [[0.71, 0.1], [0.9, 0.1], [0.9, 0.47], [0.71, 0.47]]},
    {"name": "Lawn", "kind": "restricted", "polygon": [[0.02, 0.5], [0.6, 0.5], [0.55, 0.95], [0.02, 0.95]]},
    {"name": "Path", "kind": "line", "polygon": [[0.64, 0.95], [0.64, 0.5]]},
]


@dataclass(frozen=True)
class Shot:
    name: str
    path: str
    ready: str = "main h1"
    scheme: Any = "light"
    size: ViewportSize | None = None
    is_live: bool = False
    """Whether the page never stops loading: new pictures keep coming."""


def shots(video_id: str) -> list[Shot]:
    video = f"/ui/videos/{video_id}?t=11"
    return [
        Shot("videos", "/", ".video-row img"),
        Shot("video", video, ".text-row.now"),
        Shot("video-dark", video, ".text-row.now", scheme="dark"),
        Shot("video-phone", video, ".text-row.now", size=PHONE),
        Shot("frames", f"{video}&tab=frames", ".frame-row img"),
        Shot("search", "/ui/search?q=sightline", "main mark"),
        Shot("events", "/ui/events", "main [role=list] a"),
        Shot("events-dark", "/ui/events", "main [role=list] a", scheme="dark"),
        Shot("cameras", "/ui/cameras", ".tile.live img:not([hidden])", is_live=True),
        Shot("camera", "/ui/cameras/sample_camera", ".view img:not([hidden])", is_live=True),
        Shot(
            "camera-zones-dark", "/ui/cameras/sample_camera?tab=zones", ".shape-canvas img:not([hidden])", scheme="dark"
        ),
        Shot("jobs", "/ui/jobs", "main [role=list] a"),
        Shot("messages", "/ui/messages", "main [role=list] a"),
        Shot("overview", "/ui/overview", ".plot"),
        Shot("overview-dark", "/ui/overview", ".plot", scheme="dark"),
    ]


async def fill(client: httpx.AsyncClient) -> str:
    """A video, some events of two cameras, some messages. Gives the video's id."""
    video_id = str((await ask(client, "POST", "/api/sample-video"))["videoId"])
    cameras = {"front_door": "Front Door", "loading_dock": "Loading Dock"}
    for camera_id, name in cameras.items():
        await ask(client, "POST", "/api/cameras", {"camera_id": camera_id, "name": name})
    for camera_id, kind, confidence in (
        ("front_door", "person", 0.95),
        ("loading_dock", "person", 0.92),
        ("loading_dock", "person", 0.97),
        ("front_door", "person", 0.91),
    ):
        body = {"camera_id": camera_id, "object_type": kind, "confidence": confidence, "bbox": [0.3, 0.2, 0.2, 0.6]}
        await ask(client, "POST", "/api/detections", body)
    await ask(client, "POST", "/api/cameras/sample")
    await ask(client, "PATCH", "/api/cameras/sample_camera", {"source": {"record_mode": "continuous"}})
    for zone in SAMPLE_ZONES:
        await ask(client, "POST", "/api/cameras/sample_camera/zones", zone)
    for text in ("The harbour camera is back", "Nightly report is ready", "Two uploads wait for review"):
        body = {"message_type": "manual_notification", "stage": "dev", "payload": {"title": text, "message": text}}
        await ask(client, "POST", "/api/messages", body)

    async def is_done() -> bool:
        video, events = await ask(client, "GET", f"/videos/{video_id}"), await ask(client, "GET", "/api/events")
        return video["status"] == "COMPLETED" and bool(events["events"])

    await until(is_done, within_s=120)
    return video_id


async def ask(client: httpx.AsyncClient, method: str, path: str, body: Any = None) -> Any:
    answer = await client.request(method, path, json=body)
    answer.raise_for_status()
    return answer.json()


async def take(browser: Browser, address: str, shot: Shot) -> None:
    context = await browser.new_context(viewport=shot.size or WIDE, color_scheme=shot.scheme, locale="en-GB")
    page = await context.new_page()
    await page.goto(address + shot.path)
    await page.wait_for_selector(shot.ready)
    if not shot.is_live:
        await page.wait_for_load_state("networkidle")
    await page.evaluate("Promise.all([...document.images].map(one => one.decode().catch(() => null)))")
    await page.screenshot(path=OUT / f"{shot.name}.png")
    await context.close()
    print(OUT / f"{shot.name}.png")


async def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    found = find_chromium()
    with tempfile.TemporaryDirectory(prefix="sightline-screenshots-") as folder:
        async with up(Path(folder) / "state") as platform, async_playwright() as playwright:
            async with httpx.AsyncClient(base_url=platform.address, timeout=60) as client:
                video_id = await fill(client)
            browser = await playwright.chromium.launch(
                executable_path=found.executable, env={**os.environ, **found.environment}, chromium_sandbox=False
            )
            for shot in shots(video_id):
                await take(browser, platform.address, shot)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
