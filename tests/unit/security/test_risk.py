"""Levels, and which messages have to be confirmed."""

import pytest

from sightline.security.assessment.risk import requires_ack, risk_level


@pytest.mark.req(191)
@pytest.mark.parametrize(
    ("score", "level"),
    [
        (0, "low"),
        (29, "low"),
        (30, "medium"),
        (59, "medium"),
        (60, "high"),
        (79, "high"),
        (80, "critical"),
        (100, "critical"),
    ],
)
def test_the_level_follows_from_the_score(score, level):
    assert risk_level(score) == level


@pytest.mark.req(192)
@pytest.mark.parametrize("score", [-1, 101])
def test_scores_beyond_the_scale_have_no_level(score):
    with pytest.raises(ValueError, match="0 to 100"):
        risk_level(score)


@pytest.mark.req(208)
@pytest.mark.parametrize(
    ("message", "needs"),
    [
        ({"type": "event", "data": {"risk_score": 80}}, True),
        ({"type": "event", "data": {"risk_score": 79}}, False),
        ({"type": "event", "data": {"risk_score": 10, "risk_level": "critical"}}, True),
        ({"type": "event", "data": {"risk_level": "high"}}, False),
        ({"type": "event.acknowledged", "data": {"risk_score": 99}}, False),
    ],
)
def test_critical_events_are_to_be_confirmed(message, needs):
    assert requires_ack(message) is needs


@pytest.mark.req(209)
@pytest.mark.parametrize(
    "message",
    [
        {"type": "event"},
        {"type": "event", "data": None},
        {"type": "event", "data": {}},
        {"type": "event", "data": {"risk_score": None}},
        {"type": "event", "data": {"risk_score": "90"}},
        {"type": "event", "data": ["risk_score"]},
        {"data": {"risk_score": 90}},
        {},
    ],
)
def test_what_is_missing_asks_for_nothing(message):
    assert requires_ack(message) is False
