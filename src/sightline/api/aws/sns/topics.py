"""Topics: creating, describing and deleting them."""

import re
from dataclasses import replace
from typing import Any

from sightline.api.aws.call import AwsCall
from sightline.api.aws.sns.requests import (
    check_topic_arn,
    invalid,
    own_topic,
    page,
    text,
    texts,
    topic_of,
)
from sightline.api.aws.sns.tags import read_tags
from sightline.api.aws.sns.topic_attributes import check_topic_attribute, shown_attributes
from sightline.bus import RegisteredTopic

_NAME = re.compile(r"[A-Za-z0-9_-]{1,256}")
_FIFO_NAME = re.compile(r"[A-Za-z0-9_-]{1,251}\.fifo")
_FIFO_NAME_RULE = (
    "Fifo Topic names must end with .fifo and must be made up of only uppercase and lowercase ASCII letters, numbers, "
    "underscores, and hyphens, and must be between 1 and 256 characters long."
)


async def create_topic(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    name = str(parameters.get("Name") or "")
    attributes = texts(parameters, "Attributes")
    for attribute, value in attributes.items():
        check_topic_attribute(attribute, value, on_create=True)
    tags = read_tags(parameters.get("Tags"))
    is_fifo = attributes.get("FifoTopic") == "true"
    if not (_FIFO_NAME if is_fifo else _NAME).fullmatch(name):
        raise invalid(_FIFO_NAME_RULE if is_fifo and name.endswith(".fifo") else "Topic Name")
    names = call.registry.names
    local = names.local_name(call.account.account_id, name)
    async with call.registry.changing() as change:
        existing = change.snapshot.topics.get(local)
        if existing is None:
            kept = {key: value for key, value in attributes.items() if key != "FifoTopic"}
            await change.put(
                RegisteredTopic(local, call.account.account_id, is_fifo=is_fifo, attributes=kept, tags=tags)
            )
        else:
            _check_same(existing, attributes, tags)
    return {"TopicArn": names.topic_arn(local)}


def _check_same(existing: RegisteredTopic, attributes: dict[str, str], tags: dict[str, str]) -> None:
    """Creating a topic again is harmless unless it would have to be another one."""
    if any(existing.tags.get(key) != value for key, value in tags.items()):
        raise invalid("Tags Reason: Topic already exists with different tags")
    present = {**existing.attributes, "FifoTopic": "true" if existing.is_fifo else "false"}
    if any(present.get(key, "") != value for key, value in attributes.items()):
        raise invalid("Attributes Reason: Topic already exists with different attributes")


async def delete_topic(call: AwsCall, parameters: dict[str, Any]) -> None:
    arn = text(parameters, "TopicArn")
    local = check_topic_arn(call, arn)
    if local not in call.registry.snapshot.topics:
        return  # deleting twice is harmless
    own_topic(call, arn)
    async with call.registry.changing() as change:
        if (topic := change.snapshot.topics.get(local)) is not None:
            await change.remove(topic)


async def list_topics(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    names = call.registry.names
    own = [
        (topic.name, {"TopicArn": names.topic_arn(topic.name)})
        for topic in call.registry.snapshot.topics.values()
        if topic.account_id == call.account.account_id
    ]
    topics, token = page(parameters, own)
    return {"Topics": topics, **token}


async def get_topic_attributes(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    topic = topic_of(call, text(parameters, "TopicArn"))
    subscriptions = [one for one in call.registry.snapshot.subscriptions.values() if one.topic == topic.name]
    confirmed = sum(one.is_confirmed for one in subscriptions)
    counts = {
        "SubscriptionsConfirmed": str(confirmed),
        "SubscriptionsPending": str(len(subscriptions) - confirmed),
        "SubscriptionsDeleted": "0",
    }
    arn = call.registry.names.topic_arn(topic.name)
    return {"Attributes": {**shown_attributes(topic, arn), **counts}}


async def set_topic_attributes(call: AwsCall, parameters: dict[str, Any]) -> None:
    name = text(parameters, "AttributeName")
    value = str(parameters.get("AttributeValue") or "")
    topic = own_topic(call, text(parameters, "TopicArn"))
    check_topic_attribute(name, value, on_create=False)
    if name == "ContentBasedDeduplication" and not topic.is_fifo:
        raise invalid("Content-based deduplication can only be set for FIFO topics")
    async with call.registry.changing() as change:
        present = change.snapshot.topics.get(topic.name, topic)
        await change.put(replace(present, attributes={**present.attributes, name: value}))
