"""The promises of stored bytes, kept by a directory or by S3. What is promised is written here once."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

LARGEST_PART = 5 * 1024**3
SMALLEST_PART = 5 * 1024**2
"""Of every part but the last."""
MOST_PARTS = 10_000
LARGEST_OBJECT = 5 * 1024**4


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object that is there, whole."""

    key: str
    size: int
    etag: str
    """Bare, without quotes: the md5 of the bytes, or of the parts' md5s followed by `-` and their number."""
    modified_at: datetime
    content_type: str


@dataclass(frozen=True, slots=True)
class StoredPart:
    number: int
    etag: str
    size: int
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class PartTag:
    """A part as whoever completes an upload names it."""

    number: int
    etag: str


@dataclass(frozen=True, slots=True)
class OpenUpload:
    """A multipart upload that was begun and neither completed nor aborted."""

    key: str
    upload_id: str
    started_at: datetime


class Objects(Protocol):
    """Objects by key. Nothing is ever seen half written, and what was answered is on the disk.

    Errors: `InvalidInput` for a key or a request that cannot be, `NotFound` (codes NO_SUCH_KEY, NO_SUCH_UPLOAD),
    `Conflict` for a completion that the store refuses (details {"code": "InvalidPart", ...}), `BackendUnavailable` when the store
    does not answer or is full.
    """

    bucket: str
    etags_are_md5: bool
    """Whether ETags are made of md5 sums for certain. S3's are not when it encrypts with keys of its own."""

    # Whole objects

    async def put(self, key: str, content: bytes, *, content_type: str | None = None) -> StoredObject:
        """Stores or replaces. Without a type, the key's ending tells."""

    async def put_file(self, key: str, path: Path, *, content_type: str | None = None) -> StoredObject:
        """As `put`, from a file, without holding it in memory."""

    async def get(self, key: str, *, start: int = 0, end: int | None = None) -> bytes:
        """The bytes from `start` up to `end`, which is not included."""

    def stream(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """As `get`, piece by piece."""

    async def head(self, key: str) -> StoredObject | None: ...

    def find(self, prefix: str) -> AsyncIterator[StoredObject]:
        """All objects whose keys begin so, in the order of their keys."""

    async def delete(self, keys: Sequence[str]) -> None:
        """Those that are not there are fine."""

    async def delete_prefix(self, prefix: str) -> int:
        """All objects whose keys begin so; says how many."""

    def local(self, key: str) -> AbstractAsyncContextManager[Path]:
        """The object as a file to read while the context lasts. Never write to it."""

    async def readable(self, key: str, *, expires_s: float = 6 * 3600) -> str:
        """A path or an address from which ffmpeg reads any range without the whole being copied first."""

    # Multipart uploads

    async def create_upload(self, key: str, *, content_type: str | None = None) -> str:
        """Begins one; returns its id."""

    async def put_part(self, key: str, upload_id: str, number: int, content: bytes) -> StoredPart: ...

    async def list_parts(self, key: str, upload_id: str) -> list[StoredPart]:
        """All of them, however many pages that takes."""

    async def complete_upload(self, key: str, upload_id: str, parts: Sequence[PartTag]) -> StoredObject:
        """Makes the object of these parts. The store announces `Object Created` with reason CompleteMultipartUpload."""

    async def abort_upload(self, key: str, upload_id: str) -> None:
        """Drops the parts. One that is gone already is fine."""

    def find_uploads(self, prefix: str) -> AsyncIterator[OpenUpload]: ...

    # Signed addresses: whoever has one may do that one thing until it expires

    async def sign_get(
        self, key: str, *, expires_s: float, download_as: str | None = None, content_type: str | None = None
    ) -> str:
        """To read the object, ranges too; `download_as` makes a browser save it under that name."""

    async def sign_part(
        self, key: str, upload_id: str, number: int, *, expires_s: float, length: int | None = None
    ) -> str:
        """To PUT one part; with a length, one of exactly so many bytes: any other is refused before it is stored."""

    async def check(self) -> None:
        """Raises with the reason if it cannot do its work."""
