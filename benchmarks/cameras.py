"""What a camera costs, and how soon a person in the picture is an event; beside a loop that detects on every frame.

.venv/bin/python benchmarks/cameras.py [--quick] [--json] [--only delay]

Needs `make vision`. The camera is an RTSP server of this process that sends 1080p at 25 frames per second, 4 Mbit/s of H.264; the
platform is `sightline up` in processes of its own. CPU is processor time of all of them, less what they use without a camera, so
a busy machine changes little. The scene is the one of the sample camera, larger, with the noise of a sensor.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from functools import cache
from pathlib import Path

import av
import cv2
import httpx
import numpy as np
import psutil

from harness import Result, main
from sightline.cameras.sample import SAMPLE_CLIP
from sightline.vision import Tracker, VisionSettings, detector_status, open_detector

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from support.camera_clips import CodedPicture, nal_units
from support.platform_process import Up, up
from support.rtsp_server import RtspCamera
from support.watch_rig import until_state

Clip = tuple[CodedPicture, ...]
WIDTH, HEIGHT, FPS = 1920, 1080, 25
STILL, WALK = (0, 45), (50, 130)
"""Pictures of the sample clip, which has 10 a second, without and with the person."""
LOOKS_PER_S = 5
SETTINGS = {"SIGHTLINE_SECURITY_BATCH_IDLE_S": "1", "SIGHTLINE_SECURITY_BATCH_AGE_S": "2"}
"""A batch ends with its passage: persons who come within one batch would be one event."""


@cache
def code(first: int, last: int) -> tuple[CodedPicture, ...]:
    """A part of the sample clip as a camera would send it."""
    with av.open(str(SAMPLE_CLIP)) as container:
        pictures = [frame.to_ndarray(format="bgr24") for frame in container.decode(video=0)]
    chance = np.random.default_rng(7)
    noise = [chance.normal(0, 2, (HEIGHT, WIDTH, 1)).astype(np.int16) for _ in range(7)]
    context = av.CodecContext.create("libx264", "w")
    context.width, context.height, context.pix_fmt = WIDTH, HEIGHT, "yuv420p"
    context.time_base, context.bit_rate = Fraction(1, FPS), 4_000_000
    parameters = (
        f"keyint={2 * FPS}:min-keyint={2 * FPS}:scenecut=0:annexb=1:repeat-headers=1:vbv-maxrate=4000:vbv-bufsize=4000"
    )
    context.options = {"preset": "veryfast", "tune": "zerolatency", "x264-params": parameters}
    packets = []
    for number in range((last - first) * FPS // 10):
        large = cv2.resize(pictures[first + number * 10 // FPS], (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
        noisy = np.clip(large.astype(np.int16) + noise[number % len(noise)], 0, 255).astype(np.uint8)
        frame = av.VideoFrame.from_ndarray(noisy, format="bgr24")
        frame.pts = number
        packets += context.encode(frame)
    packets += context.encode()
    return tuple(CodedPicture(tuple(nal_units(bytes(packet))), packet.is_keyframe) for packet in packets)


def cpu_s(platform: Up) -> float:
    total = 0.0
    for process in platform.tree():
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


async def cpu_share(platform: Up, seconds: float) -> float:
    """Of one core, over this time."""
    began, used = time.monotonic(), cpu_s(platform)
    await asyncio.sleep(seconds)
    return (cpu_s(platform) - used) / (time.monotonic() - began)


async def clips() -> tuple[tuple[CodedPicture, ...], tuple[CodedPicture, ...]]:
    if not detector_status(VisionSettings()).is_installed:
        raise SystemExit("run `make vision` first")
    return await asyncio.to_thread(code, *STILL), await asyncio.to_thread(code, *WALK)


@asynccontextmanager
async def watching(clip: tuple[CodedPicture, ...]) -> AsyncIterator[tuple[Up, httpx.AsyncClient, RtspCamera]]:
    """A platform, and a camera that is not added yet."""
    with tempfile.TemporaryDirectory() as directory:
        state = Path(directory) / "state"
        async with (
            up(state, **SETTINGS) as platform,
            RtspCamera() as camera,
            httpx.AsyncClient(timeout=None, base_url=platform.address) as http,
        ):
            camera.clip, camera.fps = clip, FPS
            await asyncio.sleep(5)
            yield platform, http, camera


async def add(http: httpx.AsyncClient, platform: Up, camera: RtspCamera) -> None:
    body = {"name": "Yard", "source": {"address": camera.address, "looks_per_s": LOOKS_PER_S}}
    await http.post("/api/cameras", json=body)
    await until_state(http, "yard", "live")
    await asyncio.sleep(5)


async def cpu(quick: bool) -> Result:
    still, walk = await clips()
    seconds = 10 if quick else 30
    async with watching(still) as (platform, http, camera):
        idle = await cpu_share(platform, seconds)
        before = {process.pid for process in platform.tree()}
        await add(http, platform, camera)
        quiet = await cpu_share(platform, seconds) - idle
        # The other new process runs the models, and is larger.
        started = [p for p in platform.tree() if p.pid not in before and "postgres" not in p.name()]
        memory = min(p.memory_full_info().uss for p in started)
        camera.clip = walk
        await asyncio.sleep(5)
        busy = await cpu_share(platform, seconds) - idle
    short = FPS * (1 if quick else 4)
    naive_quiet, _ = await naive(still[:short])
    naive_busy, persons = await naive(walk[:short] if quick else walk)
    return Result(
        name=f"CPU of a 1080p camera at 25 frames/s, {LOOKS_PER_S} looks/s",
        figures={
            "ours, nothing moves": quiet * 100,
            "ours, a person walks all the time": busy * 100,
            "every frame detected, nothing moves": naive_quiet,
            "every frame detected, a person walks": naive_busy,
        },
        unit="% of a core",
        ratios={"nothing moves": naive_quiet / (quiet * 100), "a person walks": naive_busy / (busy * 100)},
        notes=[
            f"memory of the camera process alone: {memory / 2**20:.0f} MiB",
            f"without a camera the platform uses {idle * 100:.1f} % of a core, which is left out",
            f"the loop that detects every frame followed {persons} persons",
        ],
    )


async def delay(quick: bool) -> Result:
    still, walk = await clips()
    passages = 3 if quick else 10
    async with watching(still) as (platform, http, camera):
        await add(http, platform, camera)
        found = await delays(http, platform, camera, still, walk, passages=passages)
    return Result(
        name="person in the picture to event in the API",
        figures={
            "p50": statistics.median(found) * 1000,
            "p95": found[min(len(found) - 1, int(0.95 * len(found)))] * 1000,
        },
        unit="ms",
        notes=[f"{len(found)} of {passages} passages made an event"],
    )


async def delays(
    http: httpx.AsyncClient, platform: Up, camera: RtspCamera, still: Clip, walk: Clip, *, passages: int
) -> list[float]:
    """From the first picture with the person to the event in the API, for each passage that made one."""
    found: list[float] = []
    for _ in range(passages):
        await asyncio.sleep(8)  # the person of before has gone
        known = await event_ids(http, platform)
        camera.play_once(walk, then=still)
        await camera.began()
        appeared = time.monotonic()
        while time.monotonic() - appeared < 15:
            if await event_ids(http, platform) - known:
                found.append(time.monotonic() - appeared)
                break
            await asyncio.sleep(0.02)
        await asyncio.sleep(max(0.0, len(walk) / FPS - (time.monotonic() - appeared)))
    return sorted(found)


async def event_ids(http: httpx.AsyncClient, platform: Up) -> set[int]:
    return {one["id"] for one in (await http.get("/api/events")).json()["events"]}


async def naive(clip: tuple[CodedPicture, ...]) -> tuple[float, int]:
    """Decodes every frame and detects on every frame: CPU in percent of a core, and persons that were followed."""
    own = psutil.Process()

    def used() -> float:
        times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
        return sum(one.user + one.system for one in times)

    async with open_detector(VisionSettings()) as detector:
        assert detector is not None
        await detector.detect(np.zeros((HEIGHT, WIDTH, 3), np.uint8))  # loads the models
        decoder = av.CodecContext.create("h264", "r")
        tracker = Tracker()
        persons: set[str] = set()
        began = used()
        for number, picture in enumerate(clip):
            packet = av.Packet(b"".join(b"\x00\x00\x00\x01" + unit for unit in picture.units))
            for frame in decoder.decode(packet):
                objects = await detector.detect(np.asarray(frame.to_ndarray(format="rgb24"), np.uint8))
                for track in tracker.update(number / FPS, objects):
                    if track.is_confirmed and track.label == "person":
                        persons.add(track.track_id)
        return (used() - began) / (len(clip) / FPS) * 100, len(persons)


if __name__ == "__main__":
    main(__doc__ or "", {"cpu": cpu, "delay": delay})
