"""From candidates to objects: names that can be stood by, and one object for what several models and tiles saw."""

import numpy as np
import pytest

from sightline.vision.inference.candidates import Candidates
from sightline.vision.inference.findings import Finding, calibrated, chosen_objects, findings_of, merge

LABELS = ("person", "car", "truck", "dog", "cup")


def seen(*scores, box=(0.2, 0.2, 0.4, 0.4), part=(0.0, 0.0, 1.0, 1.0)):
    candidates = Candidates(np.array([box], np.float32), np.array([scores], np.float32))
    return findings_of(candidates, LABELS, {}, model="m", part=part)


def finding(score, box=(0.2, 0.2, 0.4, 0.4), *, model="m", group="person", keypoints=()):
    return Finding(model=model, group=group, label=group, score=score, box=box, keypoints=keypoints)


@pytest.mark.req(531)
def test_a_clear_class_is_named():
    (one,) = seen(0.0, 0.8, 0.1, 0.0, 0.0)
    assert (one.group, one.label, round(one.score, 3)) == ("vehicle", "car", 0.9)


@pytest.mark.req(531)
def test_between_two_kinds_of_vehicles_it_is_a_vehicle():
    (one,) = seen(0.0, 0.4, 0.35, 0.0, 0.0)
    assert (one.label, round(one.score, 3)) == ("vehicle", 0.75)


def test_a_class_without_a_group_is_its_own():
    (one,) = seen(0.0, 0.0, 0.0, 0.0, 0.7)
    assert (one.group, one.label) == ("cup", "cup")


def test_what_is_hardly_seen_is_nothing():
    assert seen(0.01, 0.02, 0.02, 0.0, 0.0) == []


@pytest.mark.req(530)
def test_an_object_that_its_tile_cuts_is_left_to_the_whole_picture():
    tile = (0.5, 0.5, 0.25, 0.25)
    assert seen(0.9, 0, 0, 0, 0, box=(0.0, 0.3, 0.3, 0.4), part=tile) == []
    (one,) = seen(0.9, 0, 0, 0, 0, box=(0.4, 0.4, 0.2, 0.2), part=tile)
    assert one.box == pytest.approx((0.6, 0.6, 0.05, 0.05))


@pytest.mark.req(529)
def test_two_models_that_agree_are_one_object_more_certain_than_either():
    pose = ((0.3, 0.3, 0.9),) * 17
    (one,) = merge([finding(0.6), finding(0.5, (0.22, 0.2, 0.4, 0.4), model="pose", keypoints=pose)], 0.5)
    assert one.score == pytest.approx(0.8)
    assert one.keypoints == pose


@pytest.mark.req(529)
def test_one_model_that_repeats_itself_is_no_more_certain():
    (one,) = merge([finding(0.6), finding(0.5, (0.22, 0.2, 0.4, 0.4))], 0.5)
    assert one.score == pytest.approx(0.6)


@pytest.mark.req(529)
def test_two_people_side_by_side_are_two():
    assert len(merge([finding(0.9, (0.1, 0.1, 0.2, 0.8)), finding(0.8, (0.28, 0.1, 0.2, 0.8))], 0.5)) == 2


@pytest.mark.req(529)
def test_a_second_box_on_half_of_an_object_is_doubted():
    best, second = merge([finding(0.9, (0.1, 0.1, 0.4, 0.8)), finding(0.8, (0.3, 0.1, 0.4, 0.8))], 0.5)
    assert best.score == pytest.approx(0.9)
    assert second.score < 0.55


@pytest.mark.req(531)
def test_of_two_names_for_one_thing_the_less_certain_is_doubted():
    animal, person = merge([finding(0.9, group="animal"), finding(0.8, group="person", model="pose")], 0.5)
    assert (animal.group, person.group) == ("animal", "person")
    assert person.score < 0.1


def test_a_rider_and_the_horse_are_both_seen():
    found = merge([finding(0.9, (0.2, 0.4, 0.6, 0.5), group="animal"), finding(0.9, (0.4, 0.1, 0.2, 0.6))], 0.5)
    assert [round(one.score, 2) for one in found] == [0.9, 0.9]


@pytest.mark.req(529)
def test_thresholds_are_by_class_then_by_group():
    found = [finding(0.55), finding(0.55, group="vehicle"), finding(0.55, group="animal")]
    chosen = chosen_objects(found, min_score=0.5, min_scores={"vehicle": 0.6}, objects=("person", "vehicle"))
    assert [one.label for one in chosen] == ["person"]


def test_all_means_classes_without_a_group_too():
    found = [Finding(model="m", group="cup", label="cup", score=0.9, box=(0, 0, 1, 1))]
    assert chosen_objects(found, min_score=0.5, min_scores={}, objects=("person",)) == []
    assert [one.label for one in chosen_objects(found, min_score=0.5, min_scores={}, objects=("all",))] == ["cup"]


def test_calibration_keeps_the_order_of_scores():
    scores = [calibrated(score, 1.9, 1.6) for score in (0.0, 0.2, 0.5, 0.8, 1.0)]
    assert scores == sorted(scores)
    assert calibrated(0.3, 1.0, 0.0) == pytest.approx(0.3)
