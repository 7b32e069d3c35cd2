"""How parts on the disk become one file with the least copying. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate

from sightline.objects.disk.parts import PartRecord


@dataclass(frozen=True, slots=True)
class Plan:
    size: int
    base: str | None
    """The file that becomes the object; None: a new one."""
    copies: tuple[tuple[PartRecord, int], ...]
    """Parts that have to be copied into it, each with the offset it belongs at."""


def plan_assembly(chosen: Sequence[PartRecord], stored: Collection[PartRecord], *, in_place: bool = True) -> Plan:
    """`chosen` in their order; `stored` are all parts that count, of which some may not have been chosen.

    A file can become the object only if every part in it that counts lies where it belongs. Otherwise a crash on the way would
    leave parts overwritten that another attempt to complete could still name.
    """
    ends = list(accumulate(part.size for part in chosen))
    belongs = {part: end - part.size for part, end in zip(chosen, ends, strict=True)}
    fitting: dict[str, int] = {}
    for part in chosen:
        if part.offset == belongs[part]:
            fitting[part.file] = fitting.get(part.file, 0) + part.size
    misfits = {part.file for part in stored if belongs.get(part) != part.offset}
    usable = {file: size for file, size in fitting.items() if file not in misfits} if in_place else {}
    base = max(usable, key=lambda file: usable[file], default=None)
    copies = tuple((part, at) for part, at in belongs.items() if part.file != base)
    return Plan(ends[-1], base, copies)
