"""What counts as a difference, and what is only another way to write the same."""

import json

import pytest

from sightline.fleet.difference import compare, lacks_permission

RULE = "arn:aws:events:us-east-1:000000000000:rule/video-upload-completed"
EXPECTED = [
    {
        "Sid": "SightlineRules",
        "Effect": "Allow",
        "Principal": {"Service": "events.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": "arn:aws:sqs:us-east-1:000000000000:video-storage-events",
        "Condition": {"ArnEquals": {"aws:SourceArn": [RULE]}},
    }
]


def test_numbers_as_text_and_json_in_another_order_are_the_same():
    expected = {"VisibilityTimeout": 300, "FilterPolicy": {"a": [1], "b": ["x"]}, "RawMessageDelivery": False}
    found = {"VisibilityTimeout": "300", "FilterPolicy": '{"b": ["x"], "a": ["1"]}', "RawMessageDelivery": "false"}
    assert list(compare("queue q", expected, found)) == []


def test_a_difference_names_the_resource_what_differs_and_both_values():
    [found] = compare("queue q", {"VisibilityTimeout": "300"}, {"VisibilityTimeout": "30"})
    assert str(found) == "queue q: VisibilityTimeout is 30, expected 300"


@pytest.mark.parametrize(
    "change",
    [
        {"Effect": "Deny"},
        {"Action": "sqs:ReceiveMessage"},
        {"Principal": {"Service": "sns.amazonaws.com"}},
        {"Condition": {"ArnEquals": {"aws:SourceArn": ["arn:aws:events:us-east-1:000000000000:rule/other"]}}},
    ],
)
def test_a_statement_that_does_not_let_the_rule_in_does_not_count(change: dict[str, object]):
    policy = json.dumps({"Version": "2012-10-17", "Statement": [EXPECTED[0] | change]})
    [found] = lacks_permission("queue q", EXPECTED, policy)
    assert RULE in found.what


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"Action": ["sqs:SendMessage"]},
        {"Action": "sqs:*"},
        {"Principal": "*"},
        {"Condition": {"ArnLike": {"AWS:SourceArn": RULE}}},
    ],
)
def test_a_statement_written_in_another_way_counts(change: dict[str, object]):
    policy = json.dumps({"Statement": EXPECTED[0] | change})
    assert list(lacks_permission("queue q", EXPECTED, policy)) == []
