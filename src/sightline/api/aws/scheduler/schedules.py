"""Schedules: creating, changing, showing and deleting them."""

import hashlib
import json
import random
from typing import Any

from sightline.api.aws.call import AwsCall
from sightline.api.aws.constraints import Constraints
from sightline.api.aws.pages import key_after, token_of
from sightline.api.aws.scheduler.read_schedule import read_schedule
from sightline.api.aws.scheduler.requests import (
    DEFAULT_GROUP,
    MAX_NAME,
    MAX_PAGE,
    NAME_PATTERN,
    conflict,
    find_group,
    name_of,
    not_found,
    over_quota,
)
from sightline.bus import StoredSchedule, first_due, schedule_store
from sightline.timing import utc_now

STATES = ("ENABLED", "DISABLED")
_IRRELEVANT = frozenset({"ClientToken"})


async def create_schedule(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    now = utc_now()
    schedule = read_schedule(call, parameters, now=now)
    token = parameters.get("ClientToken")
    digest = _digest(parameters)
    due = first_due(schedule, now=now, chance=random.random)
    limit = call.platform.settings.bus.max_schedules
    async with call.platform.database.transaction() as tx:
        await find_group(call, tx, schedule.group_name)
        if (await schedule_store.count(tx, call.account.account_id))[1] >= limit:
            raise over_quota(f"You have reached the quota of {limit} schedules.")
        if not await schedule_store.add(tx, schedule, due, client_token=token, request_digest=digest):
            existing = await schedule_store.find(tx, schedule.account_id, schedule.group_name, schedule.name)
            if existing is None or token is None or (existing.client_token, existing.request_digest) != (token, digest):
                raise conflict(f"Schedule {schedule.name} already exists.")
    return {"ScheduleArn": schedule.arn(call.registry.names)}


async def update_schedule(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    now = utc_now()
    schedule = read_schedule(call, parameters, now=now)
    due = first_due(schedule, now=now, chance=random.random)
    async with call.platform.database.transaction() as tx:
        await find_group(call, tx, schedule.group_name)
        if not await schedule_store.update(tx, schedule, due):
            raise _unknown(schedule.name)
    return {"ScheduleArn": schedule.arn(call.registry.names)}


async def get_schedule(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    name, group = name_of(parameters), str(parameters.get("GroupName") or DEFAULT_GROUP)
    async with call.platform.database.transaction() as tx:
        await find_group(call, tx, group)
        found = await schedule_store.find(tx, call.account.account_id, group, name)
    if found is None:
        raise _unknown(name)
    return _shown(call, found)


async def delete_schedule(call: AwsCall, parameters: dict[str, Any]) -> None:
    name, group = name_of(parameters), str(parameters.get("GroupName") or DEFAULT_GROUP)
    async with call.platform.database.transaction() as tx:
        if not await schedule_store.remove(tx, call.account.account_id, group, name):
            raise _unknown(name)


async def list_schedules(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    limit = constraints.number("MaxResults", 1, MAX_PAGE, MAX_PAGE)
    prefix = constraints.text("NamePrefix", pattern=NAME_PATTERN, max_length=MAX_NAME)
    state = parameters.get("State")
    if state is not None:
        constraints.choice("State", STATES)
    constraints.check()
    group, _, name = key_after(parameters).partition("/")
    async with call.platform.database.transaction() as tx:
        wanted = parameters.get("GroupName")
        if wanted is not None:
            await find_group(call, tx, str(wanted))
        found = await schedule_store.list_schedules(
            tx,
            call.account.account_id,
            after=(group, name),
            group_name=None if wanted is None else str(wanted),
            prefix=prefix,
            is_enabled=None if state is None else state == "ENABLED",
            limit=limit + 1,
        )
    last = found[limit - 1].schedule if len(found) > limit else None
    token = {} if last is None else {"NextToken": token_of(f"{last.group_name}/{last.name}")}
    return {"Schedules": [_listed(call, one) for one in found[:limit]], **token}


def _unknown(name: str) -> Exception:
    return not_found(f"Schedule {name} does not exist.")


def _digest(parameters: dict[str, Any]) -> str:
    """Equal for two requests with the same token if they are the same request."""
    compared = {name: value for name, value in parameters.items() if name not in _IRRELEVANT}
    return hashlib.sha256(json.dumps(compared, sort_keys=True, default=str).encode()).hexdigest()


def _listed(call: AwsCall, found: StoredSchedule) -> dict[str, Any]:
    schedule = found.schedule
    return {
        "Arn": schedule.arn(call.registry.names),
        "Name": schedule.name,
        "GroupName": schedule.group_name,
        "State": "ENABLED" if schedule.is_enabled else "DISABLED",
        "CreationDate": found.created_at,
        "LastModificationDate": found.changed_at,
        "Target": {"Arn": schedule.target["Arn"]},
    }


def _shown(call: AwsCall, found: StoredSchedule) -> dict[str, Any]:
    schedule = found.schedule
    window: dict[str, Any] = {"Mode": "FLEXIBLE" if schedule.window_minutes else "OFF"}
    if schedule.window_minutes:
        window["MaximumWindowInMinutes"] = schedule.window_minutes
    optional = {
        "Description": schedule.description,
        "StartDate": schedule.starts_at,
        "EndDate": schedule.ends_at,
        "KmsKeyArn": schedule.kms_key_arn,
    }
    return {
        **_listed(call, found),
        "ScheduleExpression": schedule.expression,
        "ScheduleExpressionTimezone": schedule.zone,
        "FlexibleTimeWindow": window,
        "ActionAfterCompletion": "DELETE" if schedule.deletes_itself else "NONE",
        "Target": dict(schedule.target),
        **{member: value for member, value in optional.items() if value is not None},
    }
