"""The assessor without a model: what each rule adds, and that the reasoning says so."""

from datetime import timedelta

import pytest

from sightline.security.activity import Baseline, OtherCameraActivity
from sightline.security.assessment.rules import assess_by_rules, main_type
from sightline.security.camera import CameraZone
from support.security_rig import MIDNIGHT, NOON, a_camera, a_detection, findings_of

WHOLE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
BOX = (0.4, 0.4, 0.1, 0.2)


def zone(kind):
    return CameraZone(1, "front_door", "Porch", kind, WHOLE)


def score_of(*detections, **more):
    return assess_by_rules(findings_of(*detections, **more)).score


@pytest.mark.parametrize(("kind", "points"), [("knife", 80), ("person", 35), ("car", 15), ("dog", 5), ("umbrella", 10)])
def test_what_was_seen_is_where_it_starts(kind, points):
    assert score_of(a_detection(kind)) == points


def test_the_most_dangerous_kind_counts_not_the_most_frequent():
    findings = findings_of(*[a_detection("dog")] * 5, a_detection("person"))
    assert main_type(findings) == "person"
    assert assess_by_rules(findings).score == 35


@pytest.mark.parametrize(("people", "more"), [(1, 0), (2, 10), (3, 10), (4, 15)])
def test_people_at_once_count_and_one_seen_often_does_not(people, more):
    assert score_of(*[a_detection()] * people) == 35 + more
    one = [a_detection(at=NOON + timedelta(seconds=n)) for n in range(people)]
    assert score_of(*one) == 35


@pytest.mark.parametrize(("hour", "more"), [(21, 0), (22, 20), (4, 20), (5, 0)])
def test_night_is_night_beside_the_camera(hour, more):
    at = NOON.replace(hour=hour)
    assert score_of(a_detection(at=at)) == 35 + more
    in_tokyo = NOON.replace(hour=(hour - 9) % 24)
    assert score_of(a_detection(at=in_tokyo), camera=a_camera(zone="Asia/Tokyo")) == 35 + more
    assert score_of(a_detection("dog", at=at)) == 5


@pytest.mark.parametrize(("kind", "more"), [("restricted", 25), ("entry", 10), ("public", -10), ("other", 0)])
def test_zones_count_for_what_stands_in_them(kind, more):
    assert score_of(a_detection(box=BOX), zones=[zone(kind)]) == 35 + more
    assert score_of(a_detection(), zones=[zone(kind)]) == 35


def test_staying_counts_from_a_minute_on():
    def stay(seconds):
        return score_of(a_detection(), a_detection(at=NOON + timedelta(seconds=seconds)))

    assert (stay(59), stay(60)) == (35, 45)


@pytest.mark.parametrize(
    ("seen", "watched", "more"), [(7, 14, -15), (1, 14, 15), (2, 14, 0), (0, 6, 0), (6, 6, 0), (0, 7, 15)]
)
def test_what_is_usual_is_less_and_what_is_rare_is_more_once_the_days_suffice(seen, watched, more):
    assert score_of(a_detection(), baselines=[Baseline("person", seen, watched)]) == 35 + more


def test_somebody_at_two_other_cameras_counts():
    others = [OtherCameraActivity("yard", "person", 3), OtherCameraActivity("gate", "person", 1)]
    assert score_of(a_detection(), elsewhere=others) == 45
    assert score_of(a_detection(), elsewhere=others[:1]) == 35
    assert score_of(a_detection("car"), elsewhere=others) == 15


def test_what_nobody_is_sure_of_counts_less():
    assert (score_of(a_detection(confidence=0.49)), score_of(a_detection(confidence=0.5))) == (20, 35)


def test_the_score_stays_on_the_scale():
    worst = [a_detection("gun", at=MIDNIGHT, box=BOX), *[a_detection(at=MIDNIGHT, box=BOX)] * 5]
    assert score_of(*worst, zones=[zone("restricted")], baselines=[Baseline("gun", 0, 20)]) == 100
    assert score_of(a_detection("dog", confidence=0.2, box=BOX), zones=[zone("public")]) == 0


def test_the_reasoning_names_every_rule_that_fired_with_its_points():
    found = assess_by_rules(findings_of(a_detection(at=MIDNIGHT, box=BOX), zones=[zone("restricted")]))
    assert found.reasoning == (
        "Rules: person seen (+35); at night (00 h) (+20); in the restricted zone Porch (+25). Sum 80, score 80."
    )
    assert (found.score, found.level, found.assessor) == (80, "critical", "rules")
    assert found.summary == "1 person at Front Door, Porch, 00:30"
