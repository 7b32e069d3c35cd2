"""Reading and writing objects as jobs do it."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from sightline.media.input import ObjectMissing
from sightline.objects import ObjectStore, StoredObject

UPLOADS_AT_ONCE = 8


async def need_object(objects: ObjectStore, key: str) -> StoredObject:
    found = await objects.head(key)
    if found is None:
        raise ObjectMissing(f"no object at {key}")
    return found


async def put_files(objects: ObjectStore, files: Sequence[tuple[str, Path]]) -> None:
    """Many small files, a few at a time."""
    waiting = iter(files)

    async def lane() -> None:
        for key, path in waiting:
            await objects.put_file(key, path)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(UPLOADS_AT_ONCE, len(files))):
                group.create_task(lane())
    except ExceptionGroup as several:
        raise several.exceptions[0] from several  # the runner judges one error
