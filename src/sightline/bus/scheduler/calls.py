"""The calls that a schedule makes: of a queue, a topic or an event bus, directly or by an action of their API. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from sightline.bus.endpoints.failure import TargetFailure
from sightline.bus.events.target_call import TargetCall
from sightline.bus.names import Names
from sightline.bus.scheduler.schedule import TargetSchedule

UNIVERSAL = "arn:aws:scheduler:::aws-sdk:"
ACTIONS = frozenset({"sqs:sendMessage", "sns:publish", "eventbridge:putEvents"})


@dataclass(frozen=True, slots=True)
class Invocation:
    schedule: TargetSchedule
    at: datetime
    """The scheduled time."""
    execution_id: str
    names: Names

    @property
    def time(self) -> str:
        return self.at.strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def arn(self) -> str:
        return self.schedule.arn(self.names)


def calls_of(invocation: Invocation) -> list[TargetCall]:
    """Raises `TargetFailure` if the input is not what the target takes."""
    target = invocation.schedule.target
    arn = str(target["Arn"])
    text = input_of(invocation)
    if not arn.startswith(UNIVERSAL):
        return [_call(invocation, target, text)]
    try:
        given = json.loads(text)
        return [_call(invocation, {**target, **members}, body) for members, body in _requests(arn, given, invocation)]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise TargetFailure("INVALID_PARAMETER", f"The input is not what {arn} takes: {error!r}") from error


def input_of(invocation: Invocation) -> str:
    """Its input with the attributes of the call filled in; without one, a notification as Scheduler sends it."""
    given = invocation.schedule.target.get("Input")
    if given is None:
        return json.dumps(
            {
                "version": "0",
                "id": invocation.execution_id,
                "detail-type": "Scheduled Event",
                "source": "aws.scheduler",
                "account": invocation.schedule.account_id,
                "time": invocation.time,
                "region": invocation.names.region,
                "resources": [invocation.arn],
                "detail": "{}",
            },
            separators=(",", ":"),
        )
    text = str(given)
    for name, value in (
        ("schedule-arn", invocation.arn),
        ("scheduled-time", invocation.time),
        ("execution-id", invocation.execution_id),
        ("attempt-number", "1"),
    ):
        text = text.replace(f"<aws.scheduler.{name}>", value)
    return text


def whole_call(invocation: Invocation) -> TargetCall:
    """The call as it stands in the schedule, for dead letters of one that could not be made."""
    return _call(invocation, invocation.schedule.target, str(invocation.schedule.target.get("Input") or "{}"))


def _call(invocation: Invocation, target: Mapping[str, Any], body: str) -> TargetCall:
    return TargetCall(
        "scheduler",
        invocation.arn,
        invocation.schedule.account_id,
        target,
        body,
        details={"SCHEDULED_TIME": invocation.time, "EXECUTION_ID": invocation.execution_id},
    )


def _requests(arn: str, given: Mapping[str, Any], invocation: Invocation) -> list[tuple[dict[str, Any], str]]:
    """Members of the target and the body, for each thing that the action sends."""
    names, account_id = invocation.names, invocation.schedule.account_id
    match arn.removeprefix(UNIVERSAL):
        case "sqs:sendMessage":
            account, _, queue = urlsplit(str(given["QueueUrl"])).path.strip("/").partition("/")
            members: dict[str, Any] = {"Arn": _own(f"arn:aws:sqs:{names.region}:{account}:{queue}", account_id)}
            if given.get("MessageGroupId"):
                members["SqsParameters"] = {"MessageGroupId": str(given["MessageGroupId"])}
            return [(members, str(given["MessageBody"]))]
        case "sns:publish":
            return [({"Arn": _own(str(given["TopicArn"]), account_id)}, str(given["Message"]))]
        case "eventbridge:putEvents":
            return [_entry(entry, invocation) for entry in given["Entries"]]
    raise TargetFailure("NO_RESOURCE", f"Nothing here carries out {arn}.")


def _entry(entry: Mapping[str, Any], invocation: Invocation) -> tuple[dict[str, Any], str]:
    bus = str(entry.get("EventBusName") or "default")
    names, account_id = invocation.names, invocation.schedule.account_id
    arn = bus if bus.startswith("arn:") else names.event_bus_arn(names.local_name(account_id, bus))
    if str(entry["Source"]).startswith("aws."):
        raise TargetFailure("NO_PERMISSIONS", "Not authorized for the source.")
    event_parameters = {"Source": str(entry["Source"]), "DetailType": str(entry["DetailType"])}
    return {"Arn": arn, "EventBridgeParameters": event_parameters}, str(entry["Detail"])


def _own(arn: str, account_id: str) -> str:
    if arn.split(":")[4] != account_id:
        raise TargetFailure("NO_PERMISSIONS", f"{arn} is not one of the schedule's account.")
    return arn
