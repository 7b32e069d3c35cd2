"""How fast the page is, by the browser's own measures: first visits, what a person does, and scrolling lists of 10,000.

.venv/bin/python benchmarks/page.py [--quick] [--json] [--only visit]

Needs the browser of the tests. The platform is `sightline up` in processes of its own, with the sample video, 10,000 older videos
and 10,000 finished jobs. The processor of the page is slowed down four times, as Lighthouse does for phones; first visits have
its slow 4G too (150 ms, 1.6 Mbit/s, an empty cache). Interactions are taken from the browser's trace: from the click or key until
the next picture is drawn, the longest event of each (what INP counts). The browser shares the machine with the platform, and with
whatever else runs there: say the load. The processor time of the page's main thread within an interaction, slowed down as well,
depends less on it.
"""

import asyncio
import json
import os
import statistics
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncpg
import httpx

from camera_page import browser, quantile
from harness import Result, main
from sightline.client import AsyncSightline
from support.platform_process import database_url, up
from support.sample_film import sample_film

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Page

SLOWER = 4
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
PHONE = {"width": 412, "height": 823}
DESK = {"width": 1280, "height": 800}
ROWS = 10_000
SETTLE_MS = 120
"""Between two interactions of a person: what one has begun is over when the next is measured."""
BLOCKING_MS = 50
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"]
LOAD = """() => {
  const kept = (window.kept = { lcp: 0, cls: 0, tasks: [] });
  const on = (type, each) => new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  on("largest-contentful-paint", (entry) => (kept.lcp = entry.startTime));
  on("layout-shift", (entry) => (kept.cls += entry.hadRecentInput ? 0 : entry.value));
  on("longtask", (entry) => kept.tasks.push([entry.startTime, entry.duration]));
}"""
SCROLL = """async (seconds) => {
  const frame = () => new Promise(requestAnimationFrame);
  const started = performance.now();
  const times = [];
  let nodes = 0;
  let last = await frame();
  while (performance.now() - started < seconds * 1000) {
    window.scrollBy(0, 150);
    const now = await frame();
    times.push(now - last);
    last = now;
    nodes = Math.max(nodes, document.querySelectorAll("*").length);
  }
  return [times, window.scrollY, nodes];
}"""
PAGES = {
    "home": "/",
    "videos": "/ui/videos",
    "search": "/ui/search",
    "events": "/ui/events",
    "cameras": "/ui/cameras",
    "jobs": "/ui/jobs",
    "settings": "/ui/settings",
}


@dataclass(frozen=True)
class Filled:
    address: str
    video_id: str
    chromium: "Browser"


@asynccontextmanager
async def filled() -> AsyncIterator[Filled]:
    async with AsyncExitStack() as stack:
        state = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))) / "state"
        platform = await stack.enter_async_context(up(state))
        chromium = await stack.enter_async_context(browser())
        async with AsyncSightline(platform.address) as client:
            film = await asyncio.to_thread(sample_film)
            video = await client.wait_until_searchable(await client.upload(film))
        async with httpx.AsyncClient(base_url=platform.address) as http:
            owner = (await http.get("/api/me")).json()["user_id"]
        connection = await asyncpg.connect(await database_url(state))
        try:
            await connection.execute(
                "INSERT INTO videos (owner_id, name, status, created_at) "
                "SELECT $1, 'Lecture ' || n, 'COMPLETED', now() - n * interval '1 minute' FROM generate_series(1, $2::int) AS n",
                owner,
                ROWS,
            )
            await connection.execute("SET session_replication_role = replica")  # jobs that are done are not new ones
            await connection.execute(
                "INSERT INTO jobs (job_type, status, video_id, payload, created_at, started_at, finished_at) "
                "SELECT 'segment_index', 'done', v.id, '{}', v.created_at, v.created_at, v.created_at + interval '2 seconds' "
                "FROM videos AS v WHERE v.name LIKE 'Lecture %'"
            )
            await connection.execute("ANALYZE")
        finally:
            await connection.close()
        yield Filled(platform.address, video.video_id, chromium)


