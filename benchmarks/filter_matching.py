"""Filter policies: 1,000 subscriptions of one topic against the matchers in moto and ministack, and growth with their number.

.venv/bin/python benchmarks/filter_matching.py [--quick] [--json]
"""

import json
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from harness import EMULATORS, Result, main
from sightline.bus.policy import Attribute, FilterPolicy, PolicyIndex, compile_filter_policy

CATEGORIES = [f"CATEGORY_{number}" for number in range(60)]
TYPES = ["detected", "complete", "failed", "started"]
Message = dict[str, Attribute]


async def growth(is_quick: bool) -> Result:
    chance = random.Random(23)
    messages = [make_message(chance) for _ in range(200)]
    figures: dict[str, float] = {}
    for size in (10, 100, 1_000) if is_quick else (10, 100, 1_000, 10_000):
        index = index_of([compile_filter_policy(make_policy(chance, number)) for number in range(size)])
        figures[f"{size:,} subscriptions"] = rate(partial(index.matching, body=""), messages, is_quick=is_quick)
    first, last = next(iter(figures.values())), list(figures.values())[-1]
    return Result(
        "matching by the index",
        figures,
        "messages/s",
        {f"work at {size:,} / work at 10": first / last},
        ["linear would be 1,000"],
    )


async def peers(is_quick: bool) -> Result:
    chance = random.Random(29)
    messages = [make_message(chance) for _ in range(200)]
    raw = [make_policy(chance, number) for number in range(1_000)]
    policies = [compile_filter_policy(policy) for policy in raw]
    measure = partial(rate, is_quick=is_quick)
    figures = {
        "index": measure(partial(index_of(policies).matching, body=""), messages),
        "one by one": measure(partial(one_by_one, policies), messages),
    }
    notes = []
    wire = [_wire(message) for message in messages]
    for name, make in (("moto", moto_matcher), ("ministack", ministack_matcher)):
        try:
            figures[name] = measure(make(raw), wire)
        except ImportError as error:
            notes.append(f"{name} is not installed: {error}")
    ours = figures["index"]
    ratios = {f"index / {name}": ours / other for name, other in figures.items() if name != "index"}
    return Result("1,000 subscriptions of one topic", figures, "messages/s", ratios, notes)


def make_policy(chance: random.Random, number: int) -> dict[str, Any]:
    """Policies as subscribers write them: nearly all name an event type, most something of their own."""
    policy: dict[str, Any] = {"event_type": chance.sample(TYPES, 2)}
    match number % 5:
        case 0:
            policy["category"] = [{"exists": False}, *chance.sample(CATEGORIES, 2)]
        case 1:
            policy["video_id"] = [f"video-{number}"]
        case 2:
            policy["source"] = [{"prefix": f"camera-{number}-"}]
        case 3:
            policy["score"] = [{"numeric": [">=", number % 900, "<", number % 900 + 5]}]
            policy["category"] = chance.sample(CATEGORIES, 3)
        case _:
            policy["owner"] = [f"owner-{number}", {"anything-but": [f"owner-{number + 1}"]}]
            policy["video_id"] = [f"video-{chance.randrange(10_000)}"]
    return policy


def make_message(chance: random.Random) -> Message:
    return {
        "event_type": Attribute("String", chance.choice(TYPES)),
        "category": Attribute("String", chance.choice(CATEGORIES)),
        "video_id": Attribute("String", f"video-{chance.randrange(10_000)}"),
        "source": Attribute("String", f"camera-{chance.randrange(10_000)}-front"),
        "score": Attribute("Number", str(chance.randrange(1000))),
        "owner": Attribute("String", f"owner-{chance.randrange(10_000)}"),
    }


def index_of(policies: list[FilterPolicy]) -> PolicyIndex[int]:
    index: PolicyIndex[int] = PolicyIndex()
    for key, policy in enumerate(policies):
        index.add(key, policy)
    return index


def rate(work: Callable[[Any], object], messages: list[Any], *, is_quick: bool) -> float:
    seconds = 0.2 if is_quick else 2.0
    done, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        work(messages[done % len(messages)])
        done += 1
    return done / spent


def one_by_one(policies: list[FilterPolicy], message: Message) -> set[int]:
    return {key for key, policy in enumerate(policies) if policy.matches(message, "")}


def _wire(message: Message) -> dict[str, dict[str, str]]:
    return {name: {"DataType": one.data_type, "StringValue": str(one.value)} for name, one in message.items()}


def moto_matcher(raw: list[dict[str, Any]]) -> Callable[[Any], object]:
    sys.path.append(EMULATORS)  # behind our own packages
    from moto.sns.utils import FilterPolicyMatcher

    matchers = [FilterPolicyMatcher(policy, "MessageAttributes") for policy in raw]

    def match(message: dict[str, dict[str, str]]) -> set[int]:
        given = {name: {"Type": entry["DataType"], "Value": _moto_value(entry)} for name, entry in message.items()}
        return {key for key, matcher in enumerate(matchers) if matcher.matches(given, "")}

    return match


def _moto_value(entry: dict[str, str]) -> str | float:
    return float(entry["StringValue"]) if entry["DataType"] == "Number" else entry["StringValue"]


def ministack_matcher(raw: list[dict[str, Any]]) -> Callable[[Any], object]:
    sys.path.append(EMULATORS)
    from ministack.services.sns import _matches_filter_policy

    subscriptions = [{"attributes": {"FilterPolicy": json.dumps(policy)}} for policy in raw]
    return lambda message: {key for key, one in enumerate(subscriptions) if _matches_filter_policy(one, message, "")}


if __name__ == "__main__":
    main(__doc__ or "", {"growth": growth, "peers": peers})
