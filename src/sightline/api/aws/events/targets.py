"""Targets of rules."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.constraints import NAME_PATTERN, Constraints
from sightline.api.aws.events.requests import MAX_PAGE, bus_name, changeable_rule, find_bus, find_rule, over_quota
from sightline.api.aws.pages import page
from sightline.bus import MAX_TARGETS, check_target

_DONE = {"FailedEntryCount": 0, "FailedEntries": []}


async def put_targets(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    targets = _read_targets(parameters)
    local, name = bus_name(call, parameters.get("EventBusName")), str(parameters.get("Rule") or "")
    find_rule(call, call.registry.snapshot, local, name)
    for target in targets:
        check_target(target, account_id=call.account.account_id)
    async with call.registry.changing() as change:
        rule = changeable_rule(call, change.snapshot, local, name)
        by_id: dict[str, Mapping[str, Any]] = {one["Id"]: one for one in rule.targets}
        by_id |= {one["Id"]: one for one in targets}
        if len(by_id) > MAX_TARGETS:
            raise over_quota()
        await change.put(replace(rule, targets=tuple(by_id.values())))
    return _DONE


def _read_targets(parameters: dict[str, Any]) -> list[dict[str, Any]]:
    constraints = Constraints(parameters)
    constraints.text("Rule", is_required=True, pattern=NAME_PATTERN, max_length=64)
    targets = constraints.items("Targets", 1, 100)
    for number, target in enumerate(targets, start=1):
        if not isinstance(target, dict):
            raise AwsError("SerializationException", "Each target must be an object.")
        where = f"targets.{number}.member"
        constraints.value(target.get("Id"), f"{where}.id", is_required=True, pattern=NAME_PATTERN, max_length=64)
        constraints.value(target.get("Arn"), f"{where}.arn", is_required=True, max_length=1600)
    constraints.check()
    return targets


async def remove_targets(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    local, name = bus_name(call, parameters.get("EventBusName")), str(parameters.get("Rule") or "")
    removed = set(map(str, parameters.get("Ids") or []))
    async with call.registry.changing() as change:
        rule = changeable_rule(call, change.snapshot, local, name)
        await change.put(replace(rule, targets=tuple(one for one in rule.targets if one["Id"] not in removed)))
    return _DONE


async def list_targets_by_rule(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    limit = _limit(parameters)
    local = bus_name(call, parameters.get("EventBusName"))
    rule = find_rule(call, call.registry.snapshot, local, str(parameters.get("Rule") or ""))
    # The key is the place in the order in which they were put, which is the order of the list.
    in_order = [(f"{place:03}", dict(one)) for place, one in enumerate(rule.targets)]
    shown, token = page(parameters, in_order, limit)
    return {"Targets": shown, **token}


async def list_rule_names_by_target(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    limit = _limit(parameters)
    arn = parameters.get("TargetArn")
    snapshot = call.registry.snapshot
    local = find_bus(call, snapshot, bus_name(call, parameters.get("EventBusName"))).name
    names = [
        (rule.name, rule.name)
        for rule in snapshot.rules.values()
        if rule.event_bus == local and any(target["Arn"] == arn for target in rule.targets)
    ]
    shown, token = page(parameters, names, limit)
    return {"RuleNames": shown, **token}


def _limit(parameters: dict[str, Any]) -> int:
    constraints = Constraints(parameters)
    limit = constraints.number("Limit", 1, MAX_PAGE, MAX_PAGE)
    constraints.check()
    return limit
