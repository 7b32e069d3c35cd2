"""TestEventPattern."""

import json
from typing import Any

from sightline.api.aws.call import AwsCall
from sightline.api.aws.events.requests import invalid
from sightline.bus import compile_event_pattern

_REQUIRED = ("id", "account", "source", "time", "region", "detail-type")


async def test_event_pattern(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    pattern = compile_event_pattern(str(parameters.get("EventPattern") or ""))
    text = str(parameters.get("Event") or "")
    try:
        event = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise invalid("Parameter Event is not valid.") from error
    if not isinstance(event, dict) or any(event.get(name) is None for name in _REQUIRED):
        raise invalid("Parameter Event is not valid.")
    return {"Result": pattern.matches_text(text)}
