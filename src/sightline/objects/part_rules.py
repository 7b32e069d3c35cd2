"""The rules of S3 for completing an upload, apart from any store."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Protocol, TypeVar

from sightline.objects.etags import bare
from sightline.objects.refusals import conflict, refused
from sightline.objects.store import LARGEST_OBJECT, MOST_PARTS, SMALLEST_PART, PartTag


class _Part(Protocol):
    @property
    def etag(self) -> str: ...
    @property
    def size(self) -> int: ...


Part = TypeVar("Part", bound=_Part)


def check_number(number: int) -> int:
    if not 1 <= number <= MOST_PARTS:
        raise refused("InvalidArgument", f"part numbers go from 1 to {MOST_PARTS}, not {number}")
    return number


def check_order(tags: Sequence[PartTag]) -> None:
    if not tags:
        raise refused("MalformedXML", "an upload is completed with one part at least")
    if any(second.number <= first.number for first, second in pairwise(tags)):
        raise conflict("InvalidPartOrder", "the parts are not in ascending order of their numbers")


def choose(tags: Sequence[PartTag], stored: Mapping[int, Part], *, smallest: int = SMALLEST_PART) -> list[Part]:
    """The stored parts that are named, or a `Conflict` in S3's words."""
    check_order(tags)
    chosen = []
    for tag in tags:
        part = stored.get(tag.number)
        if part is None or part.etag != bare(tag.etag):
            found = "there is none" if part is None else f"its ETag is {part.etag}"
            raise conflict(
                "InvalidPart", f"part {tag.number} with the ETag {bare(tag.etag)[:64]}: {found}", part_number=tag.number
            )
        chosen.append(part)
    for tag, part in zip(tags[:-1], chosen[:-1], strict=True):
        if part.size < smallest:
            raise conflict(
                "EntityTooSmall",
                f"part {tag.number} has {part.size} bytes; all but the last need {smallest}",
                part_number=tag.number,
            )
    if sum(part.size for part in chosen) > LARGEST_OBJECT:
        raise conflict("EntityTooLarge", f"the object would be larger than {LARGEST_OBJECT} bytes")
    return chosen
