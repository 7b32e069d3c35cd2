"""Subscriptions: describing, changing and listing them."""

from collections.abc import Iterable
from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.sns.requests import (
    arn_of,
    page,
    subscription_of,
    text,
    topic_of,
)
from sightline.api.aws.sns.subscription_attributes import shown_attributes, with_attributes
from sightline.bus import RegisteredSubscription


async def get_subscription_attributes(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    return {"Attributes": shown_attributes(call, subscription_of(call, text(parameters, "SubscriptionArn")))}


async def set_subscription_attributes(call: AwsCall, parameters: dict[str, Any]) -> None:
    arn, name = text(parameters, "SubscriptionArn"), text(parameters, "AttributeName")
    value = str(parameters.get("AttributeValue") or "")
    subscription = subscription_of(call, arn)
    if subscription.is_declared:
        raise AwsError(
            "AuthorizationError", "This subscription is the platform's own and cannot be changed.", status=403
        )
    with_attributes(call, subscription, {name: value}, on_subscribe=False)
    async with call.registry.changing() as change:
        if (present := change.snapshot.subscriptions.get(subscription.key)) is not None:
            await change.put(with_attributes(call, present, {name: value}, on_subscribe=False))


async def list_subscriptions(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    found = call.registry.snapshot.subscriptions.values()
    return _listed(call, parameters, (one for one in found if one.account_id == call.account.account_id))


async def list_subscriptions_by_topic(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    topic = topic_of(call, text(parameters, "TopicArn"))
    found = call.registry.snapshot.subscriptions.values()
    return _listed(call, parameters, (one for one in found if one.topic == topic.name))


def _listed(
    call: AwsCall, parameters: dict[str, Any], subscriptions: Iterable[RegisteredSubscription]
) -> dict[str, Any]:
    shown = [
        (
            one.key,
            {
                "SubscriptionArn": arn_of(call, one) if one.is_confirmed else "PendingConfirmation",
                "Owner": one.account_id,
                "Protocol": one.protocol,
                "Endpoint": one.endpoint,
                "TopicArn": call.registry.names.topic_arn(one.topic),
            },
        )
        for one in subscriptions
    ]
    found, token = page(parameters, shown)
    return {"Subscriptions": found, **token}
