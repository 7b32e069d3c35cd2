"""Tags of topics."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.sns.requests import invalid, own_topic, text, topic_of
from sightline.bus import RegisteredTopic

MAX_TAGS = 50


def read_tags(given: object) -> dict[str, str]:
    listed = given or []
    if not isinstance(listed, Sequence) or not all(isinstance(tag, dict) and tag.get("Key") for tag in listed):
        raise invalid("Tags Reason: each tag needs a Key and a Value")
    tags = {str(tag["Key"]): str(tag.get("Value") or "") for tag in listed}
    if len(tags) < len(listed):
        raise invalid("Duplicated keys are not allowed.")
    if any(len(key) > 128 or len(value) > 256 for key, value in tags.items()):
        raise invalid("Tags Reason: a key has at most 128 and a value at most 256 characters")
    if len(tags) > MAX_TAGS:
        raise AwsError(
            "TagLimitExceeded", f"Could not complete request: tag quota of per resource exceeded ({MAX_TAGS})"
        )
    return tags


async def tag_resource(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    new = read_tags(parameters.get("Tags"))
    await _change(call, parameters, lambda topic: {**topic.tags, **new})
    return {}


async def untag_resource(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    removed = set(map(str, parameters.get("TagKeys") or []))
    await _change(call, parameters, lambda topic: {key: tag for key, tag in topic.tags.items() if key not in removed})
    return {}


async def list_tags_for_resource(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    try:
        topic = topic_of(call, text(parameters, "ResourceArn"), "ResourceArn")
    except AwsError as error:
        raise _unknown_resource(error) from error
    return {"Tags": [{"Key": key, "Value": value} for key, value in topic.tags.items()]}


async def _change(call: AwsCall, parameters: dict[str, Any], new_tags: Any) -> None:
    try:
        topic: RegisteredTopic = own_topic(call, text(parameters, "ResourceArn"), "ResourceArn")
    except AwsError as error:
        raise _unknown_resource(error) from error
    async with call.registry.changing() as change:
        present = change.snapshot.topics.get(topic.name, topic)
        tags = new_tags(present)
        read_tags([{"Key": key, "Value": value} for key, value in tags.items()])  # the limit holds for all of them
        await change.put(replace(present, tags=tags))


def _unknown_resource(error: AwsError) -> AwsError:
    if error.code != "NotFound":
        return error
    return AwsError("ResourceNotFound", "Resource does not exist", status=404)
