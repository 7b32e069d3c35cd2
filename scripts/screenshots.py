"""Takes the pictures in docs/screenshots: every page in light, in dark and on a phone, of a platform that is started for it.

`--only video events` takes some of them; `--state DIR` keeps the platform's data there, and uses it again the next time.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Browser, ViewportSize, async_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))  # the browser and the platform's process are started as tests start them

from screenshot_scene import Scene, fill  # noqa: E402
from support.browser import find_chromium  # noqa: E402
from support.platform_process import up  # noqa: E402

OUT = ROOT / "docs" / "screenshots"
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 375, "height": 740}
LOOKS: dict[str, tuple[Any, ViewportSize]] = {
    "light": ("light", WIDE),
    "dark": ("dark", WIDE),
    "phone": ("light", PHONE),
}
"""Colours and size; all but the first are named in the file's name."""


@dataclass(frozen=True)
class Shot:
    name: str
    path: str
    ready: str = "main h1"
    is_live: bool = False
    """Whether the page never stops loading: new pictures keep coming."""
    hovered: str | None = None
    """What the pointer rests on."""


def shots(scene: Scene) -> list[Shot]:
    video = f"/ui/videos/{scene.sample_id}?t=11"
    first_in_list = "main [role=list] a"
    return [
        Shot("home", "/", "main"),
        Shot("videos", "/ui/videos", ".video-card img", hovered=".video-card:nth-of-type(1) .poster"),
        Shot("collections", "/ui/videos?view=collections", ".collection-card img"),
        Shot("links", "/ui/videos?view=shared", "main article"),
        Shot("trash", "/ui/videos?view=trash", ".trash-row"),
        Shot("video", video, ".text-row.now"),
        Shot("talk", f"/ui/videos/{scene.talk_id}?t=8", ".text-row.now", hovered=".video-timeline"),
        Shot("frames", f"{video}&tab=frames", ".frame-row img"),
        Shot("details", f"{video}&tab=details", "main dl"),
        Shot("search", "/ui/search?q=sightline", "main mark"),
        Shot("events", "/ui/events", first_in_list),
        Shot("event", f"/ui/events/{scene.event_id}", ".split-view-pane h2"),
        Shot("rules", "/ui/events/rules", "main h1"),
        Shot("cameras", "/ui/cameras", ".tile.live img:not([hidden])", is_live=True),
        Shot("camera", "/ui/cameras/sample_camera", ".view img:not([hidden])", is_live=True),
        Shot("camera-zones", "/ui/cameras/sample_camera?tab=zones", ".shape-canvas img:not([hidden])"),
        Shot("jobs", "/ui/jobs", first_in_list),
        Shot("queues", "/ui/jobs/queues", "main table, main [role=list]"),
        Shot("messages", "/ui/messages", first_in_list),
        Shot("notifications", "/ui/messages/preferences", "main fieldset, main form"),
        Shot("overview", "/ui/overview", ".plot"),
        Shot("settings", "/ui/settings", "main h2"),
        Shot("usage", "/ui/settings/usage", "main meter, main progress, main table"),
        Shot("your-data", "/ui/settings/data", "main h2"),
    ]


async def take(browser: Browser, address: str, shot: Shot, look: str) -> None:
    scheme, size = LOOKS[look]
    context = await browser.new_context(viewport=size, color_scheme=scheme, locale="en-GB")
    page = await context.new_page()
    await page.goto(address + shot.path)
    await page.wait_for_selector(shot.ready)
    if not shot.is_live:
        await page.wait_for_load_state("networkidle")
    if shot.hovered is not None and size is WIDE:
        await page.locator(shot.hovered).first.hover()
        await page.wait_for_load_state("networkidle")
    await page.evaluate("Promise.all([...document.images].map(one => one.decode().catch(() => null)))")
    file = OUT / (f"{shot.name}.png" if look == "light" else f"{shot.name}-{look}.png")
    await page.screenshot(path=file)
    await context.close()
    print(file)


def chosen(all_shots: list[Shot], names: list[str]) -> Iterator[Shot]:
    known = {shot.name for shot in all_shots}
    if unknown := set(names) - known:
        sys.exit(f"No such page: {', '.join(sorted(unknown))}. There are {', '.join(sorted(known))}.")
    return (shot for shot in all_shots if not names or shot.name in names)


async def scene_of(state: Path, address: str) -> Scene:
    """Made at the first start with a state directory."""
    kept = state / "scene.json"
    if kept.exists():
        return Scene(**json.loads(kept.read_text()))
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        scene = await fill(client, address)
    kept.write_text(json.dumps(asdict(scene)))
    return scene


async def main(options: argparse.Namespace) -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    found = find_chromium()
    with tempfile.TemporaryDirectory(prefix="sightline-screenshots-") as folder:
        state = options.state or Path(folder) / "state"
        async with up(state) as platform, async_playwright() as playwright:
            scene = await scene_of(state, platform.address)
            browser = await playwright.chromium.launch(
                executable_path=found.executable, env={**os.environ, **found.environment}, chromium_sandbox=False
            )
            for shot in chosen(shots(scene), options.only):
                for look in options.looks:
                    await take(browser, platform.address, shot, look)
            await browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="PAGE", help="pages to take, by name")
    parser.add_argument("--looks", nargs="+", default=list(LOOKS), choices=list(LOOKS), help="looks to take")
    parser.add_argument("--state", type=Path, help="a directory that keeps the platform's data")
    asyncio.run(main(parser.parse_args()))
