"""Event buses: creating, describing and deleting them, and who else may put events on them."""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.constraints import Constraints
from sightline.api.aws.events.requests import (
    BUS_NAME_PATTERN,
    bus_name,
    find_bus,
    invalid,
    page_wanted,
    plain,
)
from sightline.api.aws.events.tags import read_tags
from sightline.api.aws.pages import page
from sightline.bus import (
    DEFAULT_EVENT_BUS,
    RegisteredEventBus,
    checked_bus_policy,
    policy_with_statement,
    policy_without_statement,
)
from sightline.timing import iso_utc, utc_now

CHANGED_AT = "LastModifiedTime"
_KEPT = ("Description", "KmsKeyIdentifier")


async def create_event_bus(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    name = constraints.text("Name", is_required=True, pattern=BUS_NAME_PATTERN, max_length=256)
    constraints.text("Description", min_length=0, max_length=512)
    constraints.check()
    if parameters.get("EventSourceName"):
        raise invalid("Parameter EventSourceName is not valid. Reason: partner event sources are not offered here.")
    if "/" in name:
        raise invalid("Event bus name must not contain '/'.")
    attributes = _attributes(parameters)
    tags = read_tags(parameters.get("Tags"))
    local = bus_name(call, name)
    async with call.registry.changing() as change:
        if local in change.snapshot.event_buses or name == DEFAULT_EVENT_BUS:
            raise AwsError("ResourceAlreadyExistsException", f"Event bus {name} already exists.")
        await change.put(RegisteredEventBus(local, call.account.account_id, attributes=attributes, tags=tags))
    return {"EventBusArn": call.registry.names.event_bus_arn(local), **_described(attributes)}


async def update_event_bus(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    local = bus_name(call, parameters.get("Name"))
    attributes = _attributes(parameters)
    async with call.registry.changing() as change:
        bus = find_bus(call, change.snapshot, local)
        await change.put(_changed(bus, {**bus.attributes, **attributes}))
    return {
        "Arn": call.registry.names.event_bus_arn(local),
        "Name": plain(call, local),
        **_described({**bus.attributes, **attributes}),
    }


async def describe_event_bus(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    bus = find_bus(call, call.registry.snapshot, bus_name(call, parameters.get("Name")))
    return _shown(call, bus) | _described(bus.attributes)


async def list_event_buses(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    limit, prefix = page_wanted(constraints, pattern=BUS_NAME_PATTERN, max_length=256)
    constraints.check()
    snapshot = call.registry.snapshot
    own = {bus.name: bus for bus in snapshot.event_buses.values() if bus.account_id == call.account.account_id}
    default = find_bus(call, snapshot, bus_name(call, None))
    own.setdefault(default.name, default)
    named = [(plain(call, name), _shown(call, bus)) for name, bus in own.items()]
    shown, token = page(parameters, [pair for pair in named if pair[0].startswith(prefix)], limit)
    return {"EventBuses": shown, **token}


async def delete_event_bus(call: AwsCall, parameters: dict[str, Any]) -> None:
    local = bus_name(call, parameters.get("Name"))
    name = plain(call, local)
    if name == DEFAULT_EVENT_BUS:
        raise invalid(f"Cannot delete event bus {name}.")
    async with call.registry.changing() as change:
        bus = change.snapshot.event_buses.get(local)
        if bus is not None and bus.account_id == call.account.account_id:  # deleting twice is harmless
            await change.remove(bus)


async def put_permission(call: AwsCall, parameters: dict[str, Any]) -> None:
    local = bus_name(call, parameters.get("EventBusName"))
    async with call.registry.changing() as change:
        bus = find_bus(call, change.snapshot, local)
        if (whole := parameters.get("Policy")) is not None:
            policy = checked_bus_policy(str(whole))
        else:
            statement = _statement(call, local, parameters)
            policy = policy_with_statement(bus.attributes.get("Policy"), statement)
        await change.put(_changed(bus, {**bus.attributes, "Policy": policy}))


async def remove_permission(call: AwsCall, parameters: dict[str, Any]) -> None:
    local = bus_name(call, parameters.get("EventBusName"))
    async with call.registry.changing() as change:
        bus = find_bus(call, change.snapshot, local)
        attributes = {key: value for key, value in bus.attributes.items() if key != "Policy"}
        if not parameters.get("RemoveAllPermissions"):
            policy = policy_without_statement(bus.attributes.get("Policy"), str(parameters.get("StatementId") or ""))
            attributes |= {} if policy is None else {"Policy": policy}
        await change.put(_changed(bus, attributes))


def _statement(call: AwsCall, local: str, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    action = constraints.text("Action", is_required=True, pattern=r"events:[a-zA-Z]+", max_length=64)
    principal = constraints.text("Principal", is_required=True, pattern=r"(\d{12}|\*)", max_length=12)
    sid = constraints.text("StatementId", is_required=True, pattern=r"[a-zA-Z0-9-_]+", max_length=64)
    constraints.check()
    statement: dict[str, Any] = {
        "Sid": sid,
        "Effect": "Allow",
        "Principal": "*" if principal == "*" else {"AWS": f"arn:aws:iam::{principal}:root"},
        "Action": action,
        "Resource": call.registry.names.event_bus_arn(local),
    }
    if (condition := parameters.get("Condition")) is not None:
        statement["Condition"] = {condition.get("Type"): {condition.get("Key"): condition.get("Value")}}
    return statement


def _attributes(parameters: dict[str, Any]) -> dict[str, str]:
    found = {name: str(parameters[name]) for name in _KEPT if parameters.get(name) is not None}
    for name in ("DeadLetterConfig", "LogConfig"):
        if parameters.get(name):
            found[name] = json.dumps(parameters[name])
    return found


def _described(attributes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {name: attributes[name] for name in _KEPT if name in attributes}
    for name in ("DeadLetterConfig", "LogConfig"):
        if name in attributes:
            found[name] = json.loads(attributes[name])
    return found


def _changed(bus: RegisteredEventBus, attributes: dict[str, str]) -> RegisteredEventBus:
    return replace(bus, attributes={**attributes, CHANGED_AT: iso_utc(utc_now())})


def _shown(call: AwsCall, bus: RegisteredEventBus) -> dict[str, Any]:
    changed = bus.attributes.get(CHANGED_AT)
    shown: dict[str, Any] = {
        "Name": plain(call, bus.name),
        "Arn": call.registry.names.event_bus_arn(bus.name),
        "CreationTime": bus.created_at,
        "LastModifiedTime": bus.created_at if changed is None else datetime.fromisoformat(changed),
    }
    for name in ("Description", "Policy"):
        if name in bus.attributes:
            shown[name] = bus.attributes[name]
    return shown