@asynccontextmanager
async def slow_page(
    chromium: "Browser", size: Any, *, slower: int = SLOWER
) -> AsyncIterator[tuple["Page", "CDPSession"]]:
    context = await chromium.new_context(viewport=size, service_workers="block")
    try:
        page = await context.new_page()
        tools = await context.new_cdp_session(page)
        await tools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        yield page, tools
    finally:
        await context.close()


async def visit(quick: bool) -> Result:
    """Each page of its own, with an empty cache, as Lighthouse visits one."""
    figures: dict[str, float] = {}
    async with filled() as site:
        for name, path in PAGES.items():
            seen = [await _visit(site, path) for _ in range(1 if quick else 3)]
            for figure in seen[0]:
                figures[f"{name}, {figure}"] = statistics.median(one[figure] for one in seen)
    return _result(
        "a first visit on a phone with slow 4G", figures, "ms, kB over the line, layout shift in thousandths"
    )


async def _visit(site: Filled, path: str) -> dict[str, float]:
    async with slow_page(site.chromium, PHONE) as (page, tools):
        await tools.send("Network.enable")
        await tools.send("Network.emulateNetworkConditions", SLOW_4G)
        sizes: dict[str, float] = {}
        tools.on("Network.loadingFinished", lambda told: sizes.update({told["requestId"]: told["encodedDataLength"]}))
        own: set[str] = set()
        tools.on(
            "Network.responseReceived",
            lambda told: own.add(told["requestId"]) if "/ui" in told["response"]["url"] else None,
        )
        await page.add_init_script(f"({LOAD})()")
        await page.goto(site.address + path)
        await page.wait_for_selector("main h1")
        await page.wait_for_load_state("networkidle")
        kept = await page.evaluate(
            "() => ({...window.kept, fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0})"
        )
        blocked = sum(max(0.0, took - BLOCKING_MS) for began, took in kept["tasks"] if began + took > kept["fcp"])
        return {
            "files of the page": sum(size for key, size in sizes.items() if key in own) / 1000,
            "first paint": kept["fcp"],
            "largest paint": kept["lcp"],
            "total blocking time": blocked,
            "layout shift": 1000 * kept["cls"],
        }


async def interact(quick: bool) -> Result:
    async with filled() as site, slow_page(site.chromium, DESK) as (page, _):
        await page.goto(site.address)
        await page.wait_for_selector("main h1")
        await site.chromium.start_tracing(page=page, categories=TRACED)
        for _ in range(1 if quick else 3):
            await _use(page, site)
        events = json.loads(await site.chromium.stop_tracing())["traceEvents"]
    found = _interactions(events)
    ordered = sorted(one.took_ms for one in found)
    keys = sorted(one.took_ms for one in found if one.kind.startswith("key"))
    worked = sorted(one.worked_ms for one in found)
    figures = {
        "interactions": float(len(ordered)),
        "p50": statistics.median(ordered),
        "p75": quantile(ordered, 0.75),
        "p95": quantile(ordered, 0.95),
        "longest": ordered[-1],
        "keys, p95": quantile(keys, 0.95),
        "processor time of the main thread, p50": statistics.median(worked),
        "processor time of the main thread, p95": quantile(worked, 0.95),
        "processor time of the main thread, most": worked[-1],
    }
    return _result("a click or key until the next picture, processor four times slower", figures, "ms")


@dataclass(frozen=True)
class Interaction:
    kind: str
    began_us: float
    took_ms: float
    worked_ms: float = 0.0


