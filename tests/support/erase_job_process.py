"""Runs jobs that erase people in a process of its own, to be killed: `python -m support.erase_job_process URL STATE`."""

import asyncio
import sys
from pathlib import Path

from pydantic import SecretStr

from sightline.bootstrap import open_platform
from sightline.config import Settings
from sightline.job_types import JOBS
from sightline.jobs import JobsSettings, Worker
from sightline.objects import ObjectsSettings
from sightline.observability import create_registry
from support.postgres import patient_settings


async def main(url: str, state: Path) -> None:
    settings = Settings(
        state_dir=state,
        database=patient_settings(url=SecretStr(url)),
        objects=ObjectsSettings(minimum_free_bytes=0),
    )
    async with open_platform(settings, registry=create_registry()) as platform:
        jobs = JobsSettings(lease_s=1, heartbeat_s=0.3, poll_s=0.1)
        worker = Worker(
            JOBS["person_erasure"](platform), database=platform.database, listener=platform.listener, settings=jobs
        )
        await worker.run(asyncio.Event(), lambda: None)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
