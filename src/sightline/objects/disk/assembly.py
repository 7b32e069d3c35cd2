"""Completion of uploads on disk: the parts become one object, atomically, however often completion is requested.

The steps leave the upload completable until the file gets its name, and completed from then on. After a kill between any two
of them, the same request can be repeated (ADR 0013).
"""

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sightline.contracts.storage_events import object_created
from sightline.errors import NotFound
from sightline.objects.content_types import content_type_of
from sightline.objects.disk.announcements import Announcement, PendingAnnouncements
from sightline.objects.disk.assembly_plan import AssemblyPlan, plan_assembly
from sightline.objects.disk.completed import CompletedUpload, CompletedUploads, fingerprint
from sightline.objects.disk.files import copy_range, try_lock
from sightline.objects.disk.layout import DiskLayout, changed_at
from sightline.objects.disk.metadata import MetadataStore, ObjectMetadata
from sightline.objects.disk.parts import PartRecord
from sightline.objects.disk.uploads import DiskUploads, UploadFolder
from sightline.objects.errors import no_such_upload, translate_os_errors
from sightline.objects.protocol import choose_parts, etag_of_parts
from sightline.objects.store import MIN_PART_BYTES, PartTag, StoredObject


class DiskAssembly:
    def __init__(
        self,
        bucket: str,
        layout: DiskLayout,
        metadata: MetadataStore,
        uploads: DiskUploads,
        completed: CompletedUploads,
        pending: PendingAnnouncements,
        *,
        min_part_bytes: int = MIN_PART_BYTES,
        check_open: Callable[[], None] = lambda: None,
    ) -> None:
        self._bucket = bucket
        self._layout = layout
        self._metadata = metadata
        self._uploads = uploads
        self._completed = completed
        self._pending = pending
        self._min_part_bytes = min_part_bytes
        self._check_open = check_open

    def complete(self, key: str, upload_id: str, tags: Sequence[PartTag]) -> tuple[StoredObject, Announcement | None]:
        """The object, and its announcement if it is still to be sent."""
        try:
            folder = self._uploads.open(key, upload_id)
            with self._uploads.locked(folder):
                if not self._completed.is_published(upload_id, folder.path):
                    with translate_os_errors(f"complete {key}"):
                        return self._complete(folder, tags)
                self._uploads.remove(folder)
        except (NotFound, FileNotFoundError) as error:
            if not self._uploads.is_id(upload_id):
                raise no_such_upload(key, upload_id) from error
        # Another process completed it: earlier, while this one waited, or just before it was killed.
        known = self._completed.load(upload_id)
        if known is None or (known.key, known.parts) != (key, fingerprint(tags)):
            raise no_such_upload(key, upload_id)
        return known.as_stored(), None

    def _complete(self, folder: UploadFolder, tags: Sequence[PartTag]) -> tuple[StoredObject, Announcement]:
        stored = folder.parts()
        chosen = choose_parts(tags, stored, min_bytes=self._min_part_bytes)
        etag = etag_of_parts(part.etag for part in chosen)
        assert etag is not None
        with self._assembled(folder, chosen, list(stored.values()), etag) as source:
            facts = source.stat()
            completed = CompletedUpload(
                folder.key,
                fingerprint(tags),
                source.name,
                etag,
                facts.st_size,
                folder.content_type or content_type_of(folder.key),
                changed_at(facts).isoformat(),
            )
            created = object_created(
                self._bucket, folder.key, size=completed.size, etag=etag, reason="CompleteMultipartUpload"
            )
            announcement = self._pending.add(folder.upload_id, created)
            self._completed.save(folder.upload_id, completed)
            replaced = self._layout.find(folder.key)
            self._pending.drop_on_conflict(announcement, lambda: self._layout.publish(source, folder.key))
        if replaced is not None:
            self._metadata.forget(folder.key, replaced[1])
        self._uploads.remove(folder)
        return completed.as_stored(), announcement

    @contextmanager
    def _assembled(
        self, folder: UploadFolder, chosen: Sequence[PartRecord], stored: Sequence[PartRecord], etag: str
    ) -> Iterator[Path]:
        """The complete file in the folder of the upload. No other process can start writing to it inside."""
        plan = plan_assembly(chosen, stored)
        handle = None if plan.base is None else _open_unused(folder.path / plan.base)
        if handle is None:
            # A part is being sent again: its writer has the file open, and would continue to write into the object.
            plan = plan_assembly(chosen, stored, in_place=False)
            path = folder.path / f"whole-{secrets.token_hex(6)}"
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
        else:
            path = folder.path / str(plan.base)
        try:
            self._fill(folder.path, handle, plan)
            os.utime(handle)
            self._metadata.write(handle, folder.key, ObjectMetadata(etag, folder.content_type, folder.headers))
            os.fsync(handle)
            yield path
        except BaseException:
            if plan.base is None:
                path.unlink(missing_ok=True)
            raise
        finally:
            os.close(handle)

    def _fill(self, folder: Path, handle: int, plan: AssemblyPlan) -> None:
        for part, offset in plan.copies:
            source = os.open(folder / part.file, os.O_RDONLY)
            try:
                copy_range(source, handle, count=part.size, at=part.offset, to=offset, check=self._check_open)
            finally:
                os.close(source)
        os.ftruncate(handle, plan.size)


def _open_unused(path: Path) -> int | None:
    """The open file, if no other process writes to it."""
    handle = os.open(path, os.O_RDWR)
    if try_lock(handle, exclusive=True):
        return handle
    os.close(handle)
    return None