def _interactions(events: list[dict[str, Any]]) -> list[Interaction]:
    """The longest event of each interaction, with what the main thread of its page worked until its end."""
    longest: dict[int, tuple[Interaction, tuple[int, int]]] = {}
    for event in events:
        told = event.get("args", {}).get("data", {})
        if event["name"] != "EventTiming" or not told.get("interactionId"):
            continue
        one = Interaction(told["type"], float(event["ts"]), float(told["duration"]))
        known = longest.get(told["interactionId"])
        if known is None or one.took_ms > known[0].took_ms:
            longest[told["interactionId"]] = one, (event["pid"], event["tid"])
    tasks = [event for event in events if event["name"] == "RunTask" and "tdur" in event]

    def worked(one: Interaction, thread: tuple[int, int]) -> float:
        end = one.began_us + one.took_ms * 1000
        own = (task for task in tasks if (task["pid"], task["tid"]) == thread)
        return sum(float(task["tdur"]) for task in own if one.began_us - 2000 <= task["ts"] < end) / 1000

    return [replace(one, worked_ms=worked(one, thread)) for one, thread in longest.values()]


async def _use(page: "Page", site: Filled) -> None:
    """What a person does: pages, filters, selections, a search, the palette, settings, a video."""
    keys = page.keyboard

    async def do(act: Awaitable[Any]) -> None:
        await act
        await page.wait_for_timeout(SETTLE_MS)

    async def write(text: str) -> None:
        for letter in text:
            await do(keys.press(letter))

    def link(name: str) -> Callable[[], Awaitable[None]]:
        return page.get_by_role("navigation").first.get_by_role("link", name=name, exact=True).click

    await do(link("Videos")())
    await page.locator(".video-card").first.wait_for()
    for key in ("j", "j", "x", "j", "X", "Escape"):
        await do(keys.press(key))
    await do(page.get_by_placeholder("Find by name").click())
    await write("lecture 99")
    await do(link("Search")())
    await page.get_by_role("combobox").last.click()
    await write("sightline")
    await page.locator("main mark").first.wait_for()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "Escape"):
        await do(keys.press(key))
    await do(keys.press("Control+k"))
    await write("came")
    await do(keys.press("ArrowDown"))
    await do(keys.press("Escape"))
    await do(link("Events")())
    await do(page.get_by_role("button", name="Acknowledged", exact=True).click())
    await do(link("Cameras")())
    await do(page.get_by_role("button", name="Add camera").first.click())
    await do(keys.press("Escape"))
    await do(page.get_by_role("link", name="Settings").first.click())
    await do(page.get_by_text("Dark", exact=True).click())
    await do(page.get_by_text("System", exact=True).click())
    await page.goto(f"{site.address}/ui/videos/{site.video_id}?t=11")
    await page.locator(".text-row").first.wait_for()
    for tab in ("Frames", "Details", "Text"):
        await do(page.get_by_role("tab", name=tab).click())
    for key in ("k", "k", "l", "j", "i", "o", "t", "t", "?"):
        await do(keys.press(key))
    await do(keys.press("Escape"))


async def lists(quick: bool) -> Result:
    figures: dict[str, float] = {}
    seconds = 3 if quick else 10
    async with filled() as site:
        for name, path, row in (("videos", "/ui/videos", ".video-card"), ("jobs", "/ui/jobs", "main [role=list] a")):
            for slower in (1, SLOWER):
                async with slow_page(site.chromium, DESK, slower=slower) as (page, _):
                    await page.goto(site.address + path)
                    await page.locator(row).first.wait_for()
                    times, reached, nodes = await page.evaluate(SCROLL, seconds)
                ordered = sorted(times)
                at = f"{name}, processor {slower} times slower" if slower > 1 else name
                figures |= {
                    f"{at}: pictures a second": len(times) / seconds,
                    f"{at}: p95 between pictures": quantile(ordered, 0.95),
                    f"{at}: longest": ordered[-1],
                    f"{at}: pixels scrolled": reached,
                    f"{at}: most elements": nodes,
                }
    return _result(f"scrolling {ROWS:,} rows, 150 pixels for each picture", figures, "ms, counts")


def _result(name: str, figures: dict[str, float], unit: str) -> Result:
    load = f"load of the machine at the end: {os.getloadavg()[0]:.1f}"
    return Result(name=name, figures=figures, unit=unit, notes=[load])


if __name__ == "__main__":
    main(__doc__ or "", {"visit": visit, "interact": interact, "lists": lists})
