"""Nothing a stranger sends may hang the process or raise anything but PolicyInvalid."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.bus import Attribute, PolicyInvalid, compile_event_pattern, compile_filter_policy

# What grows too fast with the size of its input takes minutes. The time of the processor does not depend on what else runs.
PATIENCE_SECONDS = 20.0


@pytest.fixture(autouse=True)
def impatience() -> Iterator[None]:
    start = time.thread_time()
    yield
    assert time.thread_time() - start < PATIENCE_SECONDS


HOSTILE = {
    "deep arrays": "[" * 100_000,
    "deep objects": '{"a":' * 50_000,
    "deep values": '{"a":[' + "[" * 100_000,
    "huge exponent": '{"a":[1e999999999, {"anything-but": 1e-999999999}]}',
    "many digits": '{"a":[' + "9" * 200_000 + "]}",
    "many digits in a range": '{"a":[{"numeric":["<",' + "9" * 200_000 + "]}]}",
    "not a number": '{"a":[NaN]}',
    "infinity": '{"a":[-Infinity]}',
    "half a character": '{"a":["\\ud800", {"wildcard":"\\udc00*"}, {"equals-ignore-case":"\\udbff"}]}',
    "half a character, raw": '{"a":["\ud800"]}',
    "null bytes": '{"a":["\\u0000"]}',
    "too large": '{"a":["' + "x" * 300_000 + '"]}',
    "many stars": '{"a":[{"wildcard":"' + "a*" * 50_000 + '"}]}',
    "one long repeat": '{"a":[{"wildcard":"*' + "ab" * 50_000 + '"}]}',
    "long folded": '{"a":[{"equals-ignore-case":"' + "é" * 100_000 + '"}]}',
    "many keys": json.dumps({f"k{number}": ["v"] for number in range(10_000)}),
    "many values": json.dumps({"a": ["v"] * 50_000}),
    "alternatives in alternatives": '{"x":{' + '"$or":[{"a":["1"]},{"b":["2"]}],"z":{' * 90 + '"q":["1"]' + "}" * 92,
    "open string": '{"a":["' + "\\u00e9" * 30_000,
    "white space": " " * 250_000,
    "nothing": "",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_compiled_or_refused(text: str) -> None:
    for scope in ("MessageAttributes", "MessageBody"):
        try:
            policy = compile_filter_policy(text, scope=scope)
        except PolicyInvalid:
            continue
        policy.matches({"a": Attribute("String", "x" * 250_000)}, json.dumps({"a": "x" * 250_000}))
    with suppress(PolicyInvalid):
        compile_event_pattern(text)


@settings(max_examples=300 if os.environ.get("SIGHTLINETEST_SOAK") else 100)
@given(st.text(alphabet='{}[]",:\\ \n$or-*0123456789.eE+truefalsn\x00é\ud800', max_size=60))
def test_any_text_is_compiled_or_refused(text: str) -> None:
    for compile_it in (compile_filter_policy, compile_event_pattern):
        with suppress(PolicyInvalid):
            compile_it(text)


@pytest.mark.parametrize("policy", [{"a": [float("nan")]}, {"a": [{1, 2}]}, {"a": [b"x"]}, {"a": [10**5000]}])
def test_a_mapping_that_is_no_json_is_refused(policy: dict[str, list[object]]) -> None:
    for compile_it in (compile_filter_policy, compile_event_pattern):
        with pytest.raises(PolicyInvalid):
            compile_it(policy)


def test_a_wildcard_does_not_backtrack() -> None:
    policy = compile_filter_policy({"k": [{"wildcard": "*a*a*b"}, {"anything-but": {"wildcard": "*a*ab*a"}}]})
    policy.matches({"k": Attribute("String", "a" * 250_000)}, "")


def test_large_arrays_are_joined_without_comparing_each_with_each() -> None:
    rows = json.dumps({"d": [{"a": 1, "b": number} for number in range(8_000)]})
    for wanted in ({"a": [1], "b": [-1]}, {"a": [1], "b": [{"exists": False}]}):
        assert not compile_filter_policy({"d": wanted}, scope="MessageBody").matches({}, rows)


def test_independent_arrays_do_not_multiply() -> None:
    wide = json.dumps({key: [{"x": number} for number in range(1_000)] for key in "abcde"})
    policy = compile_filter_policy({key: {"x": [{"exists": True}]} for key in "abcd"}, scope="MessageBody")
    assert policy.matches({}, wide)


def test_hostile_messages_match_or_not() -> None:
    policy = compile_filter_policy({"a": [{"numeric": ["<", 5]}, {"exists": False}]}, scope="MessageBody")
    for body in ("[" * 200_000, '{"a":' * 200_000, '{"a":1e999999999}', '{"a":' + "9" * 200_000 + "}"):
        assert not policy.matches({}, body)
    number = compile_filter_policy({"a": [5]})
    for value in ("", "abc", "NaN", "1e999", "9" * 200_000, " 5 ", "5_0", "\uff15", "1e-400"):
        assert number.matches({"a": Attribute("Number", value)}, "") is (value == " 5 ")
