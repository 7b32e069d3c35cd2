"""The explanation names the key that decided and agrees with the matcher."""

import os
from typing import Any

import pytest
from hypothesis import given, settings

from sightline.bus.policy import (
    Attribute,
    PolicyInvalid,
    compile_event_pattern,
    compile_filter_policy,
    explain,
    explain_event,
)
from support.policy_strategies import BODIES, POLICIES

POLICY = {"event_type": ["detected", "complete"], "category": [{"exists": False}, "STANDUP"]}


def attributes(**values: str) -> dict[str, Attribute]:
    return {name: Attribute("String", value) for name, value in values.items()}


@pytest.mark.parametrize(
    ("given_attributes", "matched", "key", "words"),
    [
        (attributes(event_type="complete"), True, "event_type", 'is "complete" and had to equal'),
        (
            attributes(event_type="detected", category="GUARD"),
            False,
            "category",
            'is "GUARD", but must equal',
        ),
        (attributes(category="STANDUP"), False, "event_type", "is absent, but must"),
        ({}, False, "", "no attributes"),
    ],
)
def test_the_deciding_key_is_named(given_attributes: dict[str, Attribute], matched: bool, key: str, words: str) -> None:
    explanation = explain(compile_filter_policy(POLICY), given_attributes, "")
    assert (explanation.matched, explanation.key) == (matched, key)
    assert words in explanation.reason
    assert str(explanation).startswith("match" if matched else "no match")


def test_an_empty_policy_and_an_unreadable_body_are_explained() -> None:
    assert explain(compile_filter_policy({}), {}, "").matched
    explanation = explain(compile_filter_policy({"a": [1]}, scope="MessageBody"), {}, "text")
    assert (explanation.matched, explanation.reason) == (False, "the body is not a JSON object")


def test_values_in_different_elements_are_explained() -> None:
    pattern = compile_event_pattern({"d": {"a": [1], "b": [2]}})
    explanation = explain_event(pattern, {"d": [{"a": 1}, {"b": 2}]})
    assert (explanation.matched, explanation.key) == (False, "d.b")
    assert "same array element" in explanation.reason


def test_of_several_alternatives_the_nearest_is_explained() -> None:
    pattern = compile_event_pattern({"$or": [{"a": ["1"], "b": ["2"]}, {"a": ["1"], "c": ["3"], "d": ["4"]}]})
    assert explain_event(pattern, {"a": "1", "b": "x"}).key == "b"
    assert explain_event(pattern, {"a": "1", "c": "3", "d": "x"}).key in ("b", "d")


@settings(max_examples=200 if os.environ.get("SIGHTLINETEST_SOAK") else 60)
@given(POLICIES, BODIES)
def test_the_explanation_agrees_with_the_matcher(policy: dict[str, Any], event: dict[str, Any]) -> None:
    try:
        pattern = compile_event_pattern(policy)
    except PolicyInvalid:
        return
    explanation = explain_event(pattern, event)
    assert explanation.matched is pattern.matches(event)
    assert explanation.key in {clause.key for branch in pattern.branches for clause in branch}
    assert explanation.reason
