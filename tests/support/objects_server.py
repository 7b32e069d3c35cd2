"""The disk backend behind its HTTP routes on a free loopback port, in the test's process or in one of its own that can be killed.

objects_server.py DIRECTORY PORT: serves until it is ended, and prints a line when it answers and one per announcement.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from sightline.api.s3 import ObjectsCors, create_objects_router
from sightline.api.serving.middleware import LastNet, RequestContext
from sightline.api.serving.server import HttpServer, bind
from sightline.contracts.storage_events import ObjectCreated
from sightline.objects import DiskObjectStore
from sightline.observability import create_registry
from sightline.sigv4 import SigningKey
from support import TESTS
from support.waiting import soon

KEY = SigningKey("TESTKEY", "test-secret-test-secret")
BUCKET = "fiapx-videos"
READY = b"ready\n"


@dataclass
class Served:
    objects: DiskObjectStore
    url: str
    """Where S3 clients find it."""
    announced: list[ObjectCreated] = field(default_factory=list)


async def _has_space(size: int | None) -> None:
    """The store without a platform knows of no other uploads."""


def create_app(objects: DiskObjectStore) -> FastAPI:
    app = FastAPI(openapi_url=None)
    app.include_router(create_objects_router(objects, _has_space))
    app.add_middleware(LastNet)
    app.add_middleware(ObjectsCors)
    app.add_middleware(RequestContext, registry=create_registry())
    return app


@asynccontextmanager
async def open_disk(directory: Path, url: str = "http://127.0.0.1:1", **options: Any) -> AsyncIterator[Served]:
    """The store alone; its URLs lead nowhere."""
    announced: list[ObjectCreated] = []

    async def announce(created: ObjectCreated) -> None:
        announced.append(created)

    usual: dict[str, Any] = {"key": KEY, "public_url": url, "announce": announce}
    objects = DiskObjectStore(directory, BUCKET, **(usual | options))
    try:
        yield Served(objects, f"{url}/objects", announced)
    finally:
        objects.close()


@asynccontextmanager
async def serving_disk(directory: Path, port: int = 0, **options: Any) -> AsyncIterator[Served]:
    listening = bind("127.0.0.1", port)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    async with open_disk(directory, url, **options) as served:
        stop, ready = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(HttpServer("objects", create_app(served.objects), listening).run(stop, ready.set))
        try:
            await soon(ready.wait())
            yield served
        finally:
            stop.set()
            await running
            listening.close()


@asynccontextmanager
async def server_process(
    directory: Path, port: int, *, before: Callable[[], None] | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The same in a process of its own, which runs `before` first."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "support.objects_server", str(directory), str(port)),
        stdout=asyncio.subprocess.PIPE,
        preexec_fn=before,
        cwd=TESTS,
    )
    try:
        assert process.stdout is not None
        assert await soon(process.stdout.readline()) == READY
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def _main(directory: str, port: str) -> None:
    async def announce(created: ObjectCreated) -> None:
        print(created.model_dump_json(), flush=True)

    async with serving_disk(Path(directory), int(port), announce=announce):
        print(READY.decode(), end="", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
