"""Delivery policies of topics and subscriptions: how web addresses are retried, and the content type they get. Pure."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sightline.bus.limits import BusRefusal

MAX_RETRY_TIME_S = 3600
MAX_RETRIES = 100
DEFAULT_CONTENT_TYPE = "text/plain; charset=UTF-8"
DEFAULT_RETRY_POLICY: Mapping[str, Any] = {
    "minDelayTarget": 20,
    "maxDelayTarget": 20,
    "numRetries": 3,
    "numMaxDelayRetries": 0,
    "numNoDelayRetries": 0,
    "numMinDelayRetries": 0,
    "backoffFunction": "linear",
}
_COUNTS = ("numNoDelayRetries", "numMinDelayRetries", "numMaxDelayRetries")
_CONTENT_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,60}/[A-Za-z0-9!#$&^_.+-]{1,60}(; ?charset=[A-Za-z0-9_-]{1,20})?")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Phases of retries: at once, after the shortest delay, with growing delays, after the longest delay."""

    min_delay_s: float
    max_delay_s: float
    retries: int
    at_once: int
    at_min_delay: int
    at_max_delay: int
    backoff: str

    @classmethod
    def of(cls, policy: Mapping[str, Any]) -> "RetryPolicy":
        found = {**DEFAULT_RETRY_POLICY, **policy}
        at_once, at_min_delay, at_max_delay = (int(found[name]) for name in _COUNTS)
        return cls(
            float(found["minDelayTarget"]),
            float(found["maxDelayTarget"]),
            int(found["numRetries"]),
            at_once,
            at_min_delay,
            at_max_delay,
            str(found["backoffFunction"]),
        )

    def delay_s(self, failures: int) -> float | None:
        """How long to wait after so many failed attempts; None: no further attempt is made."""
        if failures > self.retries:
            return None
        if failures <= self.at_once:
            return 0.0
        if failures <= self.at_once + self.at_min_delay:
            return self.min_delay_s
        if failures > self.retries - self.at_max_delay:
            return self.max_delay_s
        growing = self.retries - self.at_once - self.at_min_delay - self.at_max_delay
        step = (failures - self.at_once - self.at_min_delay - 1) / max(growing - 1, 1)
        return self.min_delay_s + (self.max_delay_s - self.min_delay_s) * self._growth(step)

    def _growth(self, step: float) -> float:
        """How far between the shortest and the longest delay, for a step from 0 to 1."""
        match self.backoff:
            case "arithmetic":
                return step * (step + 1) / 2
            case "exponential":
                return float((2 ** (10 * step) - 1) / (2**10 - 1))
            case "geometric":
                return step**2
            case _:
                return step


def effective_topic_policy(policy: str | None) -> dict[str, Any]:
    """A topic's policy with what it leaves to the defaults."""
    given = _section(_read(policy), "http")
    return {
        "http": {
            "defaultHealthyRetryPolicy": {**DEFAULT_RETRY_POLICY, **_section(given, "defaultHealthyRetryPolicy")},
            "disableSubscriptionOverrides": given.get("disableSubscriptionOverrides") is True,
            "defaultRequestPolicy": {
                "headerContentType": DEFAULT_CONTENT_TYPE,
                **_section(given, "defaultRequestPolicy"),
            },
        }
    }


@lru_cache(maxsize=1024)
def effective_subscription_policy(topic_policy: str | None, policy: str | None) -> Mapping[str, Any]:
    """A subscription's policy with what it leaves to the topic; a topic may forbid policies of subscriptions."""
    of_topic = effective_topic_policy(topic_policy)["http"]
    given = {} if of_topic["disableSubscriptionOverrides"] else _read(policy)
    return {
        "healthyRetryPolicy": {**of_topic["defaultHealthyRetryPolicy"], **_section(given, "healthyRetryPolicy")},
        "sicklyRetryPolicy": given.get("sicklyRetryPolicy"),
        "throttlePolicy": given.get("throttlePolicy"),
        "requestPolicy": {**of_topic["defaultRequestPolicy"], **_section(given, "requestPolicy")},
        "guaranteed": given.get("guaranteed") is True,
    }


def check_topic_policy(policy: str) -> None:
    given = _object(_parsed(policy).get("http"), "http")
    _check_retries(_object(given.get("defaultHealthyRetryPolicy"), "defaultHealthyRetryPolicy"))
    _check_content_type(_object(given.get("defaultRequestPolicy"), "defaultRequestPolicy"))


def check_subscription_policy(policy: str) -> None:
    given = _parsed(policy)
    _check_retries(_object(given.get("healthyRetryPolicy"), "healthyRetryPolicy"))
    _check_content_type(_object(given.get("requestPolicy"), "requestPolicy"))


def _parsed(policy: str) -> dict[str, Any]:
    try:
        return _object(json.loads(policy), "the policy")
    except (ValueError, RecursionError) as error:
        raise _refusal(f"failed to parse JSON. {error}") from error


def _object(found: Any, name: str) -> dict[str, Any]:
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise _refusal(f"{name} must be an object")
    return found


def _check_retries(given: Mapping[str, Any]) -> None:
    if unknown := sorted(set(given) - set(DEFAULT_RETRY_POLICY)):
        raise _refusal(f"Unexpected JSON member: {unknown[0]}")
    if given.get("backoffFunction", "linear") not in ("arithmetic", "exponential", "geometric", "linear"):
        raise _refusal("backoffFunction must be arithmetic, exponential, geometric or linear")
    policy = {**DEFAULT_RETRY_POLICY, **given}
    for name in (*_COUNTS, "numRetries", "minDelayTarget", "maxDelayTarget"):
        if not isinstance(policy[name], int) or isinstance(policy[name], bool):
            raise _refusal(f"{name} must be a whole number")
    _check_range("numRetries", policy["numRetries"], 0, MAX_RETRIES)
    _check_range("minDelayTarget", policy["minDelayTarget"], 1, policy["maxDelayTarget"])
    _check_range("maxDelayTarget", policy["maxDelayTarget"], policy["minDelayTarget"], MAX_RETRY_TIME_S)
    for name in _COUNTS:
        _check_range(name, policy[name], 0, policy["numRetries"])
    if sum(policy[name] for name in _COUNTS) > policy["numRetries"]:
        raise _refusal("numRetries must be greater than or equal to the sum of the retries of the phases")
    retries = RetryPolicy.of(policy)
    if sum(retries.delay_s(number) or 0.0 for number in range(1, retries.retries + 1)) > MAX_RETRY_TIME_S:
        raise _refusal(f"the retries must not take longer than {MAX_RETRY_TIME_S} seconds altogether")


def _check_range(name: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise _refusal(f"{name} must be between {lowest} and {highest}")


def _check_content_type(given: Mapping[str, Any]) -> None:
    content_type = given.get("headerContentType", DEFAULT_CONTENT_TYPE)
    if not isinstance(content_type, str) or not _CONTENT_TYPE.fullmatch(content_type):
        raise _refusal("headerContentType must be a media type, optionally with a charset")


def _read(policy: str | None) -> dict[str, Any]:
    return json.loads(policy) if policy else {}


def _section(policy: Mapping[str, Any], name: str) -> dict[str, Any]:
    return policy.get(name) or {}


def _refusal(reason: str) -> BusRefusal:
    return BusRefusal(f"Invalid parameter: DeliveryPolicy: {reason}", "InvalidParameter")
