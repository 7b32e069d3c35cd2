"""Reading a schedule from a request, with the error messages of Scheduler."""

import json
from datetime import datetime, timedelta
from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.constraints import Constraints
from sightline.api.aws.scheduler.requests import DEFAULT_GROUP, MAX_NAME, NAME_PATTERN, invalid
from sightline.api.aws.times import read_time
from sightline.bus import (
    UNIVERSAL_ACTIONS,
    UNIVERSAL_TARGET,
    TargetSchedule,
    check_dead_letters,
    check_retries,
    schedule_ticks,
    target_kind,
)

MAX_INPUT_BYTES = 256 * 1024
MAX_WINDOW_MINUTES = 1440
MAX_PAST_START = timedelta(minutes=5)
_RETRIES = {"MaximumEventAgeInSeconds": 86_400, "MaximumRetryAttempts": 185}
_OWN = frozenset({"sqs", "sns"})


def read_schedule(call: AwsCall, parameters: dict[str, Any], *, now: datetime) -> TargetSchedule:
    constraints = Constraints(parameters)
    name = constraints.text("Name", is_required=True, pattern=NAME_PATTERN, max_length=MAX_NAME)
    group = constraints.text("GroupName", pattern=NAME_PATTERN, max_length=MAX_NAME) or DEFAULT_GROUP
    expression = constraints.text("ScheduleExpression", is_required=True, max_length=256)
    zone = constraints.text("ScheduleExpressionTimezone", max_length=50) or "UTC"
    state = constraints.choice("State", ("ENABLED", "DISABLED"), default="ENABLED")
    completion = constraints.choice("ActionAfterCompletion", ("NONE", "DELETE"), default="NONE")
    constraints.text("Description", min_length=0, max_length=512)
    for member in ("Target", "FlexibleTimeWindow"):
        if not isinstance(parameters.get(member), dict):
            constraints.add(None, member[:1].lower() + member[1:], "Member must not be null")
    constraints.check()
    starts_at, ends_at = _span(parameters, now)
    anchor = starts_at or now
    schedule_ticks(expression, zone, anchor=anchor)
    return TargetSchedule(
        account_id=call.account.account_id,
        group_name=group,
        name=name,
        expression=expression,
        zone=zone,
        target=_target(parameters["Target"], account_id=call.account.account_id),
        anchor=anchor,
        description=parameters.get("Description"),
        is_enabled=state == "ENABLED",
        starts_at=starts_at,
        ends_at=ends_at,
        window_minutes=_window(parameters["FlexibleTimeWindow"]),
        deletes_itself=completion == "DELETE",
        kms_key_arn=parameters.get("KmsKeyArn"),
    )


def _span(parameters: dict[str, Any], now: datetime) -> tuple[datetime | None, datetime | None]:
    starts_at = read_time(parameters.get("StartDate"), "StartDate")
    ends_at = read_time(parameters.get("EndDate"), "EndDate")
    if starts_at is not None and starts_at < now - MAX_PAST_START:
        raise invalid("The StartDate you specify cannot be earlier than 5 minutes ago.")
    if ends_at is not None and ends_at < now:
        raise invalid("The EndDate you specify must be in the future.")
    if starts_at is not None and ends_at is not None and starts_at >= ends_at:
        raise invalid("The StartDate you specify must come before the EndDate.")
    return starts_at, ends_at


def _window(given: dict[str, Any]) -> int:
    constraints = Constraints(given)
    mode = constraints.choice("Mode", ("OFF", "FLEXIBLE"), shown="flexibleTimeWindow.mode")
    minutes = constraints.number(
        "MaximumWindowInMinutes", 1, MAX_WINDOW_MINUTES, 0, shown="flexibleTimeWindow.maximumWindowInMinutes"
    )
    constraints.check()
    if mode == "FLEXIBLE" and not minutes:
        raise invalid("MaximumWindowInMinutes must be specified when the mode of the FlexibleTimeWindow is FLEXIBLE.")
    if mode == "OFF" and minutes:
        raise invalid("MaximumWindowInMinutes must not be specified when the mode of the FlexibleTimeWindow is OFF.")
    return minutes


def _target(given: dict[str, Any], *, account_id: str) -> dict[str, Any]:
    constraints = Constraints(given)
    arn = constraints.text("Arn", is_required=True, max_length=1600, shown="target.arn")
    constraints.text(
        "RoleArn",
        is_required=True,
        pattern=r"arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@\/-]+",
        max_length=1600,
        shown="target.roleArn",
    )
    constraints.check()
    if not isinstance(given.get("RetryPolicy", {}), dict) or not isinstance(given.get("DeadLetterConfig", {}), dict):
        raise AwsError("SerializationException", "RetryPolicy and DeadLetterConfig must be objects.")
    _check_arn(arn, account_id)
    check_retries(given.get("RetryPolicy") or {})
    check_dead_letters(given.get("DeadLetterConfig") or {}, account_id=account_id)
    _check_input(arn, given)
    # Scheduler shows the retries that hold where none were chosen.
    return {**given, "RetryPolicy": {**_RETRIES, **(given.get("RetryPolicy") or {})}}


def _check_arn(arn: str, account_id: str) -> None:
    if arn.startswith(UNIVERSAL_TARGET):
        if arn.removeprefix(UNIVERSAL_TARGET) not in UNIVERSAL_ACTIONS:
            raise invalid(
                f"Provided Arn is not supported here: {arn}. Use one of {', '.join(sorted(UNIVERSAL_ACTIONS))}."
            )
        return
    kind = target_kind(arn)
    if not arn.startswith("arn:") or not kind:
        raise invalid("Provided Arn is not in correct format.")
    if kind in _OWN and arn.split(":")[4] != account_id:
        raise invalid("The target is not one of your account.")


def _check_input(arn: str, given: dict[str, Any]) -> None:
    text, kind = given.get("Input"), target_kind(arn)
    if text is not None and len(str(text).encode()) > MAX_INPUT_BYTES:
        raise invalid(f"Input must have at most {MAX_INPUT_BYTES} bytes.")
    if kind == "sqs" and arn.endswith(".fifo") and not (given.get("SqsParameters") or {}).get("MessageGroupId"):
        raise invalid("SqsParameters with a MessageGroupId must be specified for a FIFO queue.")
    if kind == "event-bus":
        event_parameters = given.get("EventBridgeParameters") or {}
        if not event_parameters.get("Source") or not event_parameters.get("DetailType"):
            raise invalid("EventBridgeParameters with a Source and a DetailType must be specified for an event bus.")
        if str(event_parameters["Source"]).startswith("aws."):
            raise invalid("EventBridgeParameters.Source must not begin with aws.")
    if (kind == "event-bus" or arn.startswith(UNIVERSAL_TARGET)) and not _is_object(text):
        raise invalid("Input must be a JSON object for this target.")


def _is_object(text: Any) -> bool:
    if text is None:
        return False
    try:
        return isinstance(json.loads(str(text)), dict)
    except (ValueError, RecursionError):
        return False
