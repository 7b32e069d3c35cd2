"""EventBridge patterns parsed into branches, with the limits and error messages of EventBridge."""

import json
from collections.abc import Mapping
from typing import Any, Final

from sightline.bus.policy.clauses import Branches
from sightline.bus.policy.dialect import Dialect
from sightline.bus.policy.errors import PolicyInvalid
from sightline.bus.policy.grammar import read_branches
from sightline.bus.policy.json_complaints import Complaint
from sightline.bus.policy.leaves import event_numbers
from sightline.bus.policy.wildcard import WildcardPattern

__all__ = ["read_event_pattern"]

MAX_BRANCHES: Final = 1000
MAX_SIZE_BYTES: Final = 256 * 1024
# AWS does not publish the number; it lies between the widest pattern seen accepted (8 places) and the
# narrowest seen refused (13)
MAX_WIDTH: Final = 12


def _check_width(pattern: WildcardPattern) -> None:
    if pattern.stars and pattern.widest(MAX_WIDTH) >= MAX_WIDTH:
        raise Complaint(
            "Rule is too complex - try using fewer wildcard characters or fewer repeating character "
            "sequences after a wildcard character"
        )


DIALECT: Final = Dialect(
    numbers=event_numbers,
    number_limit=5e9,
    null_exists=True,
    nested_ignore_case=True,
    anything_but=frozenset({"prefix", "suffix", "equals-ignore-case", "wildcard"}),
    anything_but_lists=True,
    check_wildcard=_check_width,
)


def read_event_pattern(pattern: str | Mapping[str, Any]) -> Branches:
    try:
        text = pattern if isinstance(pattern, str) else json.dumps(pattern, ensure_ascii=False, allow_nan=False)
        if len(text.encode("utf-8", "surrogatepass")) > MAX_SIZE_BYTES:
            raise Complaint("Event pattern exceeds the maximum size of 256 KB")
        return read_branches(text, DIALECT, max_branches=MAX_BRANCHES)
    except (Complaint, TypeError, ValueError, RecursionError) as error:
        message = f"Event pattern is not valid. Reason: {error}"
        raise PolicyInvalid(message, "InvalidEventPatternException") from None
