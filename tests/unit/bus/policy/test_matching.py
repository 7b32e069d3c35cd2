"""What each operator accepts, in the corners where engines differ."""

import json
from typing import Any

import pytest

from sightline.bus import Attribute, compile_event_pattern, compile_filter_policy


def body_matches(policy: dict[str, Any], body: object) -> bool:
    text = body if isinstance(body, str) else json.dumps(body)
    return compile_filter_policy(policy, scope="MessageBody").matches({}, text)


def event_matches(pattern: dict[str, Any], event: dict[str, Any]) -> bool:
    parsed = compile_event_pattern(pattern).matches(event)
    assert compile_event_pattern(pattern).matches_text(json.dumps(event)) is parsed
    return parsed


def one_attribute_matches(condition: object, data_type: str, value: str | bytes) -> bool:
    policy = compile_filter_policy({"k": [condition]})
    return policy.matches({"k": Attribute(data_type, value), "other": Attribute("String", "z")}, "")


@pytest.mark.parametrize("spelling", ["100", "100.0", "1e2", "1E+2", "1000e-1", "100.0000004"])
def test_numbers_are_equal_however_they_are_spelled(spelling: str) -> None:
    assert one_attribute_matches(100, "Number", spelling)
    assert body_matches({"k": [100]}, f'{{"k": {spelling}}}')


def test_types_are_never_equal_to_one_another() -> None:
    for wanted in (1, "1", True, None):
        for given in (1, "1", True, None):
            assert body_matches({"k": [wanted]}, {"k": given}) is (wanted is given)


def test_sns_compares_six_digits_and_eventbridge_all_of_them() -> None:
    assert body_matches({"k": [100.123456789]}, {"k": 100.1234567})
    assert not body_matches({"k": [100.123456]}, {"k": 100.123457})
    assert not event_matches({"k": [100.123456789]}, {"k": 100.1234567})


def test_numbers_beyond_the_comparable_range_are_compared_as_text() -> None:
    assert body_matches({"n": [123456789012345678]}, {"n": 123456789012345678})
    assert not body_matches({"n": [123456789012345678]}, {"n": 123456789012345679})
    assert not body_matches({"n": [{"numeric": [">", 0]}]}, {"n": 1e300})
    assert not event_matches({"n": [{"numeric": [">", 0]}]}, {"n": 6_000_000_000})


def test_a_negative_zero_is_zero() -> None:
    assert body_matches({"n": [0]}, '{"n": -0.0}')
    assert event_matches({"n": [0]}, {"n": -0.0})


def test_a_bare_null_does_not_exist_for_sns_but_does_for_eventbridge() -> None:
    assert not body_matches({"k": [{"exists": True}]}, {"k": None})
    assert not body_matches({"k": [{"exists": False}]}, {"k": None})
    assert event_matches({"k": [{"exists": True}]}, {"k": None})


def test_exists_false_needs_a_message_with_attributes_at_all() -> None:
    policy = compile_filter_policy({"k": [{"exists": False}]})
    assert not policy.matches({}, "")
    assert policy.matches({"other": Attribute("Binary", b"x")}, "")


def test_binary_attributes_count_as_absent() -> None:
    assert not one_attribute_matches({"exists": True}, "Binary", b"x")
    assert one_attribute_matches({"exists": False}, "Binary", b"x")


def test_a_string_array_that_is_not_json_matches_nothing() -> None:
    for condition in (
        "a",
        {"exists": True},
        {"exists": False},
        {"anything-but": "b"},
        {"anything-but": {"prefix": "b"}},
    ):
        assert not one_attribute_matches(condition, "String.Array", "['a']")


def test_each_element_of_a_string_array_is_compared() -> None:
    for wanted in ("a", 5, True, None, {"anything-but": ["a", "b"]}):
        assert one_attribute_matches(wanted, "String.Array", '["a", 5, true, null]')
    assert one_attribute_matches(100, "String.Array", "100")
    assert not one_attribute_matches({"exists": True}, "String.Array", "[]")


def test_a_string_that_looks_like_json_stays_a_string() -> None:
    assert not one_attribute_matches("a", "String", '["a"]')
    assert one_attribute_matches('["a"]', "String", '["a"]')


def test_anything_but_needs_a_value_and_accepts_one_outside_element() -> None:
    policy = {"k": [{"anything-but": ["a", "b"]}]}
    assert body_matches(policy, {"k": ["a", "c"]})
    assert not body_matches(policy, {"k": ["a", "b"]})
    assert not body_matches(policy, {"k": []})
    assert not body_matches(policy, {})
    for other in (5, True, None, "c"):
        assert body_matches(policy, {"k": other})


def test_conditions_on_one_array_must_meet_in_one_element() -> None:
    policy = {"r": {"a": ["1"], "b": ["2"]}}
    assert body_matches(policy, {"r": [{"a": "0"}, {"a": "1", "b": "2"}]})
    assert not body_matches(policy, {"r": [{"a": "1"}, {"b": "2"}]})
    assert body_matches(policy, {"r": [{"a": "1", "b": ["2", "3"]}]})


def test_absence_is_judged_in_the_element_the_earlier_keys_chose() -> None:
    policy = {"d": {"a": [1], "b": [{"exists": False}]}}
    assert body_matches(policy, {"d": [{"a": 1}, {"b": 2}]})
    assert not body_matches(policy, {"d": [{"a": 1, "b": 2}, {"a": 3}]})


def test_nested_arrays_are_consistent_at_every_level() -> None:
    policy = {"u": {"n": ["x"], "t": {"k": ["c"], "v": ["b"]}}}
    assert body_matches(policy, {"u": [{"n": "x", "t": [{"k": "c", "v": "b"}]}]})
    assert not body_matches(policy, {"u": [{"n": "x", "t": [{"k": "c"}, {"v": "b"}]}]})
    assert not body_matches(policy, {"u": [{"n": "x"}, {"t": [{"k": "c", "v": "b"}]}]})


