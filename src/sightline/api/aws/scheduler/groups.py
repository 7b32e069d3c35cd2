"""Schedule groups, and their tags."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from sightline.api.aws.call import AwsCall
from sightline.api.aws.constraints import Constraints
from sightline.api.aws.pages import key_after, page_of_rows
from sightline.api.aws.scheduler.requests import (
    DEFAULT_GROUP,
    MAX_NAME,
    MAX_PAGE,
    NAME_PATTERN,
    conflict,
    find_group,
    group_arn,
    invalid,
    name_of,
    not_found,
    over_quota,
)
from sightline.bus import ScheduleGroup, schedule_store

MAX_TAGS = 200
_GROUP_ARN = re.compile(r"arn:aws[a-z-]*:scheduler:[a-z0-9-]*:(\d{12}):schedule-group/([0-9a-zA-Z-_.]+)")


async def create_schedule_group(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    name, tags = name_of(parameters), _read_tags(parameters.get("Tags"))
    token, account_id = parameters.get("ClientToken"), call.account.account_id
    limit = call.platform.settings.bus.max_schedule_groups
    async with call.platform.database.transaction() as tx:
        await schedule_store.ensure_default_group(tx, account_id)
        if (await schedule_store.count(tx, account_id))[0] > limit:
            raise over_quota(f"You have reached the quota of {limit} schedule groups.")
        if await schedule_store.add_group(tx, account_id, name, tags=tags, client_token=token) is None:
            existing = await schedule_store.find_group(tx, account_id, name)
            if existing is None or token is None or existing.client_token != token:
                raise conflict(f"Schedule group {name} already exists.")
    return {"ScheduleGroupArn": group_arn(call, name)}


async def get_schedule_group(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    async with call.platform.database.transaction() as tx:
        return _shown(call, await find_group(call, tx, name_of(parameters)))


async def list_schedule_groups(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    limit = constraints.number("MaxResults", 1, MAX_PAGE, MAX_PAGE)
    prefix = constraints.text("NamePrefix", pattern=NAME_PATTERN, max_length=MAX_NAME)
    constraints.check()
    async with call.platform.database.transaction() as tx:
        await schedule_store.ensure_default_group(tx, call.account.account_id)
        found = await schedule_store.list_groups(
            tx, call.account.account_id, after=key_after(parameters), prefix=prefix, limit=limit + 1
        )
    shown, token = page_of_rows(found, limit)
    return {"ScheduleGroups": [_shown(call, one) for one in shown], **token}


async def delete_schedule_group(call: AwsCall, parameters: dict[str, Any]) -> None:
    name = name_of(parameters)
    if name == DEFAULT_GROUP:
        raise invalid("You cannot delete the default schedule group.")
    async with call.platform.database.transaction() as tx:
        if not await schedule_store.remove_group(tx, call.account.account_id, name):
            raise not_found(f"Schedule group {name} does not exist.")


async def tag_resource(call: AwsCall, parameters: dict[str, Any]) -> None:
    new = _read_tags(parameters.get("Tags"))
    await _change_tags(call, parameters, lambda tags: {**tags, **new})


async def untag_resource(call: AwsCall, parameters: dict[str, Any]) -> None:
    removed = set(map(str, parameters.get("TagKeys") or []))
    await _change_tags(call, parameters, lambda tags: {key: tag for key, tag in tags.items() if key not in removed})


async def list_tags_for_resource(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    async with call.platform.database.transaction() as tx:
        group = await find_group(call, tx, _group_of_arn(call, parameters))
    return {"Tags": [{"Key": key, "Value": value} for key, value in group.tags.items()]}


async def _change_tags(
    call: AwsCall, parameters: dict[str, Any], changed: Callable[[dict[str, str]], dict[str, str]]
) -> None:
    async with call.platform.database.transaction() as tx:
        group = await find_group(call, tx, _group_of_arn(call, parameters))
        tags = changed(dict(group.tags))
        if len(tags) > MAX_TAGS:
            raise over_quota(f"A schedule group may have {MAX_TAGS} tags.")
        await schedule_store.tag_group(tx, group, tags)


def _group_of_arn(call: AwsCall, parameters: dict[str, Any]) -> str:
    arn = str(parameters.get("ResourceArn") or "")
    found = _GROUP_ARN.fullmatch(arn)
    if found is None:
        raise invalid("Provided Arn is not in correct format; only schedule groups have tags.")
    if found[1] != call.account.account_id:
        raise not_found(f"Schedule group {found[2]} does not exist.")
    return found[2]


def _read_tags(given: object) -> dict[str, str]:
    listed = given or []
    if not isinstance(listed, Sequence) or not all(isinstance(tag, dict) and tag.get("Key") for tag in listed):
        raise invalid("Each tag needs a Key and a Value.")
    tags = {str(tag["Key"]): str(tag.get("Value") or "") for tag in listed}
    if len(tags) < len(listed):
        raise invalid("Duplicate tag keys are not allowed.")
    if any(len(key) > 128 or len(value) > 256 for key, value in tags.items()):
        raise invalid("A key has at most 128 and a value at most 256 characters.")
    return tags


def _shown(call: AwsCall, group: ScheduleGroup) -> dict[str, Any]:
    return {
        "Arn": group_arn(call, group.name),
        "Name": group.name,
        "State": "ACTIVE",
        "CreationDate": group.created_at,
        "LastModificationDate": group.changed_at,
    }
