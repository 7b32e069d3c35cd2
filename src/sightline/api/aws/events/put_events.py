"""PutEvents: entries that EventBridge refuses are reported one by one, the others are put in one transaction."""

import json
import math
from collections.abc import Mapping
from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.constraints import Constraints
from sightline.api.aws.events.requests import bus_name, invalid
from sightline.api.aws.times import read_time
from sightline.bus import BusEvent, bus_permits, new_id

MAX_ENTRIES = 10
MAX_REQUEST_BYTES = 256 * 1024
_TIME_BYTES = 14
_REQUIRED = ("Source", "DetailType", "Detail")
_RESERVED_SOURCE = "aws."


async def put_events(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    entries = _read_entries(parameters)
    results: list[dict[str, Any]] = []
    events: list[BusEvent] = []
    for entry in entries:
        refused = _refusal(call, entry)
        if refused is not None:
            results.append(refused)
            continue
        event = _event(call, entry)
        results.append({"EventId": event.event_id})
        if _exists(
            call, event.event_bus
        ):  # EventBridge accepts events for event buses that do not exist, and drops them
            events.append(event)
    if events:
        async with call.platform.database.transaction() as tx:
            await call.platform.bus.put_events(tx, *events)
    return {"FailedEntryCount": sum("ErrorCode" in one for one in results), "Entries": results}


def _read_entries(parameters: dict[str, Any]) -> list[dict[str, Any]]:
    entries = parameters.get("Entries")
    if isinstance(entries, list) and not all(isinstance(entry, dict) for entry in entries):
        raise AwsError("SerializationException", "Each entry must be an object.")
    if isinstance(entries, list) and len(entries) > MAX_ENTRIES:
        constraints = Constraints({"Entries": [_as_shown(entry) for entry in entries]})
        constraints.items("Entries", 1, MAX_ENTRIES)
    else:
        constraints = Constraints(parameters)
        constraints.items("Entries", 1, MAX_ENTRIES)
    constraints.check()
    assert isinstance(entries, list)
    if sum(map(_size, entries)) > MAX_REQUEST_BYTES:
        raise invalid("Total size of the entries in the request is over the limit.")
    return entries


def _size(entry: Mapping[str, Any]) -> int:
    """The size of an entry by the formula of EventBridge."""
    texts = [str(entry.get(name) or "") for name in _REQUIRED]
    texts += map(str, entry.get("Resources") or [])
    return sum(len(text.encode("utf-8", "replace")) for text in texts) + (_TIME_BYTES if entry.get("Time") else 0)


def _refusal(call: AwsCall, entry: Mapping[str, Any]) -> dict[str, str] | None:
    for name in _REQUIRED:
        if not entry.get(name):
            reason = f"Parameter {name} is not valid. Reason: {name} is a required argument."
            return {"ErrorCode": "InvalidArgument", "ErrorMessage": reason}
    if str(entry["Source"]).startswith(_RESERVED_SOURCE):
        return {"ErrorCode": "NotAuthorizedForSourceException", "ErrorMessage": "Not authorized for the source."}
    if _detail(entry) is None:
        return {"ErrorCode": "MalformedDetail", "ErrorMessage": "Detail is malformed."}
    resources = entry.get("Resources") or []
    if not isinstance(resources, list) or not all(isinstance(one, str) for one in resources):
        return {"ErrorCode": "InvalidArgument", "ErrorMessage": "Parameter Resources is not valid."}
    if not _may_put(call, bus_name(call, entry.get("EventBusName"))):
        reason = f"User is not authorized to perform: events:PutEvents on resource: {entry.get('EventBusName')}"
        return {"ErrorCode": "AccessDeniedException", "ErrorMessage": reason}
    return None


def _detail(entry: Mapping[str, Any]) -> dict[str, Any] | None:
    try:
        found = json.loads(str(entry["Detail"]), parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a number of JSON")
    return value


def _exists(call: AwsCall, local: str) -> bool:
    registry = call.registry
    return local in registry.snapshot.event_buses or local == bus_name(call, None)


def _may_put(call: AwsCall, local: str) -> bool:
    """An account may put on its own event buses, and on others that permit it."""
    registry = call.registry
    if registry.names.split(local)[0] == call.account.account_id:
        return True
    bus = registry.snapshot.event_buses.get(local)
    return bus is not None and bus_permits(bus.attributes.get("Policy"), call.account.account_id)


def _event(call: AwsCall, entry: Mapping[str, Any]) -> BusEvent:
    return BusEvent(
        source=str(entry["Source"]),
        detail_type=str(entry["DetailType"]),
        detail=_detail(entry) or {},
        resources=tuple(entry.get("Resources") or ()),
        event_bus=bus_name(call, entry.get("EventBusName")),
        at=read_time(entry.get("Time"), "Time"),
        account_id=call.account.account_id,
        event_id=new_id(),
        trace_header=entry.get("TraceHeader") or None,
    )


def _as_shown(entry: Mapping[str, Any]) -> str:
    """An entry in the words in which EventBridge repeats it."""
    members = {
        "time": "Time",
        "source": "Source",
        "resources": "Resources",
        "detailType": "DetailType",
        "detail": "Detail",
        "eventBusName": "EventBusName",
        "traceHeader": "TraceHeader",
        "kmsKeyIdentifier": None,
        "internalMetadata": None,
    }
    values = (
        f"{shown}={'null' if name is None or entry.get(name) is None else entry[name]}"
        for shown, name in members.items()
    )
    return f"PutEventsRequestEntry({', '.join(values)})"
