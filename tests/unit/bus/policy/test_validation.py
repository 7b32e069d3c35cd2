"""What is refused, at which edge, and in which words."""

import json
from collections.abc import Callable
from typing import Any, cast

import pytest

from sightline.bus.policy import PolicyInvalid, Scope, compile_event_pattern, compile_filter_policy


def refusal(compile_it: Callable[[], object]) -> str:
    with pytest.raises(PolicyInvalid) as caught:
        compile_it()
    return caught.value.message


def sns(policy: str | dict[str, Any], scope: Scope = "MessageBody") -> str:
    return refusal(lambda: compile_filter_policy(policy, scope=scope))


def eventbridge(pattern: str | dict[str, Any]) -> str:
    return refusal(lambda: compile_event_pattern(pattern))


def values(count: int) -> list[str]:
    return [f"v{number}" for number in range(count)]


def test_sns_reports_the_position_in_its_own_spelling_of_the_policy() -> None:
    assert sns('{ "key_a" :  "value_one" }') == (
        'Invalid parameter: FilterPolicy: "key_a" must be an object or an array\n'
        ' at [Source: (String)"{"key_a":"value_one"}"; line: 1, column: 11]'
    )


def test_eventbridge_reports_the_position_in_the_text_as_given() -> None:
    assert eventbridge('{\n "a": [\n  {"exists": 1}]}') == (
        "Event pattern is not valid. Reason: exists match pattern must be either true or false.\n"
        ' at [Source: (String)"{\n "a": [\n  {"exists": 1}]}"; line: 3, column: 15]'
    )


def test_a_long_policy_is_shown_in_part() -> None:
    text = '{"a": "' + "x" * 600 + '"}'
    assert f'{text[:500]}"[truncated {len(text) - 500} chars]; line: 1, column: 8]' in eventbridge(text)


def test_only_subscribe_mentions_attributes_reason() -> None:
    with pytest.raises(PolicyInvalid, match=r"^Invalid parameter: Attributes Reason: FilterPolicy: Empty arrays"):
        compile_filter_policy({"a": []}, on_subscribe=True)
    assert sns({"a": []}).startswith("Invalid parameter: FilterPolicy: Empty arrays are not allowed\n at [Source")


def test_an_unknown_scope_is_named() -> None:
    assert sns({}, cast(Scope, "Everything")) == (
        "Invalid parameter: FilterPolicyScope: Invalid value [Everything]. "
        "Please use either MessageBody or MessageAttributes"
    )


def test_text_that_is_not_json_is_quoted_with_its_position() -> None:
    assert sns("{invalidjson}") == (
        "Invalid parameter: FilterPolicy: failed to parse JSON. Unexpected character ('i' (code 105)): "
        "was expecting double-quote to start field name\n"
        ' at [Source: (String)"{invalidjson}"; line: 1, column: 3]'
    )


def test_five_keys_pass_and_six_do_not() -> None:
    compile_filter_policy({key: ["v"] for key in values(5)})
    assert sns({key: ["v"] for key in values(6)}).endswith("Filter policy can not have more than 5 keys")


@pytest.mark.parametrize(
    ("policy", "fits"),
    [
        ({"a": values(150)}, True),
        ({"a": values(151)}, False),
        ({"a": values(15), "b": values(10)}, True),
        ({"a": values(38), "b": values(4)}, False),
        ({"a": {"b": values(75)}}, True),
        ({"a": {"b": values(76)}}, False),
        ({"$or": [{"a": values(75)}, {"b": values(75)}]}, True),
        ({"$or": [{"a": values(75)}, {"b": values(76)}]}, False),
        ({"c": values(2), "$or": [{"a": values(37)}, {"b": values(38)}]}, True),
        ({"c": values(2), "$or": [{"a": values(38)}, {"b": values(38)}]}, False),
    ],
)
def test_combinations_end_at_150(policy: dict[str, Any], fits: bool) -> None:
    if fits:
        compile_filter_policy(policy, scope="MessageBody")
    else:
        assert sns(policy) == "Invalid parameter: FilterPolicy: Filter policy is too complex"


def test_a_policy_ends_at_256_kilobytes() -> None:
    frame = len('{"a":[""]}')
    compile_filter_policy('{"a":["' + "x" * (256 * 1024 - frame) + '"]}')
    assert "256 KB" in sns('{"a":["' + "x" * (256 * 1024 - frame + 1) + '"]}')
    assert "256 KB" in sns('{"a":["' + "é" * (128 * 1024) + '"]}')


def test_wildcards_end_at_three_stars_and_a_hundred_points() -> None:
    compile_filter_policy({"a": [{"wildcard": "*a*b*"}]})
    assert sns({"a": [{"wildcard": "*a*b*c*"}]}).endswith("too complex")
    compile_filter_policy({"a": [{"wildcard": f"{number}*"} for number in range(10)]})
    assert sns({"a": [{"wildcard": f"{number}*"} for number in range(11)]}).endswith("too complex")
    compile_filter_policy({"a": [{"wildcard": f"*{number}*"} for number in range(5)]})
    assert sns({"a": [{"wildcard": f"*{number}*"} for number in range(6)]}).endswith("too complex")


def test_eventbridge_limits_how_far_a_wildcard_fans_out() -> None:
    compile_event_pattern({"a": [{"wildcard": "*:*:*:*"}]})
    assert "Rule is too complex - try using fewer wildcard" in eventbridge({"a": [{"wildcard": "*a" * 8}]})


