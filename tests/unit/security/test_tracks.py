"""Tracks in attributes, and what findings make of them."""

from datetime import timedelta

import pytest

from sightline.security.activity import OtherCameraActivity
from sightline.security.assessment.rules import assess_by_rules, summarize
from sightline.security.detections.tracks import behaviours_of, track_id_of
from support.security_rig import NOON, a_detection, findings_of


def seen(track: str, after_s: float = 0.0, **attributes):
    return a_detection(at=NOON + timedelta(seconds=after_s), attributes={"track_id": track, **attributes})


@pytest.mark.req(601)
@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("loitering", "loitered"),
        ({"kind": "loitering", "zone": "Porch", "seconds": 65.2}, "loitered in Porch for 65 s"),
        ({"kind": "line_crossed", "name": "Gate", "direction": "in"}, "crossed the line Gate (in)"),
        ({"kind": "entered_zone", "zone": "Yard"}, "entered Yard"),
        ({"kind": "left_behind", "zone": "Hall"}, "left behind in Hall"),
        ({"kind": "line_crossed", "zone": "Gate", "direction": "to_right"}, "crossed the line Gate (to right)"),
        ({"kind": "left_zone", "zone": "Yard", "seconds": 4}, "left Yard"),
        ({"kind": "removed"}, "taken away"),
        ({"kind": "fell_over"}, "fell over"),
    ],
)
def test_behaviours_are_named_in_plain_words(behaviour, words):
    (found,) = behaviours_of({"behaviours": [behaviour]})
    assert found.words == words
    findings = findings_of(seen("a", behaviours=[behaviour]))
    assert words in summarize(findings)
    assert words in assess_by_rules(findings).reasoning


@pytest.mark.parametrize("attributes", [{}, {"track_id": 7}, {"track_id": ""}, {"track_id": "x" * 101}])
def test_what_is_no_track_id_is_none(attributes):
    assert track_id_of(attributes) is None


@pytest.mark.parametrize("value", [None, "loitering", 7, [7], [{}], [{"kind": ""}], {"kind": "loitering"}])
def test_what_is_no_list_of_behaviours_is_left_out(value):
    assert list(behaviours_of({"behaviours": value})) == []


@pytest.mark.req(598)
def test_people_are_counted_by_tracks_that_were_there_at_the_same_time():
    walk = [seen("a", at) for at in (0, 10, 20)]
    assert summarize(findings_of(*walk)).startswith("1 person ")
    assert summarize(findings_of(*walk, seen("b", 15))).startswith("2 person ")
    assert summarize(findings_of(*walk, seen("b", 25))).startswith("1 person ")


@pytest.mark.req(598)
def test_two_who_pass_one_after_the_other_did_not_stay():
    passing = findings_of(seen("a", 0), seen("a", 40), seen("b", 50), seen("b", 90))
    staying = findings_of(seen("a", 0), seen("a", 61))
    assert "stayed for" not in assess_by_rules(passing).reasoning
    assert "stayed for 61 s (+10)" in assess_by_rules(staying).reasoning


@pytest.mark.req(602)
@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-40, "Driveway 40 s before"), (130, "Driveway 2 min after"), (0, "Driveway at the same time")],
)
def test_another_camera_is_named_with_when_it_saw_the_same_kind(seconds, words):
    other = OtherCameraActivity("driveway", "person", 3, "Driveway", NOON + timedelta(seconds=seconds))
    reasoning = assess_by_rules(findings_of(seen("a"), elsewhere=[other])).reasoning
    assert f"person also seen at {words} (+0)" in reasoning
