"""Detections taken in per second, and how long a certain person takes from the request to the live feed.

.venv/bin/python benchmarks/detections.py [--quick] [--json] [--only intake]
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from pydantic import SecretStr
from websockets.asyncio.client import connect

from harness import Result, main, postgres
from sightline.api import HttpServer, bind, create_app
from sightline.bootstrap import Platform, open_platform
from sightline.config import ApiSettings, Settings
from sightline.db import DatabaseSettings
from sightline.job_types import worker_for
from sightline.security import SecuritySettings

CAMERAS = [f"camera_{number}" for number in range(8)]
BULK = 100


@dataclass
class Served:
    platform: Platform
    port: int
    http: httpx.AsyncClient


@asynccontextmanager
async def served() -> AsyncIterator[Served]:
    """The API with its hub and a worker for assessments, in this process, on a server with default durability."""
    async with postgres() as server:
        with TemporaryDirectory(ignore_cleanup_errors=True) as directory:
            settings = Settings(
                state_dir=Path(directory),
                database=DatabaseSettings(url=SecretStr(server.url)),
                api=ApiSettings(rate_limit_per_minute=0),
                security=SecuritySettings(fast_path_pause_s=0),
            )
            async with open_platform(settings) as platform:
                await platform.bus.create()
                listening = bind("127.0.0.1", 0)
                port = listening.getsockname()[1]
                stop = asyncio.Event()
                services: list[Any] = [
                    platform.listener,
                    platform.live_hub,
                    worker_for(platform.security.assess_risk, platform),
                    HttpServer("api", create_app(platform), listening),
                ]
                tasks = []
                for service in services:
                    ready = asyncio.Event()
                    tasks.append(asyncio.create_task(service.run(stop, ready.set)))
                    await ready.wait()
                limits = httpx.Limits(max_connections=16)
                async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", limits=limits, timeout=60) as http:
                    for name in CAMERAS:
                        (await http.post("/api/cameras", json={"name": name})).raise_for_status()
                    yield Served(platform, port, http)
                stop.set()
                await asyncio.gather(*tasks)


def detection(camera_id: str, confidence: float = 0.7) -> dict[str, Any]:
    return {
        "camera_id": camera_id,
        "object_type": "person",
        "confidence": confidence,
        "bbox": [0.2, 0.3, 0.1, 0.4],
        "attributes": {"color": "red"},
    }


async def intake(quick: bool) -> Result:
    async with served() as place:
        figures = {
            "one per request, 8 detectors": await _rate(place, 40 if quick else 400, 1),
            f"{BULK} per request, 8 detectors": await _rate(place, 4 if quick else 40, BULK),
        }
        async with place.platform.database.transaction() as tx:
            kept = await tx.fetchval("SELECT count(*) FROM detections")
    note = f"{kept} detections kept; client, API and worker share one process, and assessments run meanwhile"
    return Result("detections taken in over HTTP", figures, "detections/s", notes=[note])


async def _rate(place: Served, requests: int, size: int) -> float:
    async def detector(camera_id: str) -> None:
        body = {"detections": [detection(camera_id)] * size} if size > 1 else detection(camera_id)
        for _ in range(requests):
            (await place.http.post("/api/detections", json=body)).raise_for_status()

    started = time.perf_counter()
    await asyncio.gather(*(detector(camera_id) for camera_id in CAMERAS))
    return requests * size * len(CAMERAS) / (time.perf_counter() - started)


async def person_to_feed(quick: bool) -> Result:
    """One at a time, as they happen: request → batch → job → rules → event → socket."""
    seconds = []
    async with served() as place, connect(f"ws://127.0.0.1:{place.port}/ws/events", proxy=None) as socket:
        await socket.recv()
        for number in range(20 if quick else 200):
            started = time.perf_counter()
            await place.http.post("/api/detections", json=detection(CAMERAS[number % len(CAMERAS)], 0.95))
            while "sequence" not in json.loads(await socket.recv()):
                pass
            seconds.append(time.perf_counter() - started)
    cuts = quantiles(seconds, n=100)
    figures = {"p50": cuts[49] * 1000, "p99": cuts[98] * 1000}
    return Result("a certain person, from the request to a client of the feed", figures, "ms")


if __name__ == "__main__":
    main(__doc__ or "", {"intake": intake, "person_to_feed": person_to_feed})
