"""What a target of a rule receives for an event. Pure."""

from collections.abc import Mapping
from typing import Any

from sightline.bus.events.input_template import NotJson, Occasion, compact, fill
from sightline.bus.events.json_path import NothingThere, value_at

__all__ = ["NotJson", "Occasion", "target_input"]


def target_input(target: Mapping[str, Any], body: str, occasion: Occasion) -> str:
    """Its constant input, a part of the event, a filled template, or the event itself. Raises `NotJson`."""
    if (constant := target.get("Input")) is not None:
        return str(constant)
    if (path := target.get("InputPath")) is not None:
        try:
            return compact(value_at(occasion.event, str(path)))
        except NothingThere:
            return "null"
    if (transformer := target.get("InputTransformer")) is not None:
        return fill(str(transformer["InputTemplate"]), transformer.get("InputPathsMap") or {}, occasion)
    return body
