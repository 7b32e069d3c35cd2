"""tus upload records, their sizes and their errors."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sightline.errors import Conflict, InvalidInput, TooLarge
from sightline.objects import MAX_PARTS
from sightline.uploads.plan import MIB, UploadPlan
from sightline.uploads.upload import UploadState

PART_BYTES = 8 * MIB
"""A part is in memory until it is stored, so parts are smaller than those that clients send directly."""
UNKNOWN_LENGTH_PART_BYTES = 16 * MIB
MAX_PART_BYTES = 64 * MIB
MAX_BYTES = MAX_PARTS * MAX_PART_BYTES


class OffsetMismatch(Conflict):
    """The request does not begin where the upload stands."""


class WriterReplaced(Conflict):
    """Another request continues the upload."""


class ChecksumMismatch(InvalidInput):
    """The bytes of a request are not those that its checksum names; none of them counts."""


class BodyBroken(Exception):
    """The connection ended before the body did."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of an upload in an object of their own."""

    start: int
    size: int
    key: str


@dataclass(frozen=True, slots=True)
class TusUpload:
    id: UUID
    video_id: UUID | None
    """None: it is part of a file."""
    owner_id: UUID
    length: int | None
    received: int
    part_size: int
    metadata: str
    sources: tuple[UUID, ...] | None
    """Of a file that is made of other uploads: those."""
    touched_at: datetime
    state: UploadState | None
    store_upload_id: str | None

    @property
    def is_partial(self) -> bool:
        return self.video_id is None

    @property
    def offset(self) -> int:
        """The offset at which the client resumes. A video may also have been completed in another way than by tus."""
        return self.length if self.state is UploadState.COMPLETED and self.length is not None else self.received

    @property
    def has_all_bytes(self) -> bool:
        return self.length is not None and self.received == self.length


def part_size_of(length: int | None) -> int:
    """Raises `TooLarge` for a file that has no plan."""
    if length is None:
        return UNKNOWN_LENGTH_PART_BYTES
    if length > MAX_BYTES:
        raise TooLarge(f"{length} bytes are more than the {MAX_BYTES} that an upload by tus may have")
    return max(PART_BYTES, -(-length // MAX_PARTS))


def plan_of(length: int, part_size: int) -> UploadPlan:
    """The plan of an upload whose part size is fixed already."""
    plan = UploadPlan(length, part_size)
    if plan.total_parts > MAX_PARTS:
        raise TooLarge(f"{length} bytes are more than the {part_size * MAX_PARTS} that this upload may have")
    return plan
