"""The disk keeper behind uvicorn as `sightline up` runs it, without a database: objects_ours.py DIRECTORY PORT."""

import asyncio
import sys
from pathlib import Path

import structlog
import uvloop

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
from support import objects_server


async def serve(directory: str, port: str) -> None:
    async with objects_server.serving_disk(Path(directory), int(port)):
        await asyncio.Event().wait()


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    uvloop.run(serve(*sys.argv[1:]))
