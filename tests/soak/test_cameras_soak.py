"""Eight cameras for ten minutes: each person is one event, memory does not grow, and killed processes and cut cameras recover."""

import asyncio
import os
import signal
import statistics
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import httpx
import psutil
import pytest

from sightline.vision import VisionSettings, detector_status
from support.camera_clips import FPS
from support.platform_process import Up, up
from support.rtsp_server import RtspCamera
from support.waiting import soon, until
from support.walk import Clip, still_and_walk
from support.watch_rig import until_state

MINUTES = float(os.environ.get("SIGHTLINETEST_CAMERA_MINUTES", "10"))
CAMERAS = 8
APART_S = 3.0
"""Between the people of two cameras: three of them walk at any time."""
PAUSE_S = 14.0
"""Between two people before a camera: the track of the first has ended, and its batch is closed."""
SETTINGS = {"SIGHTLINE_SECURITY_BATCH_IDLE_S": "5", "SIGHTLINE_CAMERAS_LEASE_S": "5"}
WARM_UP_SHARE = 1 / 3
MAX_GROWTH = 1.05
"""Of the last third of the sizes over the middle third; Python's allocator moves by less."""

pytestmark = [
    pytest.mark.skipif(not os.environ.get("SIGHTLINETEST_SOAK"), reason="a long run; make soak"),
    pytest.mark.skipif(not detector_status(VisionSettings()).is_installed, reason="not installed: make vision"),
    pytest.mark.time_limit(3600),
]


class Soak:
    """Eight cameras and the platform that watches them, which may be killed and started again."""

    def __init__(self, state: Path, stack: AsyncExitStack) -> None:
        self.cameras: list[RtspCamera] = []
        self.passages = 0
        self._state = state
        self._stack = stack

    async def start(self) -> None:
        """The platform, on what it knew before."""
        self.platform: Up = await self._stack.enter_async_context(up(self._state, **SETTINGS))
        self.http = await self._stack.enter_async_context(
            httpx.AsyncClient(timeout=None, base_url=self.platform.address)
        )

    async def add_cameras(self, still: Clip) -> None:
        for number in range(CAMERAS):
            camera = await self._stack.enter_async_context(RtspCamera())
            camera.clip = still
            self.cameras.append(camera)
            body = {"name": f"cam {number}", "source": {"address": camera.address, "looks_per_s": 5}}
            assert (await self.http.post("/api/cameras", json=body)).status_code == 201

    async def all_live(self) -> None:
        for number in range(CAMERAS):
            await until_state(self.http, f"cam_{number}", "live")

    async def people_pass(self, walk: Clip, still: Clip) -> None:
        """One person before each camera, and the time after them."""
        for camera in self.cameras:
            camera.play_once(walk, then=still)
            await asyncio.sleep(APART_S)
        await asyncio.sleep(len(walk) / FPS + PAUSE_S)
        self.passages += 1

    async def check_events(self) -> None:
        """As many events of each camera as people passed: none lost, none doubled."""
        counts: list[int] = []

        async def all_there() -> bool:
            counts[:] = [len(await self.events(number)) for number in range(CAMERAS)]
            return min(counts) >= self.passages

        with suppress(AssertionError):  # the counts say more
            await until(all_there)
        assert counts == [self.passages] * CAMERAS

    async def events(self, number: int) -> list[int]:
        answer = await self.http.get("/api/events", params={"camera_id": f"cam_{number}", "limit": 200})
        return [one["id"] for one in answer.json()["events"] if "person" in one["object_types"]]

    def memory_bytes(self) -> int:
        total = 0
        for process in self.platform.tree():
            try:
                if "postgres" not in process.name():
                    total += process.memory_full_info().uss
            except psutil.NoSuchProcess:
                continue
        return total

    async def kill_platform(self) -> None:
        """`sightline up` alone, by SIGKILL; its children end by themselves, and it is started again."""
        tree = self.platform.tree()
        os.kill(self.platform.process.pid, signal.SIGKILL)
        await soon(self.platform.process.wait(), within_s=60)
        await until(lambda: not any(_is_alive(process) for process in tree), within_s=60)
        await self.start()

    async def kill_camera_process(self) -> None:
        """The youngest process that is connected to a relay: a camera's."""
        connected = [one for one in self.platform.tree() if one.net_connections("tcp") and _is_child(one)]
        victim = max(connected, key=lambda process: process.create_time())
        victim.kill()
        await until(lambda: not _is_alive(victim))

    async def cut(self, number: int) -> None:
        camera = self.cameras[number]
        await camera.unplug()
        await until_state(self.http, f"cam_{number}", "lost")
        await camera.plug_in()


async def test_eight_cameras_lose_nobody_double_nobody_and_do_not_grow(tmp_path):
    still, walk = await asyncio.to_thread(still_and_walk)
    async with AsyncExitStack() as stack:
        soak = Soak(tmp_path / "state", stack)
        await soak.start()
        await soak.add_cameras(still)
        await soak.all_live()
        await asyncio.sleep(5)  # the models are loaded, and the motion gates know the scene
        ends = time.monotonic() + MINUTES * 60
        sizes: list[int] = []
        while time.monotonic() < ends or soak.passages < 4:
            await soak.people_pass(walk, still)
            await soak.check_events()
            print(f"{soak.passages} passages, {soak.memory_bytes() // 2**20} MiB", flush=True)
            if soak.passages == 2:
                await soak.kill_platform()
                await soak.all_live()
                await soak.check_events()
                continue  # sizes are those of the process that lives from now on
            if soak.passages > 2:
                sizes.append(soak.memory_bytes())
            if soak.passages % 3 == 1:
                await soak.cut(soak.passages % CAMERAS)
            elif soak.passages % 3 == 0:
                await soak.kill_camera_process()
            await soak.all_live()
            await asyncio.sleep(3)
        print(f"{soak.passages} passages, {CAMERAS * soak.passages} events", mib(sizes), "MiB")
    check_steady(sizes)


def check_steady(sizes: Sequence[int]) -> None:
    """After the warm-up, memory stays where it is."""
    later = sizes[int(len(sizes) * WARM_UP_SHARE) :]
    middle, last = later[: len(later) // 2], later[len(later) // 2 :]
    if len(middle) >= 2:
        assert statistics.median(last) < MAX_GROWTH * statistics.median(middle), mib(sizes)


def mib(sizes: Sequence[int]) -> list[int]:
    return [size // 2**20 for size in sizes]


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _is_child(process: psutil.Process) -> bool:
    return any("forkserver" in part or "multiprocessing" in part for part in process.cmdline())
