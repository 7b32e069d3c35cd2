"""What targets of rules receive: constants, parts of the event, filled templates."""

import json

import pytest

from sightline.bus import BusRefusal
from sightline.bus.events.input_template import NotJson, Occasion, fill
from sightline.bus.events.json_path import NothingThere, value_at
from sightline.bus.events.target_checks import check_target
from sightline.bus.events.target_input import target_input

EVENT = {
    "version": "0",
    "id": "e-1",
    "detail-type": "Order",
    "source": "shop",
    "account": "000000000000",
    "time": "2026-01-01T00:00:00Z",
    "region": "us-east-1",
    "resources": ["arn:a", "arn:b"],
    "detail": {
        "user": "u-7",
        "quote": 'say "hi"',
        "paid": True,
        "none": None,
        "total": 1.5,
        "items": [{"sku": "x"}, {"sku": "y"}],
        "one": ["HIGH"],
        "address": {"city": "Rome", "zip": "1"},
    },
}
OCCASION = Occasion(EVENT, "arn:aws:events:us-east-1:000000000000:rule/r", "r", "2026-01-01T00:00:01.000Z")
PATHS = {
    "user": "$.detail.user",
    "quote": "$.detail.quote",
    "address": "$.detail.address",
    "one": "$.detail.one",
    "paid": "$.detail.paid",
    "gone": "$.detail.gone",
}


@pytest.mark.req(495)
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$", EVENT),
        ("$.detail-type", "Order"),
        ("$['detail-type']", "Order"),
        ("$.resources[1]", "arn:b"),
        ("$.detail.items[*].sku", ["x", "y"]),
        ("$.detail.address.*", ["Rome", "1"]),
        ("$.detail.none", None),
    ],
)
def test_a_path_selects_from_the_event(path, expected):
    assert value_at(EVENT, path) == expected


@pytest.mark.req(495)
@pytest.mark.parametrize("path", ["detail", "$.", "$.a..b", "$[a]", "$.a b", "$.a[-1]"])
def test_paths_that_eventbridge_does_not_know_are_refused(path):
    with pytest.raises(BusRefusal):
        value_at(EVENT, path)


@pytest.mark.req(495)
@pytest.mark.parametrize("path", ["$.detail.gone", "$.resources[2]", "$.source[0]", "$.detail.user.name"])
def test_a_path_to_nothing_is_told_apart_from_null(path):
    with pytest.raises(NothingThere):
        value_at(EVENT, path)


@pytest.mark.req(495)
@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ('"Order of <user>, paid: <paid>"', '"Order of u-7, paid: true"'),
        ('"{[/ special start <user>"', '"{[/ special start u-7"'),
        ('"to <address> and <one>"', '"to {city:Rome,zip:1} and [HIGH]"'),
        ('"nothing: <gone>"', '"nothing: "'),
        ('"one <user>"\n"two <user>"', '"one u-7"\n"two u-7"'),
        (
            '{"id": <user>, "to": <address>, "gone": <gone>}',
            '{"id": "u-7", "to": {"city":"Rome","zip":"1"}, "gone": ""}',
        ),
        ('{"path": "users/<user>/second/<user>"}', '{"path": "users/u-7/second/u-7"}'),
        ('{"said": "<quote>", "also": <quote>}', r'{"said": "say \"hi\"", "also": "say \"hi\""}'),
        (r'{"escaped": "\"<user>\"", "plain": <user>}', r'{"escaped": "\"u-7\"", "plain": "u-7"}'),
        ("[<user>, <paid>, <one>]", '["u-7", true, ["HIGH"]]'),
        ("<address>", '{"city":"Rome","zip":"1"}'),
        (
            '"<aws.events.rule-arn> <aws.events.rule-name> <aws.events.event.ingestion-time>"',
            '"arn:aws:events:us-east-1:000000000000:rule/r r 2026-01-01T00:00:01.000Z"',
        ),
    ],
)
def test_a_template_is_filled_by_the_rules_of_quoting(template, filled):
    assert fill(template, PATHS, OCCASION) == filled


@pytest.mark.req(495)
def test_the_event_itself_can_be_part_of_a_template():
    found = json.loads(fill('{"short": <aws.events.event>, "whole": <aws.events.event.json>}', {}, OCCASION))
    assert found["whole"] == EVENT
    assert found["short"] == {
        ("detailType" if key == "detail-type" else key): value for key, value in EVENT.items() if key != "detail"
    }


@pytest.mark.req(495)
@pytest.mark.parametrize("template", ['{"quoted": "<address>"}', '{"quoted": "<one>"}', "<user> of nothing"])
def test_a_filled_template_that_is_not_json_is_not_delivered(template):
    with pytest.raises(NotJson):
        fill(template, PATHS, OCCASION)


@pytest.mark.req(495)
def test_a_constant_or_a_part_replaces_the_event():
    assert target_input({"Input": '{"a":1}'}, "body", OCCASION) == '{"a":1}'
    assert target_input({"InputPath": "$.detail.user"}, "body", OCCASION) == '"u-7"'
    assert target_input({"InputPath": "$.detail.gone"}, "body", OCCASION) == "null"
    assert target_input({}, "body", OCCASION) == "body"


@pytest.mark.req(491)
@pytest.mark.parametrize(
    ("members", "message"),
    [
        (
            {"Input": "1", "InputPath": "$"},
            "Only one of Input, InputPath, or InputTransformer must be provided for target t.",
        ),
        ({"Input": "{"}, "JSON syntax error in input for target t."),
        ({"InputPath": "detail"}, "Invalid InputPath for target t."),
        (
            {"InputTransformer": {"InputPathsMap": {"a": "$.a"}, "InputTemplate": '"<a> <b>"'}},
            "InputTemplate for target t contains invalid placeholder b.",
        ),
        (
            {"InputTransformer": {"InputPathsMap": {"aws.x": "$.a"}, "InputTemplate": '"x"'}},
            "InputPathsMap for target t contains the reserved key aws.x.",
        ),
        ({"RetryPolicy": {"MaximumRetryAttempts": 186}}, "It must be between 0 and 185."),
        ({"RetryPolicy": {"MaximumEventAgeInSeconds": 59}}, "It must be between 60 and 86400."),
        ({"DeadLetterConfig": {"Arn": "arn:aws:sqs:us-east-1:1:q"}}, "a standard queue of your account"),
    ],
)
def test_targets_are_refused_in_the_words_of_eventbridge(members, message):
    target = {"Id": "t", "Arn": "arn:aws:sqs:us-east-1:000000000000:q", **members}
    with pytest.raises(BusRefusal) as caught:
        check_target(target, account_id="000000000000")
    assert message in caught.value.message
    assert caught.value.code == "ValidationException"
