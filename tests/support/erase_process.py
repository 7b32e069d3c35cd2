"""Erases a person in a process of its own, one row at a time, to be killed: `python -m support.erase_process URL STATE SUBJECT`."""

import asyncio
import sys
from pathlib import Path

from pydantic import SecretStr

from sightline.bootstrap import open_platform
from sightline.config import Settings
from sightline.job_types import person_parts
from sightline.objects import ObjectsSettings
from sightline.observability import create_registry
from sightline.personal_data import Erasure, find_person
from support.postgres import patient_settings


async def main(url: str, state: Path, subject: str) -> None:
    settings = Settings(
        state_dir=state,
        database=patient_settings(url=SecretStr(url)),
        objects=ObjectsSettings(minimum_free_bytes=0),
    )
    async with open_platform(settings, registry=create_registry()) as platform:
        async with platform.database.transaction() as tx:
            person = await find_person(tx, subject)
        await Erasure(person_parts(platform), person, batch=1).run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))
