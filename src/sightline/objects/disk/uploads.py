"""Multipart uploads on disk: started, filled part by part, listed, aborted. `assembly` completes them."""

import contextlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sightline.errors import NotFound
from sightline.objects.disk.completed import CompletedUploads
from sightline.objects.disk.files import locked, make_directories, sync_directory, write_durably
from sightline.objects.disk.layout import DiskLayout
from sightline.objects.disk.parts import JOURNAL, PartRecord, read_parts
from sightline.objects.errors import no_such_upload
from sightline.objects.key_rules import check_key
from sightline.objects.store import OpenUpload, StoredPart
from sightline.timing import Clock, iso_utc

_ID = re.compile(r"[0-9a-f]{32}")
_RECORD = "upload.json"
_LOCK = "lock"


@dataclass(frozen=True, slots=True)
class UploadFolder:
    """An open upload."""

    key: str
    upload_id: str
    path: Path
    content_type: str | None
    headers: tuple[tuple[str, str], ...]
    started_at: datetime

    def parts(self) -> dict[int, PartRecord]:
        try:
            return read_parts(self.path)
        except FileNotFoundError as error:
            raise no_such_upload(self.key, self.upload_id) from error


class DiskUploads:
    def __init__(self, layout: DiskLayout, completed: CompletedUploads, clock: Clock) -> None:
        self._layout = layout
        self._completed = completed
        self._clock = clock

    def is_id(self, upload_id: str) -> bool:
        return _ID.fullmatch(upload_id) is not None

    def create(self, key: str, content_type: str | None, headers: tuple[tuple[str, str], ...] = ()) -> str:
        check_key(key)
        upload_id = secrets.token_hex(16)
        # Created elsewhere and moved, so that it is never visible half written.
        fresh = self._layout.new_temporary()
        make_directories(fresh / "claims")
        record = {
            "key": key,
            "content_type": content_type,
            "headers": dict(headers),
            "started_at": iso_utc(self._clock()),
        }
        for name in (_LOCK, JOURNAL):
            (fresh / name).touch(mode=0o644)
        write_durably(fresh / _RECORD, json.dumps(record, ensure_ascii=False).encode())
        fresh.rename(self._path(upload_id))
        sync_directory(self._layout.uploads)
        return upload_id

    def open(self, key: str, upload_id: str) -> UploadFolder:
        check_key(key)
        found = self._read(upload_id) if self.is_id(upload_id) else None
        if found is None or found.key != key:
            raise no_such_upload(key, upload_id)
        return found

    def list_parts(self, key: str, upload_id: str) -> list[StoredPart]:
        parts = self.open(key, upload_id).parts()
        return [StoredPart(one.number, one.etag, one.size, one.stored_at) for _, one in sorted(parts.items())]

    def find(self, prefix: str) -> list[OpenUpload]:
        """Ordered by key, and by start time."""
        with os.scandir(self._layout.uploads) as entries:
            found = [self._read(entry.name) for entry in entries]
        matching = [one for one in found if one is not None and one.key.startswith(prefix)]
        matching.sort(key=lambda one: (one.key.encode(), one.started_at, one.upload_id))
        return [OpenUpload(one.key, one.upload_id, one.started_at) for one in matching]

    def abort(self, key: str, upload_id: str) -> bool:
        """Whether the upload existed."""
        try:
            folder = self.open(key, upload_id)
            with self.locked(folder):
                is_published = self._completed.is_published(upload_id, folder.path)
                if not is_published:
                    self._completed.delete(upload_id)  # left by a completion that was killed halfway
                self.remove(folder)
        except (NotFound, FileNotFoundError):
            return False
        return not is_published

    @contextlib.contextmanager
    def locked(self, folder: UploadFolder) -> Iterator[None]:
        """No other process completes or aborts the upload inside. Raises FileNotFoundError if one already has."""
        with locked(folder.path / _LOCK) as handle:
            if not os.path.samestat(os.stat(folder.path / _LOCK), os.fstat(handle)):
                raise FileNotFoundError(folder.path)
            yield

    def remove(self, folder: UploadFolder) -> None:
        """Invisible at once; its files are deleted afterwards."""
        discarded = self._layout.new_temporary()
        folder.path.rename(discarded)
        sync_directory(self._layout.uploads)
        shutil.rmtree(discarded, ignore_errors=True)

    def _path(self, upload_id: str) -> Path:
        return self._layout.uploads / upload_id

    def _read(self, upload_id: str) -> UploadFolder | None:
        path = self._path(upload_id)
        try:
            record = json.loads((path / _RECORD).read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        started_at = datetime.fromisoformat(record["started_at"])
        headers = tuple(record.get("headers", {}).items())  # uploads of earlier versions have none
        return UploadFolder(record["key"], upload_id, path, record["content_type"], headers, started_at)
