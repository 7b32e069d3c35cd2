"""How soon a person before a camera is an event with its picture in a browser, with the settings that every installation has.

.venv/bin/python benchmarks/camera_page.py [--quick] [--json]

Needs `make vision`, and the browser of the tests. The platform is `sightline up` in processes of its own, without any setting;
four RTSP cameras send 1080p at 25 frames per second, and people pass before each of them in turn, far enough apart that each
is an event of its own. A page is open for each camera; in it a script presses "Show" when the bar says that there is a new
event, and waits until its picture is drawn. The time is from the first picture that the camera sends of the passage, in which
the person has not quite come into view, until then. Where the time went is taken apart by the times that the platform stores:
when the pictures were taken that a detector looked at, when the detection and its event were stored; all of one machine's clock.
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

import asyncpg
import httpx

from cameras import FPS, LOOKS_PER_S, Clip, clips
from harness import Result, main
from support.browser import find_chromium
from support.platform_process import database_url, up
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
  const bar = () => document.querySelector(".new-bar button");
  // An empty list shows the first event by itself; a list with events announces it.
  while (!bar() && document.querySelectorAll(".event-thumbnail").length <= before) await frame();
  const told = Date.now();
  bar()?.click();
  while (pictures().length <= before || !pictures()[0].complete || !pictures()[0].naturalWidth) await frame();
  return [told / 1000, Date.now() / 1000];
}"""


FIRST_REPORT = """
SELECT extract(epoch FROM d.detected_at) - (d.attributes ->> 'seconds')::float AS first_look,
       extract(epoch FROM d.detected_at)::float AS confirming_look,
       extract(epoch FROM d.created_at)::float AS stored, extract(epoch FROM e.created_at)::float AS event
FROM events AS e JOIN detections AS d USING (batch_id)
WHERE e.camera_id = $1 AND e.created_at > to_timestamp($2) ORDER BY e.created_at, d.id LIMIT 1
"""


@dataclass
class Passage:
    began: float
    """When the camera sent the first picture of it; all times are by the clock of this machine, in seconds."""
    announced: float
    drawn: float
    """When the picture of the event was drawn, after the page had announced it."""
    first_look: float = 0.0
    confirming_look: float = 0.0
    """When the pictures were taken that the detector found the person in, first and to be sure of them."""
    stored: float = 0.0
    event: float = 0.0

    @property
    def seen_s(self) -> float:
        return self.drawn - self.began

    def parts(self) -> dict[str, float]:
        return {
            "first picture to first look that saw the person": self.first_look - self.began,
            "first look to the look that confirmed them": self.confirming_look - self.first_look,
            "confirming look to stored detection": self.stored - self.confirming_look,
            "stored detection to stored event": self.event - self.stored,
            "stored event to the bar in the page": self.announced - self.event,
            "bar to drawn picture": self.drawn - self.announced,
        }


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
    rounds, cameras_count = (1, CAMERAS) if quick else (5, CAMERAS)
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
        found = await asyncio.gather(*tasks)
        await take_apart(Path(directory) / "state", found)
        looks = await mean_look_ms(http)
    every = [one for some in found for one in some]
    seen = sorted(one.seen_s for one in every)
    parts = {name: sorted(one.parts()[name] for one in every) for name in every[0].parts()}
    return Result(
        name="person in the picture to event with its picture in the page, default settings",
        figures={
            "p50": statistics.median(seen) * 1000,
            "p95": quantile(seen, 0.95) * 1000,
            "slowest": seen[-1] * 1000,
            **{f"{name}, p50": statistics.median(values) * 1000 for name, values in parts.items()},
            **{f"{name}, p95": quantile(values, 0.95) * 1000 for name, values in parts.items()},
            "a look, from its picture to its result, mean": looks,
        },
        unit="ms",
        notes=[
            f"{len(every)} of {rounds * cameras_count} passages made an event",
            f"load of the machine at the end: {os.getloadavg()[0]:.1f}",
        ],
    )


async def take_apart(state: Path, found: list[list[Passage]]) -> None:
    connection = await asyncpg.connect(await database_url(state))
    try:
        for number, passages in enumerate(found):
            for one in passages:
                row = await connection.fetchrow(FIRST_REPORT, f"yard_{number}", one.began)
                assert row is not None, "an event without a first report"
                one.first_look, one.confirming_look, one.stored, one.event = map(float, row)
    finally:
        await connection.close()


async def mean_look_ms(http: httpx.AsyncClient) -> float:
    lines = (await http.get("/metrics")).text.splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if line.startswith("sightline_camera_look_seconds_"))
    name = "sightline_camera_look_seconds"
    return 1000 * float(values[f"{name}_sum"]) / max(1.0, float(values[f"{name}_count"]))


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
        began, wall = time.monotonic(), time.time()
        done, _ = await asyncio.wait((waiting,), timeout=GIVE_UP_S)
        if done:
            found.append(Passage(wall, *waiting.result()))
        else:
            waiting.cancel()
            await opened.reload()
        await asyncio.sleep(max(0.0, BETWEEN_S - (time.monotonic() - began)))
    return found


def quantile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


if __name__ == "__main__":
    main(__doc__ or "", {"page": page})
