"""What the actions of SNS have in common: reading parameters, finding topics and subscriptions, paging."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from sightline.api.aws import pages
from sightline.api.aws.call import AwsCall, AwsError
from sightline.bus import ClientTopics, RegisteredSubscription, RegisteredTopic

PAGE_SIZE = 100
_REGION_AND_ACCOUNT = re.compile(r"arn:[a-z-]+:sns:([a-z0-9-]*):(\d{12}):[A-Za-z0-9_-]{1,256}(?:\.fifo)?")

Item = TypeVar("Item")


def invalid(reason: str) -> AwsError:
    return AwsError("InvalidParameter", f"Invalid parameter: {reason}")


def topics_of(call: AwsCall) -> ClientTopics:
    topics = call.platform.open_bus.client_topics
    assert topics is not None, "the endpoint serves the embedded bus only"
    return topics


def text(parameters: Mapping[str, Any], name: str) -> str:
    found = parameters.get(name)
    if found is None:
        raise invalid(f"{name} Reason: no value for required parameter")
    if not isinstance(found, str) or not (found or name.endswith("Arn")):
        raise invalid(name)
    return found


def texts(parameters: Mapping[str, Any], name: str) -> dict[str, str]:
    """A map of texts; nothing is an empty map."""
    found = parameters.get(name) or {}
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise invalid(name)
    return found


def check_arn(arn: str, parameter: str) -> None:
    elements = arn.split(":")
    if len(elements) < 6:
        raise invalid(f"{parameter} Reason: An ARN must have at least 6 elements, not {len(elements)}")


def check_region(call: AwsCall, region: str, parameter: str) -> None:
    """An installation is one region, whatever region a call is signed for."""
    if region != call.registry.names.region:
        raise invalid(
            f"{parameter} Reason: everything here is in the region {call.registry.names.region}, not {region}"
        )


def check_topic_arn(call: AwsCall, arn: str, parameter: str = "TopicArn") -> str:
    """The local name of the topic, which need not exist. A topic of another account is not the caller's to see."""
    check_arn(arn, parameter)
    found = _REGION_AND_ACCOUNT.fullmatch(arn)
    if found is None:
        raise invalid(f"{parameter} Reason: {arn[:100]} is not the ARN of a topic")
    check_region(call, found[1], parameter)
    if found[2] != call.account.account_id:
        raise AwsError(
            "AuthorizationError",
            f"User: arn:aws:iam::{call.account.account_id}:user/{call.account.owner_id} is not authorized to perform: "
            f"SNS:{call.action} on resource: {arn}",
            status=403,
        )
    return call.registry.names.local_name_of(arn)


def topic_of(call: AwsCall, arn: str, parameter: str = "TopicArn") -> RegisteredTopic:
    topic = call.registry.snapshot.topics.get(check_topic_arn(call, arn, parameter))
    if topic is None:
        raise AwsError("NotFound", "Topic does not exist", status=404)
    return topic


def own_topic(call: AwsCall, arn: str, parameter: str = "TopicArn") -> RegisteredTopic:
    """A topic that clients may change: not one of the platform's own."""
    topic = topic_of(call, arn, parameter)
    if topic.is_declared:
        raise AwsError(
            "AuthorizationError", f"The topic {topic.name} is the platform's own and cannot be changed.", status=403
        )
    return topic


def subscription_of(call: AwsCall, arn: str) -> RegisteredSubscription:
    """A subscription to a topic of the caller's account."""
    check_arn(arn, "SubscriptionArn")
    if len(arn.split(":")) < 7:
        raise invalid("SubscriptionArn Reason: An ARN must have at least 7 elements, not 6")
    found = call.registry.snapshot.subscriptions.get(arn.rpartition(":")[2])
    if found is None or arn_of(call, found) != arn or found.account_id != call.account.account_id:
        raise AwsError("NotFound", "Subscription does not exist", status=404)
    return found


def arn_of(call: AwsCall, subscription: RegisteredSubscription) -> str:
    return call.registry.names.subscription_arn(subscription.topic, subscription.id)


def page(parameters: Mapping[str, Any], items: Sequence[tuple[str, Item]]) -> tuple[list[Item], dict[str, str]]:
    refusal = invalid("NextToken Reason: this token was not given out by a list")
    return pages.page(parameters, items, PAGE_SIZE, refusal=refusal)