def test_dotted_keys_meet_nesting_in_every_combination() -> None:
    for policy in ({"a.b": {"c": ["x"]}}, {"a": {"b": {"c": ["x"]}}}, {"a.b.c": ["x"]}):
        for body in ({"a": {"b": {"c": "x"}}}, {"a.b": {"c": "x"}}, {"a.b.c": "x"}, {"a": {"b.c": "x"}}):
            assert body_matches(policy, body)


def test_a_tuple_in_an_event_is_an_array() -> None:
    assert compile_event_pattern({"k": ["b"]}).matches({"k": ("a", "b")})


def test_both_values_of_a_repeated_key_are_seen() -> None:
    assert body_matches({"a": [1]}, '{"a": 1, "a": 2}')
    assert body_matches({"a": [2]}, '{"a": 1, "a": 2}')


@pytest.mark.parametrize("body", ["text", "[]", '"x"', "1", "null", "", "{", '{"a": NaN}', "\ufeff{}"])
def test_a_body_that_is_no_json_object_matches_nothing(body: str) -> None:
    assert not body_matches({"a": [{"exists": False}]}, body)


def test_a_key_repeated_in_an_alternative_replaces_the_one_before() -> None:
    policy = {"a": ["1"], "$or": [{"a": ["2"]}, {"b": ["3"]}]}
    assert body_matches(policy, {"a": "2"})
    assert body_matches(policy, {"a": "1", "b": "3"})
    assert not body_matches(policy, {"a": "1"})


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("a*c", "ac", True),
        ("a*c", "abcc", True),
        ("a*c", "a\nc", True),
        ("a*b*a", "aba", True),
        ("a*a", "a", False),
        ("*ab*ab*", "xabxab", True),
        ("*ab*ab*", "xaab", False),
        ("a\\*b", "a*b", True),
        ("a\\*b", "axb", False),
        ("a\\\\*", "a\\xyz", True),
        ("", "", True),
        ("", "x", False),
        ("*", "", True),
    ],
)
def test_a_wildcard_stands_for_any_run(pattern: str, text: str, fits: bool) -> None:
    assert body_matches({"k": [{"wildcard": pattern}]}, {"k": text}) is fits
    assert body_matches({"k": [{"anything-but": {"wildcard": pattern}}]}, {"k": text}) is not fits


@pytest.mark.parametrize(
    ("cidr", "address", "inside"),
    [
        ("10.0.0.0/24", "10.0.0.255", True),
        ("10.0.0.77/24", "10.0.0.1", True),
        ("10.0.0.0/31", "10.0.0.2", False),
        ("0.0.0.0/0", "::1", False),
        ("::/0", "2001:db8::1", True),
        ("2001:db8::/32", "2001:DB8:ffff::1", True),
        ("10.0.0.0/24", "10.0.0.256", False),
        ("10.0.0.0/24", "10.0.0", False),
    ],
)
def test_a_block_holds_the_addresses_that_share_its_bits(cidr: str, address: str, inside: bool) -> None:
    assert body_matches({"k": [{"cidr": cidr}]}, {"k": address}) is inside


def test_addresses_are_equal_in_all_their_spellings() -> None:
    assert body_matches({"k": ["2001:db8::1"]}, {"k": "2001:0DB8:0:0:0:0:0:1"})
    assert not body_matches({"k": ["10.0.0.1"]}, {"k": 10})


def test_case_is_ignored_letter_by_letter() -> None:
    assert event_matches({"k": [{"equals-ignore-case": "straße"}]}, {"k": "STRASSE"})
    assert not event_matches({"k": [{"equals-ignore-case": "k"}]}, {"k": "\u212a"})
    assert event_matches({"k": [{"prefix": {"equals-ignore-case": "ÉT"}}]}, {"k": "été"})
    assert event_matches({"k": [{"suffix": {"equals-ignore-case": "ß"}}]}, {"k": "gross"}) is False
    assert event_matches({"k": [{"suffix": {"equals-ignore-case": "ß"}}]}, {"k": "GROSS"})
    assert not event_matches({"k": [{"anything-but": {"equals-ignore-case": ["a", "b"]}}]}, {"k": "B"})


def test_prefix_and_suffix_see_strings_alone() -> None:
    for operator in ("prefix", "suffix"):
        assert body_matches({"k": [{operator: ""}]}, {"k": ""})
        assert not body_matches({"k": [{operator: "1"}]}, {"k": 1})
        assert not body_matches({"k": [{operator: ""}]}, {"k": None})


@pytest.mark.parametrize(
    ("numeric", "inside", "outside"),
    [
        (["=", 5], [5, 5.0], [5.1, "5", None]),
        (["<", 5], [4.999999, -1e9], [5]),
        (["<=", 5], [5], [5.000001]),
        ([">", -2.5], [-2.499999, 0], [-2.5]),
        ([">=", 1, "<", 3], [1, 2.999999], [0.999999, 3]),
        ([">", 1, "<=", 3], [1.000001, 3], [1, 3.000001]),
    ],
)
def test_a_numeric_range_keeps_its_ends(numeric: list[Any], inside: list[Any], outside: list[Any]) -> None:
    policy = {"k": [{"numeric": numeric}]}
    assert all(body_matches(policy, {"k": value}) and event_matches(policy, {"k": value}) for value in inside)
    assert not any(body_matches(policy, {"k": value}) or event_matches(policy, {"k": value}) for value in outside)
    assert not body_matches(policy, {"k": [value for value in outside if value is not None]})
