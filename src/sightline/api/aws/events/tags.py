"""Tags of event buses and rules."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sightline.api.aws.call import AwsCall
from sightline.api.aws.events.requests import bus_of_arn, find_bus, find_rule, invalid, rule_of_arn
from sightline.bus import RegisteredEventBus, RegisteredRule, Snapshot

MAX_TAGS = 50


def read_tags(given: object) -> dict[str, str]:
    listed = given or []
    if not isinstance(listed, Sequence) or not all(isinstance(tag, dict) and tag.get("Key") for tag in listed):
        raise invalid("Parameter Tags is not valid. Reason: each tag needs a Key and a Value.")
    tags = {str(tag["Key"]): str(tag.get("Value") or "") for tag in listed}
    if len(tags) < len(listed):
        raise invalid("Parameter Tags is not valid. Reason: Duplicate tag keys are not allowed.")
    if any(len(key) > 128 or len(value) > 256 for key, value in tags.items()):
        raise invalid("Parameter Tags is not valid. Reason: a key has at most 128 and a value at most 256 characters.")
    if len(tags) > MAX_TAGS:
        raise invalid(f"Parameter Tags is not valid. Reason: a resource has at most {MAX_TAGS} tags.")
    return tags


def shown_tags(tags: Any) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in tags.items()]


async def tag_resource(call: AwsCall, parameters: dict[str, Any]) -> None:
    new = read_tags(parameters.get("Tags"))
    await _change(call, parameters, lambda tags: {**tags, **new})


async def untag_resource(call: AwsCall, parameters: dict[str, Any]) -> None:
    removed = set(map(str, parameters.get("TagKeys") or []))
    await _change(call, parameters, lambda tags: {key: tag for key, tag in tags.items() if key not in removed})


async def list_tags_for_resource(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    found = _find(call, call.registry.snapshot, str(parameters.get("ResourceARN") or ""))
    return {"Tags": shown_tags(found.tags)}


async def _change(
    call: AwsCall, parameters: dict[str, Any], changed: Callable[[dict[str, str]], dict[str, str]]
) -> None:
    arn = str(parameters.get("ResourceARN") or "")
    async with call.registry.changing() as change:
        found = _find(call, change.snapshot, arn)
        tags = changed(dict(found.tags))
        read_tags(shown_tags(tags))  # the limit holds for all of them
        await change.put(replace(found, tags=tags))


def _find(call: AwsCall, snapshot: Snapshot, arn: str) -> RegisteredEventBus | RegisteredRule:
    if (local := bus_of_arn(call, arn)) is not None:
        return find_bus(call, snapshot, local)
    if (rule := rule_of_arn(call, arn)) is not None:
        return find_rule(call, snapshot, *rule)
    raise invalid(f"Parameter {arn[:200]} is not valid. Reason: Provided Arn is not in correct format.")
