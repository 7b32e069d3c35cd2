"""Attributes of topics: which may be set, and what a topic shows. Pure."""

import json
from typing import Any

from sightline.api.aws.sns.requests import invalid
from sightline.bus import RegisteredTopic, check_topic_policy, effective_topic_policy

_SETTABLE = frozenset(
    {
        "ArchivePolicy",
        "ContentBasedDeduplication",
        "DeliveryPolicy",
        "DisplayName",
        "FifoThroughputScope",
        "KmsMasterKeyId",
        "Policy",
        "SignatureVersion",
        "TracingConfig",
        *(
            f"{protocol}{kind}"
            for protocol in ("Application", "Firehose", "HTTP", "Lambda", "SQS")
            for kind in ("FailureFeedbackRoleArn", "SuccessFeedbackRoleArn", "SuccessFeedbackSampleRate")
        ),
    }
)
_OWNERS_ACTIONS = [
    "SNS:GetTopicAttributes",
    "SNS:SetTopicAttributes",
    "SNS:AddPermission",
    "SNS:RemovePermission",
    "SNS:DeleteTopic",
    "SNS:Subscribe",
    "SNS:ListSubscriptionsByTopic",
    "SNS:Publish",
]


def check_topic_attribute(name: str, value: str, *, on_create: bool) -> None:
    if name == "FifoTopic" and on_create:
        _check_choice(name, value, ("true", "false"))
        return
    if name not in _SETTABLE:
        raise invalid("Attributes Reason: Unknown attribute " + name if on_create else "AttributeName")
    match name:
        case "ContentBasedDeduplication":
            _check_choice(name, value, ("true", "false"))
        case "SignatureVersion":
            _check_choice(name, value, ("1", "2"))
        case "FifoThroughputScope":
            _check_choice(name, value, ("Topic", "MessageGroup"))
        case "TracingConfig":
            _check_choice(name, value, ("Active", "PassThrough"))
        case "DisplayName":
            if len(value) > 100:
                raise invalid("DisplayName Reason: must be at most 100 characters long")
        case "DeliveryPolicy" if value:
            check_topic_policy(value)
        case "Policy" | "ArchivePolicy" if value:
            _check_json(name, value)


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise invalid(f"Attributes Reason: {name}: Invalid value [{value[:100]}]. Must be {' or '.join(choices)}.")


def _check_json(name: str, value: str) -> None:
    try:
        found = json.loads(value)
    except (ValueError, RecursionError) as error:
        raise invalid(f"{name}: failed to parse JSON. {error}") from error
    if not isinstance(found, dict):
        raise invalid(f"{name}: must be a JSON object")


def default_policy(arn: str, account_id: str) -> dict[str, Any]:
    """What SNS shows of a topic that only its account may use."""
    return {
        "Version": "2008-10-17",
        "Id": "__default_policy_ID",
        "Statement": [
            {
                "Sid": "__default_statement_ID",
                "Effect": "Allow",
                "Principal": {"AWS": "*"},
                "Action": _OWNERS_ACTIONS,
                "Resource": arn,
                "Condition": {"StringEquals": {"AWS:SourceOwner": account_id}},
            }
        ],
    }


def shown_attributes(topic: RegisteredTopic, arn: str) -> dict[str, str]:
    shown = {
        "TopicArn": arn,
        "Owner": topic.account_id,
        "DisplayName": "",
        "Policy": json.dumps(default_policy(arn, topic.account_id)),
        **{name: value for name, value in topic.attributes.items() if value},
        "EffectiveDeliveryPolicy": json.dumps(effective_topic_policy(topic.attributes.get("DeliveryPolicy"))),
    }
    if topic.is_fifo:
        shown |= {"FifoTopic": "true"}
        shown.setdefault("ContentBasedDeduplication", "false")
    return shown
