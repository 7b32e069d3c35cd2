"""Permissions of topics: statements of their policy. They are stored and shown; only the topic's account may use it."""

import json
from dataclasses import replace
from typing import Any

from sightline.api.aws.call import AwsCall
from sightline.api.aws.sns.requests import invalid, own_topic, text
from sightline.api.aws.sns.topic_attributes import default_policy

_ACTIONS = frozenset(
    {
        "AddPermission",
        "DeleteTopic",
        "GetTopicAttributes",
        "ListSubscriptionsByTopic",
        "Publish",
        "RemovePermission",
        "SetTopicAttributes",
        "Subscribe",
    }
)


async def add_permission(call: AwsCall, parameters: dict[str, Any]) -> None:
    label = text(parameters, "Label")
    accounts = [str(one) for one in parameters.get("AWSAccountId") or []]
    actions = [str(one) for one in parameters.get("ActionName") or []]
    if not _ACTIONS.issuperset(actions):
        raise invalid("Policy statement action out of service scope!")
    if not accounts or not actions:
        raise invalid("AWSAccountId and ActionName Reason: at least one each is needed")
    topic, policy, arn = _policy(call, parameters)
    if any(statement.get("Sid") == label for statement in policy["Statement"]):
        raise invalid("Statement already exists")
    principals = [f"arn:aws:iam::{account}:root" for account in accounts]
    policy["Statement"].append(
        {
            "Sid": label,
            "Effect": "Allow",
            "Principal": {"AWS": principals[0] if len(principals) == 1 else principals},
            "Action": [f"SNS:{action}" for action in actions] if len(actions) > 1 else f"SNS:{actions[0]}",
            "Resource": arn,
        }
    )
    await _store(call, topic.name, policy)


async def remove_permission(call: AwsCall, parameters: dict[str, Any]) -> None:
    label = text(parameters, "Label")
    topic, policy, _ = _policy(call, parameters)
    policy["Statement"] = [one for one in policy["Statement"] if one.get("Sid") != label]
    await _store(call, topic.name, policy)


def _policy(call: AwsCall, parameters: dict[str, Any]) -> tuple[Any, dict[str, Any], str]:
    topic = own_topic(call, text(parameters, "TopicArn"))
    arn = call.registry.names.topic_arn(topic.name)
    stored = topic.attributes.get("Policy")
    policy = json.loads(stored) if stored else default_policy(arn, topic.account_id)
    statements = policy.get("Statement", [])
    policy["Statement"] = list(statements) if isinstance(statements, list) else [statements]
    return topic, policy, arn


async def _store(call: AwsCall, name: str, policy: dict[str, Any]) -> None:
    async with call.registry.changing() as change:
        if (topic := change.snapshot.topics.get(name)) is not None:
            await change.put(replace(topic, attributes={**topic.attributes, "Policy": json.dumps(policy)}))
