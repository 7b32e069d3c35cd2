"""Completing an upload on the disk: its parts become one object, at once or not at all, however often it is asked for.

The steps leave the upload completable until the file gets its name, and completed from then on. A kill between any two of
them is mended by asking again (ADR 0013).
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
from sightline.objects.disk.files import copy_range, try_lock
from sightline.objects.disk.finished import Finished, FinishedUploads, fingerprint
from sightline.objects.disk.layout import Layout, changed_at
from sightline.objects.disk.metadata import Note, Notes
from sightline.objects.disk.parts import PartRecord
from sightline.objects.disk.plan import Plan, plan_assembly
from sightline.objects.disk.uploads import DiskUploads, UploadFolder
from sightline.objects.etags import of_parts
from sightline.objects.part_rules import choose
from sightline.objects.refusals import no_such_upload, told
from sightline.objects.store import SMALLEST_PART, PartTag, StoredObject


class DiskAssembly:
    def __init__(
        self,
        bucket: str,
        layout: Layout,
        notes: Notes,
        uploads: DiskUploads,
        finished: FinishedUploads,
        pending: PendingAnnouncements,
        *,
        smallest_part: int = SMALLEST_PART,
        check_open: Callable[[], None] = lambda: None,
    ) -> None:
        self._bucket = bucket
        self._layout = layout
        self._notes = notes
        self._uploads = uploads
        self._finished = finished
        self._pending = pending
        self._smallest_part = smallest_part
        self._check_open = check_open

    def complete(self, key: str, upload_id: str, tags: Sequence[PartTag]) -> tuple[StoredObject, Announcement | None]:
        """The object, and its announcement if that is still to be told."""
        try:
            folder = self._uploads.open(key, upload_id)
            with self._uploads.held(folder):
                if not self._finished.is_made(upload_id, folder.path):
                    with told(f"complete {key}"):
                        return self._complete(folder, tags)
                self._uploads.remove(folder)
        except (NotFound, FileNotFoundError) as error:
            if not self._uploads.is_id(upload_id):
                raise no_such_upload(key, upload_id) from error
        # Somebody else completed it: before, or while we waited, or in a process that was killed over it.
        known = self._finished.recall(upload_id)
        if known is None or (known.key, known.parts) != (key, fingerprint(tags)):
            raise no_such_upload(key, upload_id)
        return known.as_stored(), None

    def _complete(self, folder: UploadFolder, tags: Sequence[PartTag]) -> tuple[StoredObject, Announcement]:
        stored = folder.parts()
        chosen = choose(tags, stored, smallest=self._smallest_part)
        etag = of_parts(part.etag for part in chosen)
        assert etag is not None
        with self._assembled(folder, chosen, list(stored.values()), etag) as source:
            facts = source.stat()
            finished = Finished(
                folder.key,
                fingerprint(tags),
                source.name,
                etag,
                facts.st_size,
                folder.content_type or content_type_of(folder.key),
                changed_at(facts).isoformat(),
            )
            created = object_created(
                self._bucket, folder.key, size=finished.size, etag=etag, reason="CompleteMultipartUpload"
            )
            announcement = self._pending.add(folder.upload_id, created)
            self._finished.remember(folder.upload_id, finished)
            replaced = self._layout.find(folder.key)
            self._pending.unless_refused(announcement, lambda: self._layout.publish(source, folder.key))
        if replaced is not None:
            self._notes.forget(folder.key, replaced[1])
        self._uploads.remove(folder)
        return finished.as_stored(), announcement

    @contextmanager
    def _assembled(
        self, folder: UploadFolder, chosen: Sequence[PartRecord], stored: Sequence[PartRecord], etag: str
    ) -> Iterator[Path]:
        """The finished file, under a name of the upload's. Nobody can begin to write to it inside."""
        plan = plan_assembly(chosen, stored)
        handle = None if plan.base is None else _take_over(folder.path / plan.base)
        if handle is None:
            # A part is just being sent once more; its writer has the file open, and would go on writing into the object.
            plan = plan_assembly(chosen, stored, in_place=False)
            path = folder.path / f"whole-{secrets.token_hex(6)}"
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
        else:
            path = folder.path / str(plan.base)
        try:
            self._fill(folder.path, handle, plan)
            os.utime(handle)
            self._notes.write(handle, folder.key, Note(etag, folder.content_type))
            os.fsync(handle)
            yield path
        except BaseException:
            if plan.base is None:
                path.unlink(missing_ok=True)
            raise
        finally:
            os.close(handle)

    def _fill(self, folder: Path, handle: int, plan: Plan) -> None:
        for part, offset in plan.copies:
            source = os.open(folder / part.file, os.O_RDONLY)
            try:
                copy_range(source, handle, count=part.size, at=part.offset, to=offset, check=self._check_open)
            finally:
                os.close(source)
        os.ftruncate(handle, plan.size)


def _take_over(path: Path) -> int | None:
    """The file, if nobody writes to it."""
    handle = os.open(path, os.O_RDWR)
    if try_lock(handle, exclusive=True):
        return handle
    os.close(handle)
    return None
