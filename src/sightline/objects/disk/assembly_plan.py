"""Plan of an assembly: how parts on disk become one file with the least copying. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate

from sightline.objects.disk.parts import PartRecord


@dataclass(frozen=True, slots=True)
class AssemblyPlan:
    size: int
    base: str | None
    """The file that becomes the object; None: a new one."""
    copies: tuple[tuple[PartRecord, int], ...]
    """Parts that have to be copied into it, each with the offset it belongs at."""


def plan_assembly(
    chosen: Sequence[PartRecord], stored: Collection[PartRecord], *, in_place: bool = True
) -> AssemblyPlan:
    """`chosen` are the parts in order; `stored` are all stored parts, of which some may not be chosen.

    A file can become the object only if every stored part in it lies where it belongs. Otherwise a crash could
    leave parts overwritten that another completion could still name.
    """
    ends = list(accumulate(part.size for part in chosen))
    target_offset = {part: end - part.size for part, end in zip(chosen, ends, strict=True)}
    in_position: dict[str, int] = {}
    for part in chosen:
        if part.offset == target_offset[part]:
            in_position[part.file] = in_position.get(part.file, 0) + part.size
    misplaced = {part.file for part in stored if target_offset.get(part) != part.offset}
    usable = {file: size for file, size in in_position.items() if file not in misplaced} if in_place else {}
    base = max(usable, key=lambda file: usable[file], default=None)
    copies = tuple((part, at) for part, at in target_offset.items() if part.file != base)
    return AssemblyPlan(ends[-1], base, copies)
