"""Upload plans: how a file is split into parts, and whether the stored parts match. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sightline.errors import Conflict, InvalidInput
from sightline.objects import MAX_OBJECT_BYTES, MAX_PART_BYTES, MAX_PARTS, MIN_PART_BYTES, StoredPart

MIB = 1024 * 1024
USUAL_PART_BYTES = 32 * MIB


@dataclass(frozen=True, slots=True)
class UploadPlan:
    """Fixed when an upload starts: every part except the last has the same size."""

    total_size: int
    part_size: int

    @property
    def total_parts(self) -> int:
        return -(-self.total_size // self.part_size)

    def size_of(self, number: int) -> int:
        """The size that part `number` must have."""
        if not 1 <= number <= self.total_parts:
            raise InvalidInput(
                f"part {number} does not exist: the upload has parts 1 to {self.total_parts}",
                details={"partNumber": number, "totalParts": self.total_parts},
            )
        return self.part_size if number < self.total_parts else self.total_size - self.part_size * (number - 1)


def plan_parts(total_size: int, part_size: int | None = None) -> UploadPlan:
    """Parts of the size that the client prefers, or of 32 MiB; larger where there would be more than 10,000 of them."""
    if total_size <= 0:
        raise InvalidInput("totalSize: this file is empty")
    if total_size > MAX_OBJECT_BYTES:
        raise InvalidInput(
            f"totalSize: {total_size} bytes are more than the largest object of {MAX_OBJECT_BYTES} bytes",
            details={"totalSize": total_size, "largest": MAX_OBJECT_BYTES},
        )
    if part_size is not None and not MIN_PART_BYTES <= part_size <= MAX_PART_BYTES:
        raise InvalidInput(
            f"partSize: parts have {MIN_PART_BYTES} to {MAX_PART_BYTES} bytes, not {part_size}",
            details={"partSize": part_size, "smallest": MIN_PART_BYTES, "largest": MAX_PART_BYTES},
        )
    return UploadPlan(total_size, max(part_size or USUAL_PART_BYTES, -(-total_size // MAX_PARTS)))


def normalize_etag(etag: str) -> str:
    """An ETag without quotes and without the prefix of a weak one; clients differ in what they send."""
    return etag.strip().removeprefix("W/").strip().strip('"').lower()


class PartsRefused(Conflict):
    """The stored parts are not the whole file; the details say which parts are wrong."""


def check_parts(plan: UploadPlan | None, named: Mapping[int, str], stored: Sequence[StoredPart]) -> list[StoredPart]:
    """The stored parts of the object, in order: exactly those named, complete, and of the right sizes.

    Without a plan (the client did not declare the size) the first part sets the size of all except the last.
    """
    by_number = {part.number: part for part in stored}
    count = plan.total_parts if plan is not None else max(named, default=0)
    _refuse_missing([number for number in range(1, count + 1) if number not in named or number not in by_number], count)
    if not count:
        raise PartsRefused("no part has arrived yet", details={"uploaded": 0, "total": 0})
    parts = [by_number[number] for number in range(1, count + 1)]
    other = [part.number for part in parts if normalize_etag(part.etag) != normalize_etag(named[part.number])]
    if other:
        raise PartsRefused(
            f"the store holds other bytes than were reported for part {_few(other)}; send it again",
            details={"parts": other, "reason": "etag"},
        )
    actual = plan or UploadPlan(sum(part.size for part in parts), parts[0].size or 1)
    wrong = [
        part.number for part in parts if part.number > actual.total_parts or part.size != actual.size_of(part.number)
    ]
    if wrong:
        raise PartsRefused(
            f"part {_few(wrong)} does not have the size that this upload's parts have; send it again",
            details={"parts": wrong, "reason": "size", "partSize": actual.part_size},
        )
    return parts


def complete_parts(plan: UploadPlan | None, stored: Sequence[StoredPart]) -> list[StoredPart] | None:
    """The stored parts if they are the whole file; None if they are not, or if the declared size is unknown."""
    if plan is None:
        return None
    try:
        return check_parts(plan, {part.number: part.etag for part in stored}, stored)
    except PartsRefused:
        return None


def matching_parts(plan: UploadPlan | None, stored: Iterable[StoredPart]) -> list[StoredPart]:
    """Parts with the right number and size; the others have to be sent again."""
    if plan is None:
        return list(stored)
    return [part for part in stored if 1 <= part.number <= plan.total_parts and part.size == plan.size_of(part.number)]


def percentage(uploaded: int, total: int | None) -> int:
    """An integer that is 100 only when all parts have arrived."""
    return 0 if not total else min(100, uploaded * 100 // total)


def _refuse_missing(missing: list[int], total: int) -> None:
    if missing:
        raise PartsRefused(
            f"{total - len(missing)} of {total} parts are uploaded; part {_few(missing)} is missing",
            details={"uploaded": total - len(missing), "total": total, "missing": missing[:100]},
        )


def _few(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:5])
    return shown if len(numbers) <= 5 else f"{shown} and {len(numbers) - 5} more"
