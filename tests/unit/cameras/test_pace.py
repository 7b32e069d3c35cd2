"""The pace of looks in a busy scene: rarer, at parts and by one model, and never at the cost of a person who is new."""

from dataclasses import replace

import pytest

from sightline.cameras.watch.pace import BUSY_S, FULL_EVERY_S, MAX_PACE_S, MIN_PACE_S, LookPlan, Pace
from sightline.cameras.watch.resting import WHOLE
from sightline.vision import Track

AT = 100.0
ASPECT = 16 / 9
CAR = Track(
    track_id="a",
    label="car",
    label_share=1.0,
    score=0.9,
    best_score=0.9,
    first_seen=AT - 3,
    last_seen=AT,
    box=(0.4, 0.5, 0.1, 0.1),
    path=(),
    looks=8,
    is_confirmed=True,
    is_stationary=False,
    direction="right",
    speed=0.2,
)
PERSON = replace(CAR, track_id="b", label="person", box=(0.45, 0.5, 0.05, 0.2), looks=1)
MOTION = ((0.42, 0.5, 0.1, 0.1),)


def busy(at: float = AT, *, stays_s: float = 3.0) -> Pace:
    """After three cars, which stayed so long, and a look at the whole picture."""
    pace = Pace()
    for _ in range(3):
        pace.see_report(at)
        pace.see_end(replace(CAR, first_seen=CAR.last_seen - stays_s), at)
    assert pace.plan([CAR], MOTION, at, aspect=ASPECT) == LookPlan()
    return pace


@pytest.mark.req(1125)
def test_a_scene_with_two_objects_is_looked_at_as_ever():
    pace = Pace()
    pace.see_report(AT)
    pace.see_report(AT)
    assert pace.rest(AT) is None
    assert [pace.plan([CAR], MOTION, AT + number / 5, aspect=ASPECT) for number in range(3)] == [LookPlan()] * 3


@pytest.mark.req(1125)
@pytest.mark.parametrize(("stays_s", "pace_s"), [(0.8, MIN_PACE_S), (1.5, 0.3), (10.0, MAX_PACE_S)])
def test_looks_of_a_busy_scene_are_as_far_apart_as_the_stay_of_its_objects_allows(stays_s, pace_s):
    rest = busy(stays_s=stays_s).rest(AT)
    assert rest is not None
    assert rest.seconds == pytest.approx(pace_s)
    assert rest.covers([(0.0, 0.0, 0.2, 0.2)])  # somebody new does not end it


@pytest.mark.req(1125)
def test_a_scene_that_calmed_down_is_no_longer_busy():
    pace = busy()
    assert pace.rest(AT + BUSY_S + 1) is None
    assert pace.plan([CAR], MOTION, AT + BUSY_S + 1, aspect=ASPECT) == LookPlan()


@pytest.mark.req(1126)
def test_between_two_looks_at_the_whole_the_first_model_looks_at_what_changed():
    pace = busy()
    plan = pace.plan([CAR], MOTION, AT + 0.4, aspect=ASPECT)
    left, top, width, height = plan.part
    assert plan.is_brief
    assert plan.enlarged == ()
    assert left <= 0.4 - 0.02
    assert top <= 0.5 - 0.02
    assert left + width >= 0.52 + 0.02
    assert top + height >= 0.6 + 0.02
    assert width * height < 0.2
    assert pace.plan([CAR], MOTION, AT + FULL_EVERY_S, aspect=ASPECT) == LookPlan()


@pytest.mark.req(1126)
def test_what_stood_still_for_long_is_left_to_looks_at_the_whole():
    parked = replace(CAR, box=(0.9, 0.9, 0.1, 0.1), is_stationary=True)
    left, _, width, _ = busy().plan([CAR, parked], MOTION, AT + 0.4, aspect=ASPECT).part
    assert left + width < 0.9


@pytest.mark.req(1126)
@pytest.mark.parametrize("motion", [(), ((0.0, 0.0, 0.9, 0.9),)], ids=["nothing moves", "nearly all moves"])
def test_where_a_part_saves_nothing_the_whole_is_looked_at(motion):
    assert busy().plan([], motion, AT + 0.4, aspect=ASPECT).part == WHOLE


@pytest.mark.req(1127)
def test_while_people_are_about_all_models_look():
    pace = busy()
    assert not pace.plan([CAR, replace(PERSON, last_seen=AT)], MOTION, AT + 0.4, aspect=ASPECT).is_brief
    assert not pace.plan([CAR], MOTION, AT + 0.8, aspect=ASPECT).is_brief
    pace.plan([CAR], MOTION, AT + 11, aspect=ASPECT)
    assert pace.plan([CAR], MOTION, AT + 11.4, aspect=ASPECT).is_brief


@pytest.mark.req(1127)
def test_a_person_in_doubt_brings_the_full_rate_back_and_is_enlarged_if_small():
    pace = busy()
    far = replace(PERSON, box=(0.45, 0.5, 0.01, 0.04))
    pace.see_doubted([far], AT)
    assert pace.rest(AT) is None
    assert pace.plan([CAR, far], MOTION, AT + 0.2, aspect=ASPECT).enlarged == (far.box,)
    pace.see_doubted([], AT + 0.4)
    assert pace.rest(AT + 2.4) is None
    assert pace.rest(AT + 2.6) is not None


@pytest.mark.req(1127)
def test_a_car_in_doubt_does_not():
    pace = busy()
    pace.see_doubted([replace(CAR, looks=1)], AT)
    assert pace.rest(AT) is not None


@pytest.mark.req(1127)
def test_a_person_near_enough_to_be_found_again_is_not_enlarged():
    pace = busy()
    pace.see_doubted([PERSON], AT)
    assert pace.plan([CAR, PERSON], MOTION, AT + 0.2, aspect=ASPECT).enlarged == ()
