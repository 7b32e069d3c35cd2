"""Watching cameras in a test: the real service on the test's platform, with a detector that needs no model."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sightline.bootstrap import Platform
from sightline.camera_services import camera_watch
from support.waiting import soon, until


@asynccontextmanager
async def watching(platform: Platform, detector: Any = None) -> AsyncIterator[Any]:
    """While the block runs, a process watches the cameras; without a detector it sees motion alone."""
    stop, ready = asyncio.Event(), asyncio.Event()
    service = camera_watch(platform, detector)
    task = asyncio.create_task(service.run(stop, ready.set))
    try:
        await soon(ready.wait())
        yield detector
    finally:
        stop.set()
        await task


async def state_of(client, camera_id: str) -> dict[str, Any]:
    return (await client.get(f"/api/cameras/{camera_id}")).json()["state"]


async def until_state(client, camera_id: str, *states: str) -> dict[str, Any]:
    found: dict[str, Any] = {}

    async def is_there() -> bool:
        nonlocal found
        found = await state_of(client, camera_id)
        return found["state"] in states

    await until(is_there)
    return found


async def until_detections(client, camera_id: str, enough=bool) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []

    async def is_there() -> bool:
        nonlocal found
        answer = await client.get("/api/detections", params={"camera_id": camera_id, "limit": 100})
        found = answer.json()["detections"]
        return enough(found)

    await until(is_there)
    return found
