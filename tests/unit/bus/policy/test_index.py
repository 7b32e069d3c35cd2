"""The index answers as asking each policy alone would, and does not ask each."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.bus.policy import (
    Attribute,
    FilterPolicy,
    PatternIndex,
    PolicyIndex,
    PolicyInvalid,
    Scope,
    compile_event_pattern,
    compile_filter_policy,
)
from support.policy_strategies import ATTRIBUTES, BODIES, POLICIES


def compiled(policies: list[tuple[Scope, dict[str, Any]]]) -> list[FilterPolicy]:
    accepted = []
    for scope, policy in policies:
        try:
            accepted.append(compile_filter_policy(policy, scope=scope))
        except PolicyInvalid:
            continue
    return accepted


@settings(max_examples=300 if os.environ.get("SIGHTLINETEST_SOAK") else 80)
@given(
    st.lists(st.tuples(st.sampled_from(["MessageAttributes", "MessageBody"]), POLICIES | st.just({})), max_size=8),
    ATTRIBUTES,
    BODIES.map(json.dumps) | st.sampled_from(["", "text", "[1]"]),
    st.sets(st.integers(0, 7)),
)
def test_the_index_of_policies_agrees_with_each_policy_alone(
    raw: list[tuple[Scope, dict[str, Any]]], attributes: dict[str, Attribute], body: str, removed: set[int]
) -> None:
    policies = compiled(raw)
    index: PolicyIndex[int] = PolicyIndex()
    for key, policy in enumerate(policies):
        index.add(key, policy)
    for key in removed:
        index.discard(key)
    alone = {key for key, policy in enumerate(policies) if key not in removed and policy.matches(attributes, body)}
    assert index.matching(attributes, body) == alone
    assert len(index) == len(policies) - len(removed & set(range(len(policies))))


@settings(max_examples=300 if os.environ.get("SIGHTLINETEST_SOAK") else 80)
@given(st.lists(POLICIES, max_size=8), BODIES)
def test_the_index_of_patterns_agrees_with_each_pattern_alone(raw: list[dict[str, Any]], event: dict[str, Any]) -> None:
    patterns = []
    for pattern in raw:
        try:
            patterns.append(compile_event_pattern(pattern))
        except PolicyInvalid:
            continue
    index: PatternIndex[int] = PatternIndex()
    for key, compiled_pattern in enumerate(patterns):
        index.add(key, compiled_pattern)
    assert index.matching(event) == {key for key, pattern in enumerate(patterns) if pattern.matches(event)}
    for key in range(len(patterns)):
        index.discard(key)
    assert index.matching(event) == set()


def test_a_key_added_again_gets_the_new_policy() -> None:
    index: PolicyIndex[str] = PolicyIndex()
    index.add("queue", compile_filter_policy({"a": ["1"]}))
    index.add("queue", compile_filter_policy({"a": ["2"]}))
    assert index.matching({"a": Attribute("String", "1")}, "") == set()
    assert index.matching({"a": Attribute("String", "2")}, "") == {"queue"}
    index.discard("unknown")


def test_the_work_grows_far_slower_than_the_number_of_policies() -> None:
    def steps(size: int) -> int:
        index: PolicyIndex[int] = PolicyIndex()
        for number in range(size):
            index.add(number, compile_filter_policy({"event_type": ["a", "b"], "video": [f"v{number}"]}))
        message = {"event_type": Attribute("String", "a"), "video": Attribute("String", "v5")}
        with counted_steps() as counted:
            assert index.matching(message, "") == {5}
        return len(counted)

    assert steps(500) < 5 * steps(10)


@contextmanager
def counted_steps() -> Iterator[list[None]]:
    """One entry for each line of Python that the block runs, which does not depend on how busy the machine is."""
    counted: list[None] = []

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            counted.append(None)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield counted
    finally:
        sys.settrace(before)
