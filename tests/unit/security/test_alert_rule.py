"""Alert rules: every condition must hold."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from sightline.security.alerts.rule import AlertHours, Conditions, EventWithDetections, unmet_conditions
from sightline.security.events.event import Event
from support.security_rig import NOON, a_detection

WEDNESDAY = NOON


def an_event(**more):
    usual: dict[str, Any] = {
        **dict.fromkeys(Event.__dataclass_fields__),
        "id": 1,
        "batch_id": "batch-00000001",
        "camera_id": "front_door",
        "owner_id": UUID(int=1),
        "risk_score": 70,
        "risk_level": "high",
        "object_types": ["dog", "person"],
        "started_at": WEDNESDAY,
    }
    return Event(**(usual | more))


SEEN = EventWithDetections(an_event(), [a_detection(confidence=0.6), a_detection("dog", confidence=0.95)], {"Porch"})


@pytest.mark.req(796)
@pytest.mark.parametrize(
    ("kind", "found", "is_met"),
    [
        ("vehicle", "truck", True),
        ("vehicle", "vehicle", True),
        ("vehicle", "dog", False),
        ("Animal", "dog", True),
        ("bag", "suitcase", True),
        ("weapon", "knife", True),
        ("car", "truck", False),
        ("car", "vehicle", False),
    ],
)
def test_the_name_of_a_group_stands_for_all_of_its_kinds(kind, found, is_met):
    seen = EventWithDetections(an_event(object_types=[found]), [a_detection(found, confidence=0.9)], set())
    conditions = Conditions.model_validate({"object_types": [kind], "min_confidence": 0.8})
    assert (unmet_conditions(conditions, seen) == []) is is_met


@pytest.mark.req(243)
@pytest.mark.parametrize(
    ("met", "not_met"),
    [
        ({"risk_threshold": 70}, {"risk_threshold": 71}),
        ({"object_types": ["Person", "car"]}, {"object_types": ["car"]}),
        ({"camera_ids": ["Front Door"]}, {"camera_ids": ["yard"]}),
        ({"zones": ["porch"]}, {"zones": ["Garden"]}),
        ({"min_confidence": 0.6}, {"min_confidence": 0.61}),
        ({"schedule": {"start": "11:00", "end": "13:00"}}, {"schedule": {"start": "13:00", "end": "14:00"}}),
    ],
)
def test_each_condition_by_itself_and_against_all_others(met, not_met):
    every = {
        "risk_threshold": 50,
        "object_types": ["person"],
        "camera_ids": ["front_door"],
        "zones": ["Porch"],
        "min_confidence": 0.5,
        "schedule": {"days": ["wed"]},
    }
    assert unmet_conditions(Conditions.model_validate(met), SEEN) == []
    assert unmet_conditions(Conditions.model_validate(every | met), SEEN) == []
    assert unmet_conditions(Conditions.model_validate(every | not_met), SEEN)[:1] == list(not_met)


@pytest.mark.req(243)
def test_a_rule_without_conditions_matches_everything():
    assert unmet_conditions(Conditions(), SEEN) == []


@pytest.mark.req(243)
def test_a_sure_dog_does_not_make_an_unsure_person_sure():
    conditions = Conditions(object_types=("person",), min_confidence=0.9)
    assert unmet_conditions(conditions, SEEN) == ["min_confidence"]


@pytest.mark.parametrize(
    ("schedule", "moment", "covers"),
    [
        ({}, "2026-03-04T00:00", True),
        ({"days": ["tue"]}, "2026-03-04T12:00", False),
        ({"start": "09:00", "end": "17:00"}, "2026-03-04T09:00", True),
        ({"start": "09:00", "end": "17:00"}, "2026-03-04T17:00", False),
        # Over midnight: the night of Tuesday lasts into Wednesday.
        ({"days": ["tue"], "start": "22:00", "end": "06:00"}, "2026-03-04T05:59", True),
        ({"days": ["tue"], "start": "22:00", "end": "06:00"}, "2026-03-04T06:00", False),
        ({"days": ["tue"], "start": "22:00", "end": "06:00"}, "2026-03-04T22:00", False),
        ({"days": ["wed"], "start": "22:00", "end": "06:00"}, "2026-03-04T05:00", False),
        ({"start": "22:00", "end": "06:00", "zone": "Asia/Tokyo"}, "2026-03-04T13:00", True),
        ({"days": ["mon"], "start": "22:00", "end": "06:00"}, "2026-03-03T01:00", True),
        ({"days": ["sun"], "start": "22:00", "end": "06:00"}, "2026-03-02T01:00", True),
    ],
)
def test_schedules(schedule, moment, covers):
    at = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    assert AlertHours.model_validate(schedule).covers(at) is covers


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd"])
def test_a_time_zone_that_is_none_is_refused(zone):
    with pytest.raises(ValidationError):
        AlertHours(zone=zone)


@pytest.mark.req(616)
@pytest.mark.parametrize(
    ("hours", "now", "end"),
    [
        ({"start": "22:00", "end": "07:00"}, (4, 23, 0), (5, 7, 0)),
        ({"start": "22:00", "end": "07:00"}, (4, 6, 59), (4, 7, 0)),
        ({"start": "09:00", "end": "17:00"}, (4, 12, 0), (4, 17, 0)),
        ({"start": "00:00", "end": "00:00"}, (4, 12, 0), (11, 12, 0)),
        ({"start": "00:00", "end": "00:00", "days": ["wed"]}, (4, 12, 0), (5, 0, 0)),
    ],
)
def test_hours_end_when_they_no_longer_cover(hours, now, end):
    """4 March 2026 is a Wednesday."""
    moment, expected = (datetime(2026, 3, day, hour, minute, tzinfo=UTC) for day, hour, minute in (now, end))
    assert AlertHours.model_validate(hours).end_after(moment) == expected
