"""Subscribing, confirming and unsubscribing. Web and email addresses have to confirm before anything is delivered."""

import hmac
import re
import secrets
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.sns.requests import (
    arn_of,
    check_arn,
    check_region,
    invalid,
    subscription_of,
    text,
    texts,
    topic_of,
)
from sightline.api.aws.sns.subscription_attributes import (
    NEEDS_SIGNATURE_TO_END,
    TOKEN,
    WAS_AUTHENTICATED,
    with_attributes,
)
from sightline.api.aws.unsigned import is_unsigned
from sightline.bus import (
    DELIVERY_QUEUE,
    EndpointDelivery,
    QueueMessage,
    RegisteredSubscription,
    RegisteredTopic,
    new_id,
    web_parameters,
)
from sightline.db import Transaction
from sightline.timing import utc_now

TOKEN_LIFETIME = timedelta(days=2)
_TOKEN_BYTES = 128
_CONFIRMED_BY_LINK = frozenset({"http", "https", "email", "email-json"})
_NOT_OFFERED = frozenset({"sms", "application", "lambda", "firehose"})
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|[^@\s]+@localhost")


async def subscribe(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    topic = topic_of(call, text(parameters, "TopicArn"))
    protocol, endpoint = text(parameters, "Protocol"), str(parameters.get("Endpoint") or "")
    attributes = texts(parameters, "Attributes")
    if protocol not in _NOT_OFFERED:
        _check_endpoint(call, topic, protocol, endpoint)
    blank = RegisteredSubscription(
        uuid4(),
        topic.name,
        call.account.account_id,
        protocol,
        endpoint,
        is_confirmed=protocol not in _CONFIRMED_BY_LINK,
    )
    wanted = with_attributes(call, blank, attributes, on_subscribe=True)
    if protocol in _NOT_OFFERED:
        raise invalid(f"Protocol Reason: {protocol} is not offered here; sqs, http, https, email and email-json are")
    async with call.registry.changing() as change:
        existing = next(
            (
                one
                for one in change.snapshot.subscriptions.values()
                if (one.topic, one.protocol, one.endpoint) == (topic.name, protocol, endpoint)
            ),
            None,
        )
        if existing is not None:
            _check_same(call, existing, attributes)
            subscription = existing
            if not existing.is_confirmed:
                await _ask_to_confirm(call, change.tx, topic, existing)
        else:
            subscription = wanted
            if not wanted.is_confirmed:
                subscription = replace(wanted, attributes={**wanted.attributes, TOKEN: secrets.token_hex(_TOKEN_BYTES)})
                await _ask_to_confirm(call, change.tx, topic, subscription)
            await change.put(subscription)
    if subscription.is_confirmed or parameters.get("ReturnSubscriptionArn") is True:
        return {"SubscriptionArn": arn_of(call, subscription)}
    return {"SubscriptionArn": "pending confirmation"}


def _check_endpoint(call: AwsCall, topic: RegisteredTopic, protocol: str, endpoint: str) -> None:
    match protocol:
        case "sqs":
            elements = endpoint.split(":")
            if len(elements) != 6 or elements[2] != "sqs":
                raise invalid("SQS endpoint ARN")
            check_region(call, elements[3], "Endpoint")
            if elements[4] != call.account.account_id:
                raise AwsError("AuthorizationError", f"The queue {endpoint} is not one of your account.", status=403)
            if endpoint.endswith(".fifo") and not topic.is_fifo:
                raise invalid(
                    "Invalid parameter: Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics"
                )
        case "http" | "https":
            if not endpoint.startswith(f"{protocol}://"):
                raise invalid("Endpoint must match the specified protocol")
        case "email" | "email-json":
            if not _EMAIL.fullmatch(endpoint):
                raise invalid("Email address")
        case _:
            raise invalid(f"Amazon SNS does not support this protocol string: {protocol[:50]}")
    if topic.is_fifo and protocol != "sqs":
        raise invalid("Invalid protocol type: " + protocol)


def _check_same(call: AwsCall, existing: RegisteredSubscription, attributes: dict[str, str]) -> None:
    if attributes and with_attributes(call, existing, attributes, on_subscribe=True) != existing:
        raise invalid("Attributes Reason: Subscription already exists with different attributes")


async def _ask_to_confirm(
    call: AwsCall, tx: Transaction, topic: RegisteredTopic, subscription: RegisteredSubscription
) -> None:
    """Sends the confirmation like any other delivery: with retries, and only if the subscription was stored."""
    await _notify(call, tx, topic.name, subscription, "SubscriptionConfirmation", subscription.attributes[TOKEN])


async def _notify(
    call: AwsCall, tx: Transaction, topic: str, subscription: RegisteredSubscription, kind: str, token: str
) -> None:
    arn, snapshot = call.registry.names.topic_arn(topic), call.registry.snapshot
    body = {
        "SubscriptionConfirmation": f"You have chosen to subscribe to the topic {arn}.\nTo confirm the subscription, visit the "
        "SubscribeURL included in this message.",
        "UnsubscribeConfirmation": f"You have chosen to deactivate subscription {arn_of(call, subscription)}.\nTo cancel this "
        "operation and restore the subscription, visit the SubscribeURL included in this message.",
    }[kind]
    record = EndpointDelivery(
        kind=subscription.protocol,
        endpoint=subscription.endpoint,
        account_id=subscription.account_id,
        source=arn_of(call, subscription),
        message_id=new_id(),
        body=body,
        topic=arn,
        parameters={"Type": kind, "Token": token, **web_parameters(snapshot.topics.get(topic), subscription)},
    )
    message = QueueMessage(record.to_json(), lane=subscription.account_id)
    await call.platform.bus.send(tx, DELIVERY_QUEUE, message)


async def confirm_subscription(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    """The token alone tells which subscription is meant; the ARN has to be one of this region, as SNS checks it."""
    arn, token = text(parameters, "TopicArn"), text(parameters, "Token")
    if arn.split(":")[3:4] != [call.registry.names.region]:
        raise invalid("Topic")
    must_sign = str(parameters.get("AuthenticateOnUnsubscribe", "")).lower() == "true"
    if must_sign and is_unsigned(call):
        raise AwsError("AuthorizationError", "AuthenticateOnUnsubscribe needs a signed request", status=403)
    async with call.registry.changing() as change:
        found = next(
            (
                one
                for one in change.snapshot.subscriptions.values()
                if hmac.compare_digest(one.attributes.get(TOKEN, "").encode(), token.encode())
            ),
            None,
        )
        if found is None or (not found.is_confirmed and utc_now() > found.created_at + TOKEN_LIFETIME):
            raise invalid("Token")
        if not found.is_confirmed:
            confirmed_by = "false" if is_unsigned(call) else "true"
            kept = {**found.attributes, WAS_AUTHENTICATED: confirmed_by, NEEDS_SIGNATURE_TO_END: str(must_sign).lower()}
            await change.put(replace(found, is_confirmed=True, attributes=kept))
    return {"SubscriptionArn": arn_of(call, found)}


async def unsubscribe(call: AwsCall, parameters: dict[str, Any]) -> None:
    arn = text(parameters, "SubscriptionArn")
    check_arn(arn, "SubscriptionArn")
    if len(arn.split(":")) == 6:
        raise invalid("SubscriptionId")
    snapshot = call.registry.snapshot
    found = snapshot.subscriptions.get(arn.rpartition(":")[2])
    if found is None or arn_of(call, found) != arn:
        return  # unsubscribing twice is harmless
    if is_unsigned(call):
        _check_link(found)
    else:
        subscription_of(call, arn)
    if found.is_declared:
        raise AwsError(
            "AuthorizationError", "This subscription is the platform's own and cannot be removed.", status=403
        )
    async with call.registry.changing() as change:
        if (present := change.snapshot.subscriptions.get(found.key)) is not None:
            await change.remove(present)
            if present.is_confirmed and present.protocol in ("http", "https"):
                token = secrets.token_hex(_TOKEN_BYTES)
                await _notify(call, change.tx, present.topic, present, "UnsubscribeConfirmation", token)


def _check_link(subscription: RegisteredSubscription) -> None:
    """Only who confirmed by a link may end by a link."""
    if subscription.protocol not in _CONFIRMED_BY_LINK or subscription.attributes.get(NEEDS_SIGNATURE_TO_END) == "true":
        raise AwsError("AuthorizationError", "This subscription can only be ended by its owner.", status=403)
