"""A worker of one kind of job in a process of its own, to be killed: media_process.py KIND DATABASE_URL STATE_DIRECTORY."""

import asyncio
import sys
from pathlib import Path

from pydantic import SecretStr

from sightline import roles
from sightline.bootstrap import open_platform
from sightline.config import Settings
from sightline.db import DatabaseSettings
from sightline.jobs import JobsSettings, Worker
from sightline.objects import ObjectsSettings


async def main(kind: str, url: str, state: str) -> None:
    settings = Settings(
        state_dir=Path(state),
        database=DatabaseSettings(url=SecretStr(url)),
        objects=ObjectsSettings(minimum_free_bytes=0),
        jobs=JobsSettings(lease_s=1.0, heartbeat_s=0.3, poll_s=0.1),
    )
    async with open_platform(settings) as platform:
        listening = asyncio.create_task(platform.listener.run(asyncio.Event(), lambda: None))
        worker = Worker(
            getattr(roles, kind)(platform),
            database=platform.database,
            listener=platform.listener,
            settings=settings.jobs,
        )
        await worker.run(asyncio.Event(), lambda: print("ready", flush=True))
        await listening


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
