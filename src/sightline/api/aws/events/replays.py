"""Replays of archives."""

import re
from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.constraints import NAME_PATTERN, Constraints
from sightline.api.aws.events.archives import archive_arn
from sightline.api.aws.events.requests import (
    bus_name,
    bus_of_arn,
    find_bus,
    find_rule,
    invalid,
    not_found,
    over_quota,
    page_wanted,
    rule_of_arn,
)
from sightline.api.aws.pages import key_after, page_of_rows
from sightline.api.aws.times import read_time
from sightline.bus import RegisteredArchive, Replay, archive_store

MAX_RUNNING = 10
STATES = ("STARTING", "RUNNING", "CANCELLING", "COMPLETED", "CANCELLED", "FAILED")
_ARCHIVE_ARN = re.compile(r"arn:[a-z-]+:events:[a-z0-9-]*:(\d{12}):archive/([.\-_A-Za-z0-9]+)")


async def start_replay(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    name = constraints.text("ReplayName", is_required=True, pattern=NAME_PATTERN, max_length=64)
    source = constraints.text("EventSourceArn", is_required=True, max_length=1600)
    constraints.text("Description", min_length=0, max_length=512)
    constraints.check()
    starts_at = read_time(parameters.get("EventStartTime"), "EventStartTime")
    ends_at = read_time(parameters.get("EventEndTime"), "EventEndTime")
    if starts_at is None or ends_at is None:
        raise invalid("Parameter(s) EventStartTime and EventEndTime must be specified.")
    destination = parameters.get("Destination") or {}
    local_bus = _destination_bus(call, str(destination.get("Arn") or ""))
    archive = _archive(call, source)
    if starts_at >= ends_at:
        raise invalid("Parameter EventEndTime is not valid. Reason: EventStartTime must be before EventEndTime.")
    if archive.event_bus != local_bus:
        raise invalid("Parameter Destination.Arn is not valid. Reason: Cross event bus replay is not permitted.")
    rules = _rules(call, local_bus, destination.get("FilterArns") or [])
    async with call.platform.database.transaction() as tx:
        if await archive_store.count_running(tx, call.account.account_id) >= MAX_RUNNING:
            raise over_quota()
        replay = await archive_store.add_replay(
            tx,
            account_id=call.account.account_id,
            name=name,
            archive=archive.name,
            archive_id=archive.id,
            event_bus=local_bus,
            rule_arns=rules,
            description=parameters.get("Description"),
            starts_at=starts_at,
            ends_at=ends_at,
        )
    if replay is None:
        raise AwsError("ResourceAlreadyExistsException", f"Replay {name} already exists.")
    return {"ReplayArn": _arn(call, replay), "State": replay.state, "ReplayStartTime": replay.created_at}


async def describe_replay(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    name = str(parameters.get("ReplayName") or "")
    async with call.platform.database.transaction() as tx:
        replay = await archive_store.find_replay(tx, call.account.account_id, name)
    if replay is None:
        raise not_found(f"Replay {name} does not exist.")
    destination: dict[str, Any] = {"Arn": call.registry.names.event_bus_arn(replay.event_bus)}
    if replay.rule_arns:
        destination["FilterArns"] = list(replay.rule_arns)
    shown = {**_shown(call, replay), "ReplayArn": _arn(call, replay), "Destination": destination}
    optional = {"Description": replay.description, "StateReason": replay.state_reason}
    return shown | {member: value for member, value in optional.items() if value is not None}


async def list_replays(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    limit, prefix = page_wanted(constraints)
    if parameters.get("State") is not None:
        constraints.choice("State", STATES)
    constraints.check()
    source = parameters.get("EventSourceArn")
    async with call.platform.database.transaction() as tx:
        found = await archive_store.list_replays(
            tx,
            call.account.account_id,
            after=key_after(parameters),
            prefix=prefix,
            state=parameters.get("State"),
            archive=None if source is None else bus_name(call, str(source).rpartition("/")[2]),
            limit=limit + 1,
        )
    shown, token = page_of_rows(found, limit)
    return {"Replays": [_shown(call, one) for one in shown], **token}


async def cancel_replay(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    name = str(parameters.get("ReplayName") or "")
    async with call.platform.database.transaction() as tx:
        replay = await archive_store.cancel_replay(tx, call.account.account_id, name)
        present = replay or await archive_store.find_replay(tx, call.account.account_id, name)
    if present is None:
        raise not_found(f"Replay {name} does not exist.")
    if replay is None:
        raise AwsError("IllegalStatusException", f"Replay {name} is not in a valid state for this operation.")
    return {"ReplayArn": _arn(call, replay), "State": replay.state}


def _destination_bus(call: AwsCall, arn: str) -> str:
    local = bus_of_arn(call, arn)
    if local is None:
        raise invalid("Parameter Destination.Arn is not valid. Reason: Must contain an event bus ARN.")
    return find_bus(call, call.registry.snapshot, local).name


def _archive(call: AwsCall, arn: str) -> RegisteredArchive:
    found = _ARCHIVE_ARN.fullmatch(arn)
    if found is None or found[1] != call.account.account_id:
        raise invalid("Parameter EventSourceArn is not valid. Reason: Must contain an archive ARN.")
    archive = call.registry.snapshot.archives.get(bus_name(call, found[2]))
    if archive is None:
        raise invalid(f"Parameter EventSourceArn is not valid. Reason: Archive {found[2]} does not exist.")
    return archive


def _rules(call: AwsCall, local_bus: str, arns: list[Any]) -> list[str]:
    snapshot = call.registry.snapshot
    for arn in arns:
        found = rule_of_arn(call, str(arn))
        if found is None or found[0] != local_bus:
            raise invalid(
                "Parameter Destination.FilterArns is not valid. Reason: Must contain rule ARNs of the event bus."
            )
        find_rule(call, snapshot, *found)
    return list(map(str, arns))


def _arn(call: AwsCall, replay: Replay) -> str:
    return f"arn:aws:events:{call.registry.names.region}:{replay.account_id}:replay/{replay.name}"


def _shown(call: AwsCall, replay: Replay) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "ReplayName": replay.name,
        "EventSourceArn": archive_arn(call, replay.archive),
        "State": replay.state,
        "EventStartTime": replay.starts_at,
        "EventEndTime": replay.ends_at,
        "ReplayStartTime": replay.created_at,
    }
    if replay.ended_at is not None:
        shown["ReplayEndTime"] = replay.ended_at
    if replay.replayed_until is not None:
        shown["EventLastReplayedTime"] = replay.replayed_until
    return shown
