"""Rules: putting, describing, enabling and deleting them."""

from dataclasses import replace
from typing import Any

from sightline.api.aws.call import AwsCall
from sightline.api.aws.constraints import NAME_PATTERN, Constraints
from sightline.api.aws.events.requests import (
    bus_name,
    changeable_rule,
    find_bus,
    find_rule,
    invalid,
    page_wanted,
    plain,
)
from sightline.api.aws.events.tags import read_tags
from sightline.api.aws.pages import page
from sightline.bus import DEFAULT_EVENT_BUS, RegisteredRule, compile_event_pattern, follow_rule, rule_key, rule_ticks
from sightline.timing import utc_now

STATES = ("ENABLED", "DISABLED", "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS")
_KEPT = ("Description", "RoleArn")
MANAGED_BY = "sightline"


async def put_rule(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    name = constraints.text("Name", is_required=True, pattern=NAME_PATTERN, max_length=64)
    schedule = constraints.text("ScheduleExpression", min_length=0, max_length=256) or None
    state = constraints.choice("State", STATES, default="ENABLED")
    constraints.text("Description", min_length=0, max_length=512)
    constraints.check()
    local = bus_name(call, parameters.get("EventBusName"))
    pattern = str(parameters["EventPattern"]) if parameters.get("EventPattern") else None
    if pattern is None and schedule is None:
        raise invalid("Parameter(s) EventPattern or ScheduleExpression must be specified.")
    find_bus(call, call.registry.snapshot, local)
    if pattern is not None:
        compile_event_pattern(pattern)
    if schedule is not None:
        if plain(call, local) != DEFAULT_EVENT_BUS:
            raise invalid("ScheduleExpression is supported only on the default event bus.")
        rule_ticks(schedule, anchor=utc_now())
    tags = read_tags(parameters.get("Tags"))
    attributes = {key: str(parameters[key]) for key in _KEPT if parameters.get(key)} | {"State": state}
    async with call.registry.changing() as change:
        bus = find_bus(call, change.snapshot, local)
        if local not in change.snapshot.event_buses:
            await change.put(bus)  # the default event bus of an account is stored with its first rule
        existing = change.snapshot.rules.get(rule_key(local, name))
        if existing is not None:
            changeable_rule(call, change.snapshot, local, name)
        blank = RegisteredRule(local, name, call.account.account_id, None, tags=tags)
        rule = replace(
            existing or blank,  # a rule keeps its targets and tags when it is put again
            pattern=pattern,
            schedule=schedule,
            is_enabled=state != "DISABLED",
            attributes=attributes,
        )
        await change.put(rule)
        await follow_rule(change.tx, rule, now=utc_now())
    return {"RuleArn": call.registry.names.rule_arn(local, name)}


async def describe_rule(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    local = bus_name(call, parameters.get("EventBusName"))
    rule = find_rule(call, call.registry.snapshot, local, str(parameters.get("Name") or ""))
    return {**_shown(call, rule), "CreatedBy": rule.account_id}


async def list_rules(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    limit, prefix = page_wanted(constraints)
    constraints.check()
    snapshot = call.registry.snapshot
    local = find_bus(call, snapshot, bus_name(call, parameters.get("EventBusName"))).name
    rules = [
        (rule.name, _shown(call, rule))
        for rule in snapshot.rules.values()
        if rule.event_bus == local and rule.name.startswith(prefix)
    ]
    shown, token = page(parameters, rules, limit)
    return {"Rules": shown, **token}


async def delete_rule(call: AwsCall, parameters: dict[str, Any]) -> None:
    local, name = bus_name(call, parameters.get("EventBusName")), str(parameters.get("Name") or "")
    async with call.registry.changing() as change:
        find_bus(call, change.snapshot, local)
        if rule_key(local, name) not in change.snapshot.rules:
            return  # deleting twice is harmless
        rule = changeable_rule(call, change.snapshot, local, name)
        if rule.targets:
            raise invalid("Rule can't be deleted since it has targets.")
        await change.remove(rule)


async def enable_rule(call: AwsCall, parameters: dict[str, Any]) -> None:
    await _switch(call, parameters, "ENABLED")


async def disable_rule(call: AwsCall, parameters: dict[str, Any]) -> None:
    await _switch(call, parameters, "DISABLED")


async def _switch(call: AwsCall, parameters: dict[str, Any], state: str) -> None:
    local, name = bus_name(call, parameters.get("EventBusName")), str(parameters.get("Name") or "")
    async with call.registry.changing() as change:
        rule = changeable_rule(call, change.snapshot, local, name)
        switched = replace(rule, is_enabled=state == "ENABLED", attributes={**rule.attributes, "State": state})
        await change.put(switched)
        await follow_rule(change.tx, switched, now=utc_now())


def _shown(call: AwsCall, rule: RegisteredRule) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "Name": rule.name,
        "Arn": call.registry.names.rule_arn(rule.event_bus, rule.name),
        "State": rule.attributes.get("State", "ENABLED" if rule.is_enabled else "DISABLED"),
        "EventBusName": plain(call, rule.event_bus),
    }
    if rule.pattern is not None:
        shown["EventPattern"] = rule.pattern
    if rule.schedule is not None:
        shown["ScheduleExpression"] = rule.schedule
    if rule.is_declared:
        shown["ManagedBy"] = MANAGED_BY
    return shown | {key: rule.attributes[key] for key in _KEPT if key in rule.attributes}
