"""How soon a person before a camera is an event with its picture in a browser, with the settings that every installation has.

.venv/bin/python benchmarks/camera_page.py [--quick] [--json]

Needs `make vision`, and the browser of the tests. The platform is `sightline up` in processes of its own, without any setting;
four RTSP cameras send 1080p at 25 frames per second, and people pass before each of them in turn, far enough apart that each
is an event of its own. A page is open for each camera; in it a script presses "Show" when the bar says that there is a new
event, and waits until its picture is drawn. The time is from the first picture that the camera sends of the passage, in which
the person has not quite come into view, until then.
"""

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from cameras import FPS, LOOKS_PER_S, Clip, clips
from harness import Result, main
from support.browser import find_chromium
from support.platform_process import up
from support.rtsp_server import RtspCamera
from support.watch_rig import until_state

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

CAMERAS = 4
BETWEEN_S = 48.0
"""Between two people before one camera: the batch of the first closes after 30 s without a detection."""
GIVE_UP_S = 30.0
WAIT = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const pictures = () => [...document.querySelectorAll(".event-thumbnail img")];
  const before = document.querySelectorAll(".event-thumbnail").length;
  while (!document.querySelector(".new-bar button")) await frame();
  const told = performance.now();
  document.querySelector(".new-bar button").click();
  while (pictures().length <= before || !pictures()[0].complete || !pictures()[0].naturalWidth) await frame();
  return performance.now() - told;
}"""


@dataclass
class Passage:
    seen_s: float
    """Until the picture was drawn."""
    drawn_s: float
    """Of that, since the page said that there is a new event."""


@asynccontextmanager
async def browser() -> "AsyncIterator[Browser]":
    from playwright.async_api import async_playwright

    found = await asyncio.to_thread(find_chromium)
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(
            executable_path=found.executable, env={**os.environ, **found.environment}, chromium_sandbox=False
        )
        yield opened
        await opened.close()


async def page(quick: bool) -> Result:
    still, walk = await clips()
    rounds, cameras_count = (1, 2) if quick else (5, CAMERAS)
    async with AsyncExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        platform = await stack.enter_async_context(up(Path(directory) / "state"))
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=None, base_url=platform.address))
        chromium = await stack.enter_async_context(browser())
        tasks = []
        for number in range(cameras_count):
            camera = await stack.enter_async_context(RtspCamera())
            camera.clip, camera.fps = still, FPS
            body = {"name": f"Yard {number}", "source": {"address": camera.address, "looks_per_s": LOOKS_PER_S}}
            (await http.post("/api/cameras", json=body)).raise_for_status()
            await until_state(http, f"yard_{number}", "live")
            opened = await chromium.new_page()
            await opened.goto(f"{platform.address}/ui/events?camera=yard_{number}")
            await opened.wait_for_selector(".live-line.live")
            starts_s = 10 + number * BETWEEN_S / cameras_count
            tasks.append(asyncio.create_task(passages(camera, opened, still, walk, starts_s, rounds)))
        found = [one for some in await asyncio.gather(*tasks) for one in some]
    seen = sorted(one.seen_s for one in found)
    drawn = sorted(one.drawn_s for one in found)
    return Result(
        name="person in the picture to event with its picture in the page, default settings",
        figures={
            "p50": statistics.median(seen) * 1000,
            "p95": quantile(seen, 0.95) * 1000,
            "slowest": seen[-1] * 1000,
            "of that: from the bar to the drawn picture, p50": statistics.median(drawn) * 1000,
            "of that: from the bar to the drawn picture, p95": quantile(drawn, 0.95) * 1000,
        },
        unit="ms",
        notes=[f"{len(found)} of {rounds * cameras_count} passages made an event"],
    )


async def passages(
    camera: RtspCamera, opened: "Page", still: Clip, walk: Clip, starts_s: float, rounds: int
) -> list[Passage]:
    found = []
    await asyncio.sleep(starts_s)
    for _ in range(rounds):
        waiting = asyncio.create_task(opened.evaluate(WAIT))
        await asyncio.sleep(1)  # the page waits by then
        camera.play_once(walk, then=still)
        await camera.began()
        began = time.monotonic()
        done, _ = await asyncio.wait((waiting,), timeout=GIVE_UP_S)
        if done:
            found.append(Passage(time.monotonic() - began, waiting.result() / 1000))
        else:
            waiting.cancel()
            await opened.reload()
        await asyncio.sleep(max(0.0, BETWEEN_S - (time.monotonic() - began)))
    return found


def quantile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


if __name__ == "__main__":
    main(__doc__ or "", {"page": page})
