"""The parts of one upload on the disk: where each one's bytes lie, and the journal that says which of them count.

Parts are written straight to where they will lie in the finished object, so that completing an upload need not copy them
(ADR 0013). The place follows from the part's number and the length of the longest part seen so far, since clients send
parts of one length, the last one excepted. Each place is written once; a part that is sent again goes to a file of its
own. What counts is the journal: a part is there when its line is.
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
from sightline.objects.store import LARGEST_OBJECT

JOURNAL = "parts.jsonl"
_IN_PLACE = "data-"
_APART = "apart-"


@dataclass(frozen=True, slots=True)
class PartRecord:
    """A part that counts, and where its bytes lie."""

    number: int
    etag: str
    size: int
    file: str
    offset: int
    stored_at: datetime


@dataclass(frozen=True, slots=True)
class Place:
    """Where the bytes of an arriving part go, open for writing."""

    handle: int
    file: str
    offset: int
    claim: Path | None
    """Says that this part was written in place; None for one in a file of its own."""


def claim_place(folder: Path, number: int, length: int) -> Place:
    """Never one where anything that counts lies, and never one that a completed object could be made of meanwhile."""
    longest = max([length, *_lengths(folder)])
    offset = (number - 1) * longest
    claim = folder / "claims" / f"{number:05}"
    if offset + length <= LARGEST_OBJECT and _take(claim):
        path = folder / f"{_IN_PLACE}{longest}"
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        # The lock tells a completion that somebody is writing. Who gets it too late may hold the finished object itself.
        if try_lock(handle, exclusive=False) and is_at(path, handle):
            return Place(handle, path.name, offset, claim)
        os.close(handle)
        claim.unlink(missing_ok=True)
    path = folder / f"{_APART}{number:05}-{secrets.token_hex(6)}"
    return Place(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644), path.name, 0, None)


def sync_place(folder: Path, place: Place) -> None:
    """The bytes are on the disk when this returns."""
    os.fdatasync(place.handle)
    sync_directory(folder)


def record_part(folder: Path, part: PartRecord) -> None:
    """From here on the part counts, and its bytes must not be touched, even if this fails: the line may have got through."""
    line = json.dumps(
        [part.number, part.etag, part.size, part.file, part.offset, part.stored_at.isoformat()], separators=(",", ":")
    )
    # A line that a crash broke off must not spoil this one, hence the leading line break.
    content = f"\n{line}\n".encode()
    journal = os.open(folder / JOURNAL, os.O_WRONLY | os.O_APPEND)
    try:
        fcntl.flock(journal, fcntl.LOCK_EX)
        if os.write(journal, content) != len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fdatasync(journal)
    finally:
        os.close(journal)


def drop_place(folder: Path, place: Place) -> None:
    """Nothing came of it: what was written there does not count, and the next attempt may have the place."""
    if place.claim is not None:
        place.claim.unlink(missing_ok=True)
    else:
        (folder / place.file).unlink(missing_ok=True)


def read_parts(folder: Path) -> dict[int, PartRecord]:
    """Those that count, by number; of a part that was sent again, the last one."""
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


def _take(claim: Path) -> bool:
    try:
        os.close(os.open(claim, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
    except FileExistsError:
        return False
    return True
