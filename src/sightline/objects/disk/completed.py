"""Records of completed uploads, so that a repeated completion returns the same result."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from sightline.objects.disk.files import write_durably
from sightline.objects.protocol import bare_etag
from sightline.objects.store import PartTag, StoredObject


@dataclass(frozen=True, slots=True)
class CompletedUpload:
    """Stored just before the object gets its name."""

    key: str
    parts: str
    """A fingerprint of the list of parts."""
    source: str
    """The file in the upload's folder that gets the object's name; once it is gone from there, the object exists."""
    etag: str
    size: int
    content_type: str
    modified_at: str

    def as_stored(self) -> StoredObject:
        at = datetime.fromisoformat(self.modified_at)
        return StoredObject(self.key, self.size, self.etag, at, self.content_type)


def fingerprint(tags: Sequence[PartTag]) -> str:
    text = ",".join(f"{tag.number}:{bare_etag(tag.etag)}" for tag in tags)
    return hashlib.sha256(text.encode()).hexdigest()


class CompletedUploads:
    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def save(self, upload_id: str, completed: CompletedUpload) -> None:
        write_durably(self._path(upload_id), json.dumps(asdict(completed), ensure_ascii=False).encode())

    def load(self, upload_id: str) -> CompletedUpload | None:
        try:
            return CompletedUpload(**json.loads(self._path(upload_id).read_bytes()))
        except FileNotFoundError:
            return None

    def delete(self, upload_id: str) -> None:
        self._path(upload_id).unlink(missing_ok=True)

    def is_published(self, upload_id: str, folder: Path) -> bool:
        """Whether the object has its name although the folder of the upload still exists: a process was killed in between."""
        completed = self.load(upload_id)
        return completed is not None and not (folder / completed.source).exists()

    def _path(self, upload_id: str) -> Path:
        return self._directory / f"{upload_id}.json"
