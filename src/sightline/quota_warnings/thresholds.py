"""Thresholds of use that owners are warned of. Pure."""

from typing import Final, Literal, get_args

Threshold = Literal[80, 100]
"""In percent of a quota."""
THRESHOLDS: Final[tuple[Threshold, ...]] = get_args(Threshold)
FALLS_BY: Final = 5
"""Percent of the quota that use has to fall below a threshold before it is warned of again."""


def lasting_threshold(known: Threshold | None, used: int, limit: int) -> Threshold | None:
    """The threshold in force with this use, if `known` was before. A warning is due if it is higher than that one."""
    found: Threshold | None = None
    for threshold in THRESHOLDS:
        needed = threshold - FALLS_BY if known is not None and known >= threshold else threshold
        if limit and used * 100 >= limit * needed:
            found = threshold
    return found
