"""Attributes of SQS queues: which exist, what they may be, and what a queue shows. Pure."""

import json
import re
from collections.abc import Mapping
from typing import Any

from sightline.bus.limits import BusRefusal
from sightline.bus.names import Names
from sightline.bus.queue_attributes import DEFAULTS, MAX_QUEUE_MESSAGE_BYTES
from sightline.bus.registry import RegisteredQueue, Snapshot
from sightline.bus.topology import DAY_S

RANGES: Mapping[str, tuple[int, int]] = {
    "DelaySeconds": (0, 900),
    "MaximumMessageSize": (1024, MAX_QUEUE_MESSAGE_BYTES),
    "MessageRetentionPeriod": (60, 14 * DAY_S),
    "ReceiveMessageWaitTimeSeconds": (0, 20),
    "VisibilityTimeout": (0, 43_200),
    "KmsDataKeyReusePeriodSeconds": (60, DAY_S),
}
CHOICES: Mapping[str, frozenset[str]] = {
    "ContentBasedDeduplication": frozenset({"true", "false"}),
    "FifoQueue": frozenset({"true"}),
    "SqsManagedSseEnabled": frozenset({"true", "false"}),
    "DeduplicationScope": frozenset({"queue", "messageGroup"}),
    "FifoThroughputLimit": frozenset({"perQueue", "perMessageGroupId"}),
}
TRUTH_VALUES = frozenset({"ContentBasedDeduplication", "FifoQueue", "SqsManagedSseEnabled"})
TEXTS = frozenset({"Policy", "RedrivePolicy", "RedriveAllowPolicy", "KmsMasterKeyId"})
ONLY_FIFO = frozenset({"FifoQueue", "ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit"})
QUEUE_COUNTS = (
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesDelayed",
)
DERIVED = frozenset({*QUEUE_COUNTS, "CreatedTimestamp", "LastModifiedTimestamp", "QueueArn"})
QUEUE_ATTRIBUTES = frozenset({*RANGES, *CHOICES, *TEXTS, *DERIVED, "All"})
FIFO_DEFAULTS: Mapping[str, str] = {
    "FifoQueue": "true",
    "ContentBasedDeduplication": "false",
    "DeduplicationScope": "queue",
    "FifoThroughputLimit": "perQueue",
}
# These are shown only while they differ from what they are without being set.
HIDDEN_DEFAULTS: Mapping[str, str] = {
    "KmsMasterKeyId": "",
    "KmsDataKeyReusePeriodSeconds": "300",
    "Policy": "",
    "RedrivePolicy": "",
    "RedriveAllowPolicy": "",
}
MAX_SOURCES = 10

_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")


def check_name(name: str, *, is_fifo: bool) -> None:
    plain = name.removesuffix(".fifo") if is_fifo else name
    if is_fifo and (plain == name or not _NAME.fullmatch(plain) or len(name) > 80):
        raise BusRefusal(
            "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with "
            ".fifo suffix and be 1 to 80 in length"
        )
    if not _NAME.fullmatch(plain):
        raise BusRefusal("Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length")


def normalised(given: Mapping[str, str]) -> dict[str, str]:
    """The attributes as they are kept and shown: `True` and `TRUE` are accepted too."""
    return {name: value.lower() if name in TRUTH_VALUES else value for name, value in given.items()}


def check_attributes_of_queue(given: Mapping[str, str], *, is_fifo: bool, is_new: bool) -> None:
    for name, value in given.items():
        if name in DERIVED or name not in QUEUE_ATTRIBUTES or name == "All":
            raise BusRefusal(f"Unknown Attribute {name}.", "InvalidAttributeName")
        if name in ONLY_FIFO and not is_fifo:
            if name in ("DeduplicationScope", "FifoThroughputLimit"):
                text = f"You can specify the {name} only when FifoQueue is set to true."
                raise BusRefusal(text, "InvalidAttributeName")
            raise BusRefusal(f"Unknown Attribute {name}.", "InvalidAttributeName")
        if name == "FifoQueue" and not is_new:
            _check_type_stays(value)
        elif name in HIDDEN_DEFAULTS and value == "":
            continue
        elif name in RANGES:
            _check_range(name, value)
        elif name in CHOICES and value not in CHOICES[name]:
            raise BusRefusal(f"Invalid value for the parameter {name}.", "InvalidAttributeValue")
    if given.get("KmsMasterKeyId") and given.get("SqsManagedSseEnabled") == "true":
        raise BusRefusal(
            "You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE.",
            "InvalidAttributeName",
        )
    if "Policy" in given:
        _check_policy(given["Policy"])


def _check_type_stays(value: str) -> None:
    """A request may set FifoQueue of a FIFO queue again, to the same value."""
    if value == "true":
        return
    raise BusRefusal(
        "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.",
        "InvalidAttributeValue",
    )


def _check_range(name: str, value: str) -> None:
    low, high = RANGES[name]
    if not re.fullmatch(r"-?[0-9]{1,12}", value) or not low <= int(value) <= high:
        raise BusRefusal(f"Invalid value for the parameter {name}.", "InvalidAttributeValue")


def _check_policy(text: str) -> None:
    if text and not isinstance(_object(text), dict):
        raise BusRefusal("Invalid value for the parameter Policy.", "InvalidAttributeValue")


