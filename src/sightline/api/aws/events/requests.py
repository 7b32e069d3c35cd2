"""What the actions of EventBridge have in common: finding event buses and rules, and their names."""

import re
from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.constraints import NAME_PATTERN, Constraints
from sightline.bus import DEFAULT_EVENT_BUS, RegisteredEventBus, RegisteredRule, Snapshot, rule_key

_BUS_ARN = re.compile(r"arn:[a-z-]+:events:[a-z0-9-]*:(\d{12}):event-bus/([/.\-_A-Za-z0-9]+)")
_RULE_ARN = re.compile(r"arn:[a-z-]+:events:[a-z0-9-]*:(\d{12}):rule/(?:([.\-_A-Za-z0-9]+)/)?([.\-_A-Za-z0-9]+)")
BUS_NAME_PATTERN = r"[/\.\-_A-Za-z0-9]+"
MAX_PAGE = 100


def invalid(message: str) -> AwsError:
    return AwsError("ValidationException", message)


def not_found(message: str) -> AwsError:
    return AwsError("ResourceNotFoundException", message)


def over_quota() -> AwsError:
    return AwsError("LimitExceededException", "The requested resource exceeds the maximum number allowed.")


def page_wanted(constraints: Constraints, *, pattern: str = NAME_PATTERN, max_length: int = 64) -> tuple[int, str]:
    """How many a page of a list may have, and how the names on it begin."""
    limit = constraints.number("Limit", 1, MAX_PAGE, MAX_PAGE)
    return limit, constraints.text("NamePrefix", pattern=pattern, max_length=max_length)


def bus_name(call: AwsCall, given: Any) -> str:
    """Local name of the event bus that a name or ARN means; nothing means the default one of the account."""
    text = str(given or DEFAULT_EVENT_BUS)
    if not text.startswith("arn:"):
        return call.registry.names.local_name(call.account.account_id, text)
    found = _BUS_ARN.fullmatch(text)
    if found is None:
        raise invalid(f"Parameter {text[:100]} is not valid. Reason: Provided Arn is not in correct format.")
    return call.registry.names.local_name(found[1], found[2])


def plain(call: AwsCall, local: str) -> str:
    return call.registry.names.split(local)[1]


def find_bus(call: AwsCall, snapshot: Snapshot, local: str) -> RegisteredEventBus:
    """An event bus of the caller's account. The default one is there even if nothing was ever stored for it."""
    found = snapshot.event_buses.get(local)
    if found is None and local == call.registry.names.local_name(call.account.account_id, DEFAULT_EVENT_BUS):
        found = RegisteredEventBus(local, call.account.account_id, is_declared=True)
    if found is None or found.account_id != call.account.account_id:
        raise not_found(f"Event bus {plain(call, local)} does not exist.")
    return found


def find_rule(call: AwsCall, snapshot: Snapshot, local_bus: str, name: str) -> RegisteredRule:
    find_bus(call, snapshot, local_bus)
    found = snapshot.rules.get(rule_key(local_bus, name))
    if found is None:
        raise not_found(f"Rule {name} does not exist on EventBus {plain(call, local_bus)}.")
    return found


def changeable_rule(call: AwsCall, snapshot: Snapshot, local_bus: str, name: str) -> RegisteredRule:
    """A rule that clients may change: not one of the platform's own."""
    found = find_rule(call, snapshot, local_bus, name)
    if found.is_declared:
        raise AwsError("ManagedRuleException", f"Rule {name} is the platform's own and cannot be changed.")
    return found


def rule_of_arn(call: AwsCall, arn: str) -> tuple[str, str] | None:
    """Local name of the event bus, and name of the rule; None if it is not the ARN of a rule of the account."""
    found = _RULE_ARN.fullmatch(arn)
    if found is None or found[1] != call.account.account_id:
        return None
    return call.registry.names.local_name(found[1], found[2] or DEFAULT_EVENT_BUS), found[3]


def bus_of_arn(call: AwsCall, arn: str) -> str | None:
    found = _BUS_ARN.fullmatch(arn)
    return None if found is None or found[1] != call.account.account_id else bus_name(call, arn)
