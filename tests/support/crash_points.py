"""Crash points: kills a process before every file system call it makes, one after the other, and checks what is left.

crash_points.py DIRECTORY

For each step there is a new copy of what the case prepared, a child does the work in it and kills itself (SIGKILL) right
before that step, and then this process checks. A case ends when a child finishes; the number of steps of each is printed.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sightline.objects import DiskObjectStore, PartTag, StoredPart, etag_of_parts
from support.objects_server import open_disk

STEPS = (
    *("open", "write", "pwrite", "fsync", "fdatasync", "ftruncate", "utime", "copy_file_range", "setxattr"),
    *("mkdir", "rename", "replace", "link", "unlink", "rmdir"),
)
KEY = "videos/original/v/master.mp4"
OLD = b"what was there before"
PARTS = (b"1" * 100, b"2" * 100, b"end")
WHOLE = b"".join(PARTS)


def die_before(step: int) -> None:
    """Counts calls from now on and kills the process before the given one."""
    taken = 0

    def counted(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal taken
            taken += 1
            if taken == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(*args, **kwargs)

        return call

    for name in STEPS:
        setattr(os, name, counted(getattr(os, name)))


async def with_objects(directory: Path, work: Callable[[DiskObjectStore], Awaitable[Any]]) -> Any:
    async with open_disk(directory, min_part_bytes=1) as opened:
        return await work(opened.objects)


class CompletionCase:
    """An upload of three parts is completed, over an object that was there before; one of the parts has to be copied."""

    async def prepare(self, objects: DiskObjectStore) -> dict[str, Any]:
        await objects.put(KEY, OLD)
        upload_id = await objects.create_upload(KEY)
        await objects.put_part(KEY, upload_id, 1, PARTS[0])
        await objects.put_part(KEY, upload_id, 2, b"not this one" * 8)
        await objects.put_part(KEY, upload_id, 2, PARTS[1])
        await objects.put_part(KEY, upload_id, 3, PARTS[2])
        return {"upload_id": upload_id}

    async def work(self, objects: DiskObjectStore, facts: dict[str, Any]) -> None:
        listed = await objects.list_parts(KEY, facts["upload_id"])
        die_before(facts["step"])
        await objects.complete_upload(KEY, facts["upload_id"], _tags(listed))

    async def check(self, directory: Path, facts: dict[str, Any]) -> str:
        async with open_disk(directory, min_part_bytes=1) as opened:
            objects = opened.objects
            before = await objects.get(KEY)
            assert before in (OLD, WHOLE), before
            # The client never got a response, and repeats the request.
            stored = await objects.complete_upload(KEY, facts["upload_id"], facts["tags"])
            assert stored.etag == facts["etag"]
            assert await objects.get(KEY) == WHOLE
            assert await objects.head(KEY) == stored
            await _check_announced(objects, opened.announced, facts["etag"])
            assert [one async for one in objects.find_uploads("")] == []
            return "old" if before == OLD else "new"


class PartCase:
    """A part is sent, in place of one that was there before."""

    async def prepare(self, objects: DiskObjectStore) -> dict[str, Any]:
        upload_id = await objects.create_upload(KEY)
        await objects.put_part(KEY, upload_id, 1, PARTS[0])
        return {"upload_id": upload_id}

    async def work(self, objects: DiskObjectStore, facts: dict[str, Any]) -> None:
        die_before(facts["step"])
        await objects.put_part(KEY, facts["upload_id"], 2, PARTS[1])
        await objects.put_part(KEY, facts["upload_id"], 2, b"3" * 100)

    async def check(self, directory: Path, facts: dict[str, Any]) -> str:
        async with open_disk(directory, min_part_bytes=1) as opened:
            objects, upload_id = opened.objects, facts["upload_id"]
            listed = await objects.list_parts(KEY, upload_id)
            await objects.complete_upload(KEY, upload_id, _tags(listed))
            found = await objects.get(KEY)
            assert found in (PARTS[0], PARTS[0] + PARTS[1], PARTS[0] + b"3" * 100), found
            assert len(found) == sum(part.size for part in listed)
            return {0: "none", 49: "first", 50: "first", 51: "second"}.get(found[-1] if len(found) > 100 else 0, "?")


class WholeObjectCase:
    """An object is sent whole, over one that was there before."""

    async def prepare(self, objects: DiskObjectStore) -> dict[str, Any]:
        await objects.put(KEY, OLD)
        return {}

    async def work(self, objects: DiskObjectStore, facts: dict[str, Any]) -> None:
        die_before(facts["step"])
        async with objects.receiver.object(KEY, length=len(WHOLE)) as incoming:
            await incoming.write(WHOLE)
            await incoming.flush()
            await incoming.commit()

    async def check(self, directory: Path, facts: dict[str, Any]) -> str:
        async with open_disk(directory) as opened:
            found = await opened.objects.get(KEY)
            assert found in (OLD, WHOLE), found
            stored = await opened.objects.head(KEY)
            assert stored is not None
            if found == WHOLE:
                await _check_announced(opened.objects, opened.announced, stored.etag)
            return "old" if found == OLD else "new"


async def _check_announced(objects: DiskObjectStore, announced: list[Any], etag: str) -> None:
    """Announced by the process that stored it, or left for the retry to announce."""
    announcements, _ = objects.maintenance()
    announcements._retry_after_s = 0
    await announcements.retry()
    assert {one.object.etag for one in announced} <= {etag}
    assert os.listdir(objects.layout.announcements) == [] or announced, "lost"
    assert announced, "nothing was announced"


def _tags(parts: list[StoredPart]) -> list[PartTag]:
    return [PartTag(part.number, part.etag) for part in parts]


async def prepared(case: Any, directory: Path) -> dict[str, Any]:
    """Prepares the directory of a case and returns what its check needs."""
    async with open_disk(directory, min_part_bytes=1) as opened:
        facts: dict[str, Any] = await case.prepare(opened.objects)
        if "upload_id" in facts:
            parts = await opened.objects.list_parts(KEY, facts["upload_id"])
            facts |= {"tags": _tags(parts), "etag": etag_of_parts(part.etag for part in parts)}
    return facts


def survives(case: Any, directory: Path, facts: dict[str, Any]) -> str | None:
    """What was found after a kill before that step; None if the work finished first."""
    child = os.fork()
    if child == 0:
        asyncio.run(with_objects(directory, lambda one: case.work(one, facts)))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        assert status == 0, status
        return None
    found: str = asyncio.run(case.check(directory, facts))
    return found


def kill_at_each_step(case: Any, holder: Path) -> dict[str, Any]:
    facts = asyncio.run(prepared(case, holder / "prepared"))
    seen: list[str] = []
    while True:
        shutil.copytree(holder / "prepared", holder / "tried")
        found = survives(case, holder / "tried", facts | {"step": len(seen) + 1})
        if found is None:
            return {"steps": len(seen), "seen": dict(Counter(seen))}
        shutil.rmtree(holder / "tried")
        seen.append(found)


def main(holder: Path) -> None:
    cases = {"complete": CompletionCase(), "part": PartCase(), "whole": WholeObjectCase()}
    print(json.dumps({name: kill_at_each_step(case, holder / name) for name, case in cases.items()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
