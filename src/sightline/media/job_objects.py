"""Object access of media jobs: required objects and parallel uploads."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from sightline.media.input import ObjectMissing
from sightline.objects import ObjectStore, StoredObject

MAX_PARALLEL_UPLOADS = 8


async def need_object(objects: ObjectStore, key: str) -> StoredObject:
    found = await objects.head(key)
    if found is None:
        raise ObjectMissing(f"no object at {key}")
    return found


async def put_files(objects: ObjectStore, files: Sequence[tuple[str, Path]]) -> None:
    """Stores many small files, a few in parallel."""
    waiting = iter(files)

    async def upload_next() -> None:
        for key, path in waiting:
            await objects.put_file(key, path)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(MAX_PARALLEL_UPLOADS, len(files))):
                group.create_task(upload_next())
    except ExceptionGroup as several:
        raise several.exceptions[0] from several  # the job runner decides about a retry by one error
