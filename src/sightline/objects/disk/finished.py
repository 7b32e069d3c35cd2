"""What is remembered of completed uploads, so that asking for a completion again gives the same answer."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from sightline.objects.disk.files import write_durably
from sightline.objects.etags import bare
from sightline.objects.store import PartTag, StoredObject


@dataclass(frozen=True, slots=True)
class Finished:
    """Written down just before the object gets its name."""

    key: str
    parts: str
    """Tells one list of parts from another."""
    source: str
    """The file in the upload's folder that gets the object's name; once it is gone from there, the object is made."""
    etag: str
    size: int
    content_type: str
    modified_at: str

    def as_stored(self) -> StoredObject:
        at = datetime.fromisoformat(self.modified_at)
        return StoredObject(self.key, self.size, self.etag, at, self.content_type)


def fingerprint(tags: Sequence[PartTag]) -> str:
    text = ",".join(f"{tag.number}:{bare(tag.etag)}" for tag in tags)
    return hashlib.sha256(text.encode()).hexdigest()


class FinishedUploads:
    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def remember(self, upload_id: str, finished: Finished) -> None:
        write_durably(self._path(upload_id), json.dumps(asdict(finished), ensure_ascii=False).encode())

    def recall(self, upload_id: str) -> Finished | None:
        try:
            return Finished(**json.loads(self._path(upload_id).read_bytes()))
        except FileNotFoundError:
            return None

    def forget(self, upload_id: str) -> None:
        self._path(upload_id).unlink(missing_ok=True)

    def is_made(self, upload_id: str, folder: Path) -> bool:
        """Whether the object has its name, although the upload's folder is still there: somebody was killed in between."""
        finished = self.recall(upload_id)
        return finished is not None and not (folder / finished.source).exists()

    def _path(self, upload_id: str) -> Path:
        return self._directory / f"{upload_id}.json"