def test_eventbridge_alternatives_end_at_a_thousand() -> None:
    ten = [{f"k{number}": ["v"]} for number in range(10)]
    pattern = {"a": {"$or": ten}, "b": {"$or": ten}, "c": {"$or": ten}}
    compile_event_pattern(pattern)
    assert "too complex" in eventbridge({**pattern, "d": {"$or": ten[:2]}})


def test_numbers_in_operators_end_at_each_services_limit() -> None:
    compile_filter_policy({"a": [{"numeric": [">", -1e9, "<=", 1e9]}]})
    assert "Value must be between -1.0E9 and 1.0E9, inclusive" in sns({"a": [{"numeric": ["<", 1000000001]}]})
    compile_event_pattern({"a": [{"numeric": ["=", 5e9]}]})
    assert "Value must be between -5.0E9 and 5.0E9, inclusive" in eventbridge({"a": [{"anything-but": [5000000001]}]})
    assert "Value must be between -1.0E9 and 1.0E9, inclusive" in sns({"a": [1000000001]})
    compile_filter_policy({"a": [1000000000, -1000000000]})


def test_a_number_too_large_to_compare_is_a_spelling_and_passes() -> None:
    compile_filter_policy({"account": [123456789012]})
    compile_event_pattern({"account": [123456789012]})


def test_nesting_is_refused_for_attributes_even_inside_alternatives() -> None:
    message = "Invalid parameter: Filter policy scope MessageAttributes does not support nested filter policy"
    assert sns({"a": {"b": ["x"]}}, "MessageAttributes") == message
    assert sns({"$or": [{"a": ["x"]}, {"b": {"c": ["x"]}}]}, "MessageAttributes") == message


def test_of_a_repeated_key_the_last_counts() -> None:
    assert "Unrecognized match type z" in sns('{"a": ["x"], "a": [{"z": 1}]}')
    assert compile_event_pattern('{"a": ["x"], "a": ["y"]}') == compile_event_pattern('{"a": ["y"]}')


@pytest.mark.parametrize(
    ("operator", "text"),
    [
        ({"prefix": {"equals-ignore-case": "x"}}, "prefix match pattern must be a string"),
        ({"anything-but": {"suffix": "x"}}, "Unsupported anything-but pattern: suffix"),
        ({"anything-but": {"prefix": ["x"]}}, "prefix match pattern must be a string"),
        ({"anything-but": {"wildcard": 5}}, "wildcard match pattern must be a string"),
        ({"anything-but": ["x", 5]}, "mixed type is not supported"),
        ({"anything-but": []}, "mixed type is not supported"),
        ({"anything-but": {}}, "Anything-But expression name not found"),
        ({"prefix": "a", "suffix": "b"}, "Only one key allowed in match expression"),
        ({"numeric": [">", 1, 2]}, "Bad value in numeric range: 2"),
        ({"numeric": [">", 1, "<", 2, 3]}, "Too many terms in numeric range expression"),
        ({"numeric": ["=", 1, 2]}, "Too many elements in numeric expression"),
        ({"numeric": ["="]}, "Value of equals must be numeric"),
        ({"numeric": ["<", "1"]}, "Value of < must be numeric"),
        ({"cidr": "10.0.0.0/32"}, "IPv4 mask bits must be < 32"),
        ({"cidr": "::/128"}, "IPv6 mask bits must be < 128"),
        ({"cidr": "10.0.0.0/-1"}, "Malformed CIDR, mask bits must not be negative"),
        ({"cidr": "10.0.0.256/8"}, "Invalid IP address: 10.0.0.256"),
        ({"cidr": "1.2.3.4/5/6"}, "Malformed CIDR, one '/' required"),
        ({"wildcard": "é**"}, "Consecutive wildcard characters at pos 3"),
        ({"wildcard": "a\\b"}, "Invalid escape character at pos 2"),
    ],
)
def test_sns_rejects_the_operator_in_the_words_of_the_engine(operator: dict[str, Any], text: str) -> None:
    assert text in sns({"a": [operator]})


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("{}", "Empty objects are not allowed"),
        ('{"a": {}}', "Empty objects are not allowed"),
        ('{"$or": {}}', "It must be an Array followed with $or."),
        ('{"$or": ["a", "b"]}', "Only JSON object is allowed in array of $or relationship."),
        (
            '{"$or": [{"a": ["x"]}, {"prefix": ["y"]}]}',
            "prefix is Ruler reserved fieldName which cannot be used inside $or.",
        ),
        ('{"a": [{"prefix": {}}]}', "Prefix expression name not found"),
        ('{"a": [{"suffix": {"prefix": "x"}}]}', "Unsupported suffix pattern: prefix"),
        ('{"a": ["x"}', "Unexpected close marker '}': expected ']' (for Array starting at [Source: "),
        ('{"a": ["x"', "Unexpected end-of-input: expected close marker for Array (start marker at [Source: "),
        ('{"a": [01]}', "Invalid numeric value: Leading zeroes not allowed"),
    ],
)
def test_eventbridge_rejects_the_pattern_in_the_words_of_the_engine(pattern: str, text: str) -> None:
    message = eventbridge(pattern)
    assert message.startswith(f"Event pattern is not valid. Reason: {text}")


def test_a_mapping_and_its_text_compile_to_the_same() -> None:
    policy = {"a": ["x", 1, None, {"prefix": "p"}]}
    assert compile_filter_policy(policy) == compile_filter_policy(json.dumps(policy))
    assert compile_event_pattern(policy) == compile_event_pattern(json.dumps(policy))
