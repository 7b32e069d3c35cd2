"""Rules of S3 for parts and for completing an upload."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Protocol, TypeVar

from sightline.objects.errors import conflict, invalid_request
from sightline.objects.protocol.etags import bare_etag
from sightline.objects.store import MAX_OBJECT_BYTES, MAX_PARTS, MIN_PART_BYTES, PartTag


class _SizedPart(Protocol):
    @property
    def etag(self) -> str: ...
    @property
    def size(self) -> int: ...


AnyPart = TypeVar("AnyPart", bound=_SizedPart)


def check_part_number(number: int) -> int:
    if not 1 <= number <= MAX_PARTS:
        raise invalid_request("InvalidArgument", f"part numbers are from 1 to {MAX_PARTS}, not {number}")
    return number


def check_part_order(tags: Sequence[PartTag]) -> None:
    if not tags:
        raise invalid_request("MalformedXML", "an upload needs at least one part")
    if any(second.number <= first.number for first, second in pairwise(tags)):
        raise conflict("InvalidPartOrder", "the parts are not in ascending order of their numbers")


def choose_parts(
    tags: Sequence[PartTag], stored: Mapping[int, AnyPart], *, min_bytes: int = MIN_PART_BYTES
) -> list[AnyPart]:
    """The stored parts that the tags name, or a `Conflict` with the error code of S3."""
    check_part_order(tags)
    chosen = []
    for tag in tags:
        part = stored.get(tag.number)
        if part is None or part.etag != bare_etag(tag.etag):
            found = "there is none" if part is None else f"its ETag is {part.etag}"
            raise conflict(
                "InvalidPart",
                f"part {tag.number} with the ETag {bare_etag(tag.etag)[:64]}: {found}",
                part_number=tag.number,
            )
        chosen.append(part)
    for tag, part in zip(tags[:-1], chosen[:-1], strict=True):
        if part.size < min_bytes:
            raise conflict(
                "EntityTooSmall",
                f"part {tag.number} has {part.size} bytes; every part except the last needs at least {min_bytes}",
                part_number=tag.number,
            )
    if sum(part.size for part in chosen) > MAX_OBJECT_BYTES:
        raise conflict("EntityTooLarge", f"the object would be larger than {MAX_OBJECT_BYTES} bytes")
    return chosen
