"""Checks of a rule's targets, with the error messages of EventBridge. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from sightline.bus.events.input_template import PREDEFINED, placeholders
from sightline.bus.events.json_path import parse_path
from sightline.bus.events.target_call import DEFAULT_MAX_AGE_S, DEFAULT_RETRIES, target_kind
from sightline.bus.limits import BusRefusal

MAX_TARGETS = 5
MAX_INPUT_BYTES = 8192
MAX_PATHS = 100
MIN_AGE_S = 60
_INPUTS = ("Input", "InputPath", "InputTransformer")
_OWN = frozenset({"sqs", "sns", "api-destination"})
"""Targets of these kinds have to be of the rule's own account; an event bus decides itself whom it permits."""


def refusal(message: str) -> BusRefusal:
    return BusRefusal(message, "ValidationException")


def check_target(target: Mapping[str, Any], *, account_id: str) -> None:
    """Raises unless the target is one that EventBridge accepts, and of the account."""
    target_id, arn = str(target["Id"]), str(target["Arn"])
    kind = target_kind(arn)
    if not arn.startswith("arn:") or not kind:
        raise refusal(f"Parameter {arn[:200]} is not valid. Reason: Provided Arn is not in correct format.")
    if kind in _OWN and arn.split(":")[4] != account_id:
        raise refusal(f"Parameter {arn} is not valid. Reason: The target is not one of your account.")
    _check_input(target_id, target)
    if kind == "sqs" and arn.endswith(".fifo") and not (target.get("SqsParameters") or {}).get("MessageGroupId"):
        raise refusal(f"Parameter(s) SqsParameters must be specified for target: {target_id}.")
    check_retries(target.get("RetryPolicy") or {})
    check_dead_letters(target.get("DeadLetterConfig") or {}, account_id=account_id)


def check_retries(policy: Mapping[str, Any]) -> None:
    for name, minimum, maximum in (
        ("MaximumRetryAttempts", 0, DEFAULT_RETRIES),
        ("MaximumEventAgeInSeconds", MIN_AGE_S, DEFAULT_MAX_AGE_S),
    ):
        value = policy.get(name)
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int) or not minimum <= value <= maximum
        ):
            raise refusal(f"Parameter {name} is not valid. Reason: It must be between {minimum} and {maximum}.")


def check_dead_letters(config: Mapping[str, Any], *, account_id: str) -> None:
    if (arn := config.get("Arn")) is None:
        return
    elements = str(arn).split(":")
    if len(elements) != 6 or elements[2] != "sqs" or elements[4] != account_id or str(arn).endswith(".fifo"):
        raise refusal(
            "Parameter DeadLetterConfig.Arn is not valid. Reason: It must be the ARN of a standard queue of your account."
        )


def _check_input(target_id: str, target: Mapping[str, Any]) -> None:
    if sum(target.get(name) is not None for name in _INPUTS) > 1:
        raise refusal(f"Only one of Input, InputPath, or InputTransformer must be provided for target {target_id}.")
    if (constant := target.get("Input")) is not None:
        try:
            json.loads(str(constant))
        except (ValueError, RecursionError) as error:
            raise refusal(f"JSON syntax error in input for target {target_id}.") from error
        _check_size(target_id, "Input", str(constant))
    if (path := target.get("InputPath")) is not None:
        _check_path(target_id, "InputPath", str(path))
    if (transformer := target.get("InputTransformer")) is not None:
        _check_transformer(target_id, transformer)


def _check_transformer(target_id: str, transformer: Mapping[str, Any]) -> None:
    template = str(transformer.get("InputTemplate") or "")
    paths = transformer.get("InputPathsMap") or {}
    if not template.strip():
        raise refusal(f"InputTemplate for target {target_id} must not be empty.")
    _check_size(target_id, "InputTemplate", template)
    if len(paths) > MAX_PATHS:
        raise refusal(f"InputPathsMap for target {target_id} has more than {MAX_PATHS} entries.")
    for name, path in paths.items():
        if name.lower().startswith("aws"):
            raise refusal(f"InputPathsMap for target {target_id} contains the reserved key {name}.")
        _check_path(target_id, "InputPathsMap", str(path))
    for name in placeholders(template):
        if name not in paths and name not in PREDEFINED:
            raise refusal(f"InputTemplate for target {target_id} contains invalid placeholder {name}.")


def _check_path(target_id: str, member: str, path: str) -> None:
    try:
        parse_path(path)
    except BusRefusal as error:
        raise refusal(f"Invalid {member} for target {target_id}.") from error


def _check_size(target_id: str, member: str, text: str) -> None:
    if len(text.encode()) > MAX_INPUT_BYTES:
        raise refusal(f"{member} for target {target_id} must have length less than or equal to {MAX_INPUT_BYTES}.")
