"""Parts of an upload on disk: where the bytes of each part lie, and the journal that says which parts count.

Parts are written straight to where they will lie in the finished object, so that completing an upload need not copy them
(ADR 0013). The location follows from the part's number and the length of the longest part so far, since clients send
parts of one length, except for the last. Each location is written once; a part that is sent again goes to a file of its
own. The journal decides: a part exists when its line does.
"""

import contextlib
import errno
import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sightline.objects.disk.files import is_at, sync_directory, try_lock
from sightline.objects.store import MAX_OBJECT_BYTES

JOURNAL = "parts.jsonl"
_IN_PLACE = "data-"
_SEPARATE = "apart-"


@dataclass(frozen=True, slots=True)
class PartRecord:
    """A stored part, and where its bytes lie."""

    number: int
    etag: str
    size: int
    file: str
    offset: int
    stored_at: datetime


@dataclass(frozen=True, slots=True)
class PartLocation:
    """Where the bytes of an incoming part are written; the file is open."""

    handle: int
    file: str
    offset: int
    claim: Path | None
    """The file that reserves this location; None for a part in a file of its own."""


def claim_location(folder: Path, number: int, length: int) -> PartLocation:
    """Never a location that holds a stored part, and never one in a file that may just become the object."""
    longest = max([length, *_lengths(folder)])
    offset = (number - 1) * longest
    claim = folder / "claims" / f"{number:05}"
    if offset + length <= MAX_OBJECT_BYTES and _create(claim):
        path = folder / f"{_IN_PLACE}{longest}"
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        # The lock shows a completion that the file is being written. A lock taken too late may be on the completed object itself.
        if try_lock(handle, exclusive=False) and is_at(path, handle):
            return PartLocation(handle, path.name, offset, claim)
        os.close(handle)
        claim.unlink(missing_ok=True)
    path = folder / f"{_SEPARATE}{number:05}-{secrets.token_hex(6)}"
    return PartLocation(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644), path.name, 0, None)


def sync_location(folder: Path, location: PartLocation) -> None:
    """The bytes are durable when this returns."""
    os.fdatasync(location.handle)
    sync_directory(folder)


def record_part(folder: Path, part: PartRecord) -> None:
    """From here on the part counts, and its bytes must not change, even if this fails: the line may have been written."""
    line = json.dumps(
        [part.number, part.etag, part.size, part.file, part.offset, part.stored_at.isoformat()], separators=(",", ":")
    )
    # The leading line break keeps a line that a crash cut off from spoiling this one.
    content = f"\n{line}\n".encode()
    journal = os.open(folder / JOURNAL, os.O_WRONLY | os.O_APPEND)
    try:
        fcntl.flock(journal, fcntl.LOCK_EX)
        if os.write(journal, content) != len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fdatasync(journal)
    finally:
        os.close(journal)


def release_location(folder: Path, location: PartLocation) -> None:
    """Releases the location: what was written there does not count, and the next attempt may use it."""
    if location.claim is not None:
        location.claim.unlink(missing_ok=True)
    else:
        (folder / location.file).unlink(missing_ok=True)


def read_parts(folder: Path) -> dict[int, PartRecord]:
    """Stored parts by number; of a part that was sent again, the last one."""
    return {part.number: part for part in _lines((folder / JOURNAL).read_bytes())}


def _lines(content: bytes) -> Iterator[PartRecord]:
    for line in content.split(b"\n"):
        with contextlib.suppress(ValueError, TypeError):
            number, etag, size, file, offset, stored_at = json.loads(line)
            yield PartRecord(number, etag, size, file, offset, datetime.fromisoformat(stored_at))


def _lengths(folder: Path) -> Iterator[int]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(_IN_PLACE):
                yield int(entry.name.removeprefix(_IN_PLACE))


def _create(claim: Path) -> bool:
    try:
        os.close(os.open(claim, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
    except FileExistsError:
        return False
    return True