def merged(present: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """The attributes after a change; what is set back to what it is without being set is not kept."""
    found = {**present, **given}
    if given.get("KmsMasterKeyId"):
        found["SqsManagedSseEnabled"] = "false"
    elif given.get("SqsManagedSseEnabled") == "true":
        found.pop("KmsMasterKeyId", None)
        found.pop("KmsDataKeyReusePeriodSeconds", None)
    return {name: value for name, value in found.items() if HIDDEN_DEFAULTS.get(name) != value}


def shown_attributes(queue: RegisteredQueue, names: Names) -> dict[str, str]:
    """Everything a queue shows, but for its counts."""
    return {
        **DEFAULTS,
        "SqsManagedSseEnabled": "true",
        **(FIFO_DEFAULTS if queue.is_fifo else {}),
        **queue.attributes,
        "QueueArn": names.queue_arn(queue.name),
        "CreatedTimestamp": str(int(queue.created_at.timestamp())),
        "LastModifiedTimestamp": str(int(queue.changed_at.timestamp())),
    }


def check_same(queue: RegisteredQueue, given: Mapping[str, str], names: Names) -> None:
    """Creating a queue again is allowed with the same attributes only; those left out are not compared."""
    shown = {**HIDDEN_DEFAULTS, **shown_attributes(queue, names)}
    for name, value in given.items():
        present = shown.get(name, "")
        if present != value and (name not in TEXTS or _object(present) != _object(value)):
            raise BusRefusal(
                f"A queue already exists with the same name and a different value for attribute {name}",
                "QueueNameExists",
            )


def check_redrive(queue_name: str, attributes: Mapping[str, str], snapshot: Snapshot, names: Names) -> None:
    """Whether the dead-letter queue exists, is of the same kind and allows it. Only queues of the same account can be."""
    text = attributes.get("RedrivePolicy")
    if text:
        _check_redrive_policy(text, queue_name, snapshot, names, is_fifo=attributes.get("FifoQueue") == "true")
    if allowed := attributes.get("RedriveAllowPolicy"):
        _check_allow_policy(allowed)


def _check_redrive_policy(text: str, queue_name: str, snapshot: Snapshot, names: Names, *, is_fifo: bool) -> None:
    policy = _object(text)
    if not isinstance(policy, dict):
        raise _invalid_redrive(text, "Redrive policy is not a valid JSON map.")
    arn, count = policy.get("deadLetterTargetArn"), policy.get("maxReceiveCount")
    if not arn:
        raise _invalid_redrive(text, "Redrive policy does not contain mandatory attribute: deadLetterTargetArn.")
    if count is None:
        raise _invalid_redrive(text, "Redrive policy does not contain mandatory attribute: maxReceiveCount.")
    if isinstance(count, bool) or not re.fullmatch(r"[0-9]{1,4}", str(count)) or not 1 <= int(count) <= 1000:
        raise _invalid_redrive(
            text, f"Invalid value for maxReceiveCount: {count}, valid values are from 1 to 1000 both inclusive."
        )
    if not re.fullmatch(r"arn:[a-z-]+:sqs:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_.-]+", str(arn)):
        raise _invalid_redrive(text, "Invalid value for deadLetterTargetArn.")
    target = snapshot.queues.get(names.local_name_of(arn))
    if target is None or names.split(target.name)[0] != names.split(queue_name)[0]:
        raise _invalid_redrive(text, "Dead letter target does not exist.")
    if target.is_fifo != is_fifo:
        kind = "FIFO" if is_fifo else "Standard"
        raise _invalid_redrive(text, f"Dead-letter queue must be same type of queue as the source: {kind}.")
    if not _allows(target, names.queue_arn(queue_name)):
        raise _invalid_redrive(text, f"Queue {names.queue_arn(target.name)} does not allow this queue as its source.")


def _invalid_redrive(text: str, reason: str) -> BusRefusal:
    return BusRefusal(f"Value {text} for parameter RedrivePolicy is invalid. Reason: {reason}")


def _allows(target: RegisteredQueue, source_arn: str) -> bool:
    policy = _object(target.attributes.get("RedriveAllowPolicy", ""))
    if not isinstance(policy, dict):
        return True
    match policy.get("redrivePermission"):
        case "denyAll":
            return False
        case "byQueue":
            return source_arn in policy.get("sourceQueueArns", [])
        case _:
            return True


def _check_allow_policy(text: str) -> None:
    policy = _object(text)
    permission = policy.get("redrivePermission") if isinstance(policy, dict) else None
    sources = policy.get("sourceQueueArns") if isinstance(policy, dict) else None
    is_valid = permission in ("allowAll", "denyAll", "byQueue") and (
        isinstance(sources, list) and 1 <= len(sources) <= MAX_SOURCES if permission == "byQueue" else sources is None
    )
    if not is_valid:
        raise BusRefusal(
            f"Value {text} for parameter RedriveAllowPolicy is invalid. Reason: redrivePermission must be allowAll, denyAll "
            f"or byQueue, and sourceQueueArns name 1 to {MAX_SOURCES} queues with byQueue only."
        )


def _object(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
