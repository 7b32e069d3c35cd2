"""Delivery policies: the delays of their phases, what subscriptions inherit, and what is refused."""

import json

import pytest

from sightline.bus.delivery_policy import (
    RetryPolicy,
    check_subscription_policy,
    check_topic_policy,
    effective_subscription_policy,
)
from sightline.bus.limits import BusRefusal


def delays(**policy: object) -> list[float | None]:
    retry = RetryPolicy.of(policy)
    return [retry.delay_s(failures) for failures in range(1, retry.retries + 2)]


def test_without_a_policy_there_are_three_retries_twenty_seconds_apart():
    assert delays() == [20, 20, 20, None]


def test_the_phases_follow_each_other():
    assert delays(
        numRetries=8,
        numNoDelayRetries=1,
        numMinDelayRetries=2,
        numMaxDelayRetries=2,
        minDelayTarget=1,
        maxDelayTarget=21,
    ) == [0, 1, 1, 1, 11, 21, 21, 21, None]


@pytest.mark.parametrize("function", ["linear", "arithmetic", "geometric", "exponential"])
def test_growing_delays_begin_at_the_shortest_and_end_at_the_longest(function: str):
    *growing, last = delays(numRetries=10, minDelayTarget=2, maxDelayTarget=50, backoffFunction=function)
    assert (growing[0], growing[-1], last) == (2, 50, None)
    assert growing == sorted(one for one in growing if one is not None)


def test_no_retries_give_up_after_the_first_attempt():
    assert delays(numRetries=0) == [None]


def test_a_subscription_inherits_what_it_does_not_say():
    topic = json.dumps(
        {
            "http": {
                "defaultHealthyRetryPolicy": {"numRetries": 9},
                "defaultRequestPolicy": {"headerContentType": "text/csv"},
            }
        }
    )
    own = json.dumps({"healthyRetryPolicy": {"minDelayTarget": 1}, "requestPolicy": None})
    found = effective_subscription_policy(topic, own)
    assert (found["healthyRetryPolicy"]["numRetries"], found["healthyRetryPolicy"]["minDelayTarget"]) == (9, 1)
    assert found["requestPolicy"] == {"headerContentType": "text/csv"}


def test_a_topic_may_forbid_policies_of_subscriptions():
    topic = json.dumps({"http": {"disableSubscriptionOverrides": True}})
    found = effective_subscription_policy(topic, json.dumps({"healthyRetryPolicy": {"numRetries": 50}}))
    assert found["healthyRetryPolicy"]["numRetries"] == 3


@pytest.mark.parametrize(
    ("retry", "message"),
    [
        ({"numRetries": 101}, "numRetries must be between 0 and 100"),
        ({"numRetries": True}, "numRetries must be a whole number"),
        ({"minDelayTarget": 30}, "minDelayTarget must be between 1 and 20"),
        ({"maxDelayTarget": 3601}, "maxDelayTarget must be between 20 and 3600"),
        ({"numNoDelayRetries": 2, "numMinDelayRetries": 2}, "sum of the retries"),
        ({"backoffFunction": "cubic"}, "backoffFunction must be"),
        ({"numRetrys": 3}, "Unexpected JSON member: numRetrys"),
        ({"numRetries": 100, "maxDelayTarget": 3600}, "not take longer than 3600 seconds"),
    ],
)
def test_a_policy_that_cannot_be_followed_is_refused(retry: dict[str, object], message: str):
    with pytest.raises(BusRefusal, match=message):
        check_subscription_policy(json.dumps({"healthyRetryPolicy": retry}))
    with pytest.raises(BusRefusal, match=message):
        check_topic_policy(json.dumps({"http": {"defaultHealthyRetryPolicy": retry}}))


@pytest.mark.parametrize("content_type", ["json", "text/plain\r\nX: y", 5])
def test_a_content_type_is_a_media_type(content_type: object):
    with pytest.raises(BusRefusal, match="headerContentType"):
        check_subscription_policy(json.dumps({"requestPolicy": {"headerContentType": content_type}}))


@pytest.mark.parametrize("text", ["", "{", "[]", "1"])
def test_a_policy_is_a_json_object(text: str):
    with pytest.raises(BusRefusal, match="DeliveryPolicy"):
        check_topic_policy(text)
