"""Attributes of subscriptions: checking them, applying them, showing them."""

import json
from dataclasses import replace
from typing import Any, get_args

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.sns.requests import arn_of, check_region, invalid
from sightline.bus import (
    FilterScope,
    RegisteredSubscription,
    check_subscription_policy,
    compile_filter_policy,
    effective_subscription_policy,
)

TOKEN = "ConfirmationToken"  # noqa: S105 - the name of an attribute
NEEDS_SIGNATURE_TO_END = "AuthenticateOnUnsubscribe"
WAS_AUTHENTICATED = "ConfirmationWasAuthenticated"
_HIDDEN = frozenset({TOKEN, NEEDS_SIGNATURE_TO_END, WAS_AUTHENTICATED})
_STORED_AS_IS = frozenset({"DeliveryPolicy", "ReplayPolicy", "SubscriptionRoleArn"})
_KNOWN = _STORED_AS_IS | {"FilterPolicy", "FilterPolicyScope", "RawMessageDelivery", "RedrivePolicy"}


def with_attributes(
    call: AwsCall, subscription: RegisteredSubscription, attributes: dict[str, str], *, on_subscribe: bool
) -> RegisteredSubscription:
    """The subscription with these attributes changed. SNS words some refusals of `Subscribe` differently."""
    prefix = "Attributes Reason: " if on_subscribe else ""
    for name in attributes:
        if name not in _KNOWN:
            raise invalid(f"{prefix}Unknown attribute {name}" if on_subscribe else "AttributeName")
    changed = subscription
    # The scope decides what a policy may say, so it comes first.
    if (scope := attributes.get("FilterPolicyScope")) is not None:
        changed = replace(changed, filter_scope=_scope(scope, prefix))
    for name, value in attributes.items():
        match name:
            case "FilterPolicy":
                changed = replace(changed, filter_policy=value or None)
            case "RawMessageDelivery":
                changed = replace(changed, is_raw=_raw(subscription, value, prefix))
            case "RedrivePolicy":
                changed = replace(changed, dead_letter_arn=_dead_letter_arn(call, changed, value, prefix))
            case "DeliveryPolicy" if value:
                check_subscription_policy(value)
                changed = replace(changed, attributes={**changed.attributes, name: value})
            case _ if name in _STORED_AS_IS:
                changed = replace(changed, attributes={**changed.attributes, name: _json(name, value, prefix)})
    compile_filter_policy(changed.filter_policy or "", scope=changed.filter_scope, on_subscribe=on_subscribe)
    return changed


def _scope(value: str, prefix: str) -> FilterScope:
    for scope in get_args(FilterScope):
        if value == scope:
            found: FilterScope = scope
            return found
    raise invalid(
        f"{prefix}FilterPolicyScope: Invalid value [{value[:100]}]. Please use either MessageBody or MessageAttributes"
    )


def _raw(subscription: RegisteredSubscription, value: str, prefix: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise invalid(f"{prefix}RawMessageDelivery: Invalid value [{value[:100]}]. Must be true or false.")
    is_raw = value.lower() == "true"
    if is_raw and subscription.protocol not in ("sqs", "http", "https"):
        raise invalid(
            f"{prefix}RawMessageDelivery: Delivery protocol [{subscription.protocol}] does not support raw message delivery."
        )
    return is_raw


def _dead_letter_arn(call: AwsCall, subscription: RegisteredSubscription, value: str, prefix: str) -> str | None:
    if not value:
        return None
    try:
        arn = str(json.loads(value).get("deadLetterTargetArn", ""))
    except (ValueError, RecursionError, AttributeError) as error:
        raise invalid(f"{prefix}RedrivePolicy: failed to parse JSON. {error}") from error
    elements = arn.split(":")
    if len(elements) != 6 or elements[2] != "sqs":
        raise invalid(f"{prefix}RedrivePolicy: deadLetterTargetArn is an invalid arn")
    check_region(call, elements[3], "RedrivePolicy")
    if elements[4] != call.account.account_id:
        raise AwsError("AuthorizationError", f"The queue {arn} is not one of your account.", status=403)
    is_fifo = subscription.endpoint.endswith(".fifo")
    if is_fifo and not arn.endswith(".fifo"):
        raise invalid(f"{prefix}RedrivePolicy: must use a FIFO queue as DLQ for a FIFO Subscription to a FIFO Topic.")
    if not is_fifo and arn.endswith(".fifo"):
        raise invalid(f"{prefix}RedrivePolicy: must use a standard queue as DLQ for a standard subscription.")
    return arn


def _json(name: str, value: str, prefix: str) -> str:
    if value and name != "SubscriptionRoleArn":
        try:
            json.loads(value)
        except (ValueError, RecursionError) as error:
            raise invalid(f"{prefix}{name}: failed to parse JSON. {error}") from error
    return value


def shown_attributes(call: AwsCall, subscription: RegisteredSubscription) -> dict[str, Any]:
    stored = subscription.attributes
    shown = {
        "SubscriptionArn": arn_of(call, subscription),
        "TopicArn": call.registry.names.topic_arn(subscription.topic),
        "Owner": subscription.account_id,
        "Protocol": subscription.protocol,
        "Endpoint": subscription.endpoint,
        "ConfirmationWasAuthenticated": stored.get(WAS_AUTHENTICATED, "true" if subscription.is_confirmed else "false"),
        "PendingConfirmation": "false" if subscription.is_confirmed else "true",
        "RawMessageDelivery": "true" if subscription.is_raw else "false",
        "SubscriptionPrincipal": f"arn:aws:iam::{subscription.account_id}:user/{call.account.owner_id}",
        **{name: value for name, value in stored.items() if name not in _HIDDEN and value},
    }
    if subscription.protocol in ("http", "https"):
        topic = call.registry.snapshot.topics.get(subscription.topic)
        policies = (topic.attributes.get("DeliveryPolicy") if topic else None), stored.get("DeliveryPolicy")
        if any(policies):
            shown["EffectiveDeliveryPolicy"] = json.dumps(effective_subscription_policy(*policies))
    if subscription.filter_policy is not None:
        shown |= {"FilterPolicy": subscription.filter_policy, "FilterPolicyScope": subscription.filter_scope}
    if subscription.dead_letter_arn is not None:
        shown["RedrivePolicy"] = json.dumps({"deadLetterTargetArn": subscription.dead_letter_arn})
    return shown
