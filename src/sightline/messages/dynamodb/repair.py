"""Fields that another program wrote in a form that updates cannot use. Pure."""

from collections.abc import Mapping
from typing import Any

from sightline.messages.dynamodb.values import Item, number, number_in

_COUNTS = ("attempts", "retry_count")


def repaired_fields(item: Mapping[str, Mapping[str, Any]]) -> Item:
    """Counts as numbers and the history as a list; what stood there instead of a list is kept beside it."""
    fields: Item = {
        name: number(number_in(item[name]) or 0) for name in _COUNTS if name in item and "N" not in item[name]
    }
    if "history" in item and "L" not in item["history"]:
        fields |= {"history": {"L": []}, "foreign_history": dict(item["history"])}
    return fields
