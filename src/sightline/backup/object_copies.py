"""Copies of objects in a backup target: by checksum, so that nothing is copied twice and no backup disturbs another."""

from collections.abc import Iterable

from sightline.backup.files import copy_with_checksum
from sightline.backup.manifest import ObjectEntry, object_name, read_objects, write_objects
from sightline.backup.target import BackupTarget
from sightline.byte_sizes import bytes_text
from sightline.errors import NotFound, PermanentFailure
from sightline.objects import ObjectStore, StoredObject
from sightline.stage_progress import ReportProgress, StageProgress

KNOWN = "known-objects.jsonl"
SAVE_EVERY = 500


class ObjectCopies:
    """Call `load` first. What an interrupted backup has copied is known to the next one."""

    def __init__(self, objects: ObjectStore, target: BackupTarget, report: ReportProgress) -> None:
        self._objects = objects
        self._target = target
        self._report = report
        self._known: dict[str, ObjectEntry] = {}
        self._present: dict[str, int] = {}
        self._unsaved = 0
        self.copied_count = 0
        self.copied_bytes = 0

    async def load(self) -> None:
        self._present = await self._target.sizes("objects/")
        try:
            async with self._target.local(KNOWN) as path:
                self._known = {entry.key: entry for entry in read_objects(path.read_bytes())}
        except NotFound:
            self._known = {}

    async def copy_all(self, stage: str) -> dict[str, ObjectEntry]:
        """Every object of the store, by key. One that disappears while it is copied is left out."""
        found: dict[str, ObjectEntry] = {}
        stored = [one async for one in self._objects.find("")]
        await self._check_space(stored)
        try:
            for number, one in enumerate(stored):
                self._report(StageProgress(stage, number, len(stored)))
                entry = await self._copy(one)
                if entry is not None:
                    found[entry.key] = entry
        finally:
            await self.save_known()
        self._report(StageProgress(stage, len(stored), len(stored)))
        return found

    async def _check_space(self, stored: Iterable[StoredObject]) -> None:
        """Before hours of copying. What is the same as another object by content is counted all the same."""
        needed = sum(one.size for one in stored if self._unchanged(one) is None)
        free = await self._target.free_bytes()
        if free is not None and free < needed:
            raise PermanentFailure(
                f"not enough space: {bytes_text(needed)} are to be copied, and {bytes_text(free)} are free there"
            )

    async def save_known(self) -> None:
        if self._unsaved:
            await store_lines(self._target, KNOWN, self._known.values())
            self._unsaved = 0

    async def _copy(self, stored: StoredObject) -> ObjectEntry | None:
        if (known := self._unchanged(stored)) is not None:
            return known
        try:
            async with self._objects.local(stored.key) as source, self._target.staging() as staged:
                sha256, size = await copy_with_checksum(source, staged)
                entry = _entry(stored, sha256).model_copy(update={"size": size})
                if not self._has(entry):
                    await self._target.store(object_name(sha256), staged)
                    self._present[object_name(sha256)] = size
                    self.copied_count += 1
                    self.copied_bytes += size
        except (NotFound, FileNotFoundError):
            return None
        self._known[stored.key] = entry
        self._unsaved += 1
        if self._unsaved >= SAVE_EVERY:
            await self.save_known()
        return entry

    def _unchanged(self, stored: StoredObject) -> ObjectEntry | None:
        known = self._known.get(stored.key)
        is_same = known is not None and known.is_same(_entry(stored, known.sha256)) and self._has(known)
        return known if is_same else None

    def _has(self, entry: ObjectEntry) -> bool:
        return self._present.get(object_name(entry.sha256)) == entry.size


def _entry(stored: StoredObject, sha256: str) -> ObjectEntry:
    return ObjectEntry(
        key=stored.key,
        size=stored.size,
        etag=stored.etag,
        modified_at=stored.modified_at,
        content_type=stored.content_type,
        sha256=sha256,
    )


async def store_lines(target: BackupTarget, name: str, entries: Iterable[ObjectEntry]) -> None:
    async with target.staging() as staged:
        with staged.open("xb") as file:
            file.writelines(write_objects(entries))
        await target.store(name, staged)
