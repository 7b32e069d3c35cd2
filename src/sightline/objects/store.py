"""The object store: the interface that the disk and the S3 backend implement. Its guarantees are written here once."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol
from uuid import UUID

MAX_PART_BYTES = 5 * 1024**3
MIN_PART_BYTES = 5 * 1024**2
"""For every part except the last."""
MAX_PARTS = 10_000
MAX_OBJECT_BYTES = 5 * 1024**4
MAX_URL_EXPIRY_S = 24 * 3600
"""Of addresses that people are given."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """A complete object."""

    key: str
    size: int
    etag: str
    """Bare, without quotes: the md5 of the bytes, or of the parts' md5s followed by `-` and their number."""
    modified_at: datetime
    content_type: str
    headers: tuple[tuple[str, str], ...] = ()
    """Further headers that the client stored with it and gets back, `x-amz-meta-*` among them; only the disk backend reads them."""


@dataclass(frozen=True, slots=True)
class StoredPart:
    number: int
    etag: str
    size: int
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class PartTag:
    """Number and ETag of a part, as a completion request names it."""

    number: int
    etag: str


@dataclass(frozen=True, slots=True)
class OpenUpload:
    """A multipart upload that was started and neither completed nor aborted."""

    key: str
    upload_id: str
    started_at: datetime


class ObjectStore(Protocol):
    """Objects by key. An object is never visible half written, and is durable once a call that stores it returns.

    Errors: `InvalidInput` for an invalid key or request, `NotFound` (codes NO_SUCH_KEY, NO_SUCH_UPLOAD),
    `Conflict` for a completion that the store rejects (details {"code": "InvalidPart", ...}), `BackendUnavailable` when the store
    does not respond or is full.
    """

    bucket: str
    etags_are_md5: bool
    """Whether ETags are always md5 sums. Those of S3 are not when it encrypts with its own keys."""

    # Whole objects

    async def put(self, key: str, content: bytes, *, content_type: str | None = None) -> StoredObject:
        """Stores or replaces an object. The default content type follows from the extension of the key."""

    async def put_file(
        self, key: str, path: Path, *, content_type: str | None = None, etag: str | None = None
    ) -> StoredObject:
        """As `put`, from a file, without loading it into memory.

        `etag` is the one that a restored object had before. The disk backend keeps it; S3 always computes its own.
        """

    async def get(self, key: str, *, start: int = 0, end: int | None = None) -> bytes:
        """The bytes from `start` up to `end`, which is excluded."""

    def stream(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """As `get`, in chunks."""

    async def head(self, key: str) -> StoredObject | None: ...

    def find(self, prefix: str) -> AsyncIterator[StoredObject]:
        """All objects with this key prefix, in key order."""

    async def delete(self, keys: Sequence[str]) -> None:
        """Missing keys are ignored."""

    async def delete_prefix(self, prefix: str) -> int:
        """Deletes all objects with this key prefix; returns how many."""

    def local(self, key: str) -> AbstractAsyncContextManager[Path]:
        """The object as a file to read inside the context. Never write to it."""

    async def readable(self, key: str, *, expires_s: float = 6 * 3600) -> str:
        """A path or URL from which ffmpeg can read any range without a copy of the whole object."""

    # Multipart uploads

    async def create_upload(self, key: str, *, content_type: str | None = None) -> str:
        """Starts an upload; returns its id."""

    async def put_part(self, key: str, upload_id: str, number: int, content: bytes) -> StoredPart: ...

    async def list_parts(self, key: str, upload_id: str) -> list[StoredPart]:
        """All parts, however many pages the backend needs."""

    async def complete_upload(self, key: str, upload_id: str, parts: Sequence[PartTag]) -> StoredObject:
        """Joins these parts into the object. The store announces `Object Created` with reason CompleteMultipartUpload."""

    async def abort_upload(self, key: str, upload_id: str) -> None:
        """Deletes the parts. An upload that does not exist is ignored."""

    def find_uploads(self, prefix: str) -> AsyncIterator[OpenUpload]: ...

    # Signed URLs: each permits one operation until it expires

    async def sign_get(
        self, key: str, *, expires_s: float, download_as: str | None = None, content_type: str | None = None
    ) -> str:
        """A URL to read the object or ranges of it; with `download_as`, a browser saves it under that name."""

    async def sign_part(
        self, key: str, upload_id: str, number: int, *, expires_s: float, length: int | None = None
    ) -> str:
        """A URL to PUT one part; with `length`, a body of any other size is rejected before it is stored."""

    async def revoke_urls(self, video_id: UUID) -> bool:
        """Ends all signed URLs of a video that were given out so far; URLs signed from now on work. False: the backend cannot,
        and they work until they expire."""

    async def usable_bytes(self) -> int | None:
        """Free space for new objects, without the reserve that stays free; None if the backend has no limit, as S3."""

    def in_bucket(self, bucket: str) -> "ObjectStore":
        """The objects of another bucket of the same service. The disk backend has one bucket, and refuses any other."""

    async def check(self) -> None:
        """Raises with the reason if the store is not usable."""
