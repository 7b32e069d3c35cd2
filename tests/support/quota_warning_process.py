"""Checks quotas in a process of its own, to be killed: `python -m support.quota_warning_process URL STATE`."""

import asyncio
import sys
from pathlib import Path

from pydantic import SecretStr

from sightline.bootstrap import Platform, open_platform
from sightline.config import Settings
from sightline.objects import ObjectsSettings
from sightline.observability import create_registry
from sightline.quota_warnings import QuotaWarnings
from support.postgres import patient_settings


def quota_warnings(platform: Platform) -> QuotaWarnings:
    opened = platform.open_messages
    return QuotaWarnings(
        platform.database,
        opened.event_notifications,
        opened.store,
        platform.admission.quotas_of,
        page_url="https://example.com",
    )


async def main(url: str, state: Path) -> None:
    settings = Settings(
        state_dir=state,
        database=patient_settings(url=SecretStr(url)),
        objects=ObjectsSettings(minimum_free_bytes=0),
    )
    async with open_platform(settings, registry=create_registry()) as platform:
        await quota_warnings(platform).check()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
