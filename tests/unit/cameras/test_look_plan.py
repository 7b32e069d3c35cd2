"""What looks at a busy scene take in: parts, by one model, and never at the cost of a person who is new."""

from dataclasses import replace

import pytest

from sightline.cameras.watch.look_plan import BUSY_S, FULL_EVERY_S, LookPlan, LookPlanner
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


def busy(at: float = AT) -> LookPlanner:
    """After three cars and a look at the whole picture."""
    planner = LookPlanner()
    for _ in range(3):
        planner.see_report(at)
    assert planner.plan([CAR], MOTION, at, aspect=ASPECT) == LookPlan()
    return planner


@pytest.mark.req(1125)
def test_a_scene_with_two_objects_is_looked_at_as_ever():
    planner = LookPlanner()
    planner.see_report(AT)
    planner.see_report(AT)
    assert [planner.plan([CAR], MOTION, AT + number / 5, aspect=ASPECT) for number in range(3)] == [LookPlan()] * 3


@pytest.mark.req(1125)
def test_a_scene_that_calmed_down_is_no_longer_busy():
    planner = busy()
    assert planner.plan([CAR], MOTION, AT + BUSY_S + 1, aspect=ASPECT) == LookPlan()


@pytest.mark.req(1126)
def test_between_two_looks_at_the_whole_the_first_model_looks_at_what_changed():
    planner = busy()
    plan = planner.plan([CAR], MOTION, AT + 0.4, aspect=ASPECT)
    left, top, width, height = plan.part
    assert plan.is_brief
    assert plan.enlarged == ()
    assert left <= 0.4 - 0.02
    assert top <= 0.5 - 0.02
    assert left + width >= 0.52 + 0.02
    assert top + height >= 0.6 + 0.02
    assert width * height < 0.2
    assert planner.plan([CAR], MOTION, AT + FULL_EVERY_S, aspect=ASPECT) == LookPlan()


@pytest.mark.req(1126)
def test_what_stood_still_for_long_is_left_to_looks_at_the_whole():
    parked = replace(CAR, box=(0.9, 0.9, 0.1, 0.1), is_stationary=True)
    left, _, width, _ = busy().plan([CAR, parked], MOTION, AT + 0.4, aspect=ASPECT).part
    assert left + width < 0.9


@pytest.mark.req(1126)
@pytest.mark.parametrize("motion", [(), ((0.0, 0.0, 0.9, 0.9),)], ids=["nothing moves", "nearly all moves"])
def test_where_a_part_saves_nothing_the_whole_is_looked_at_and_enlarged_as_elsewhere(motion):
    assert busy().plan([], motion, AT + 0.4, aspect=ASPECT) == LookPlan(WHOLE, is_brief=True, enlarged=None)


@pytest.mark.req(1127)
def test_while_people_are_about_all_models_look():
    planner = busy()
    assert not planner.plan([CAR, replace(PERSON, last_seen=AT)], MOTION, AT + 0.4, aspect=ASPECT).is_brief
    assert not planner.plan([CAR], MOTION, AT + 0.8, aspect=ASPECT).is_brief
    planner.plan([CAR], MOTION, AT + 11, aspect=ASPECT)
    assert planner.plan([CAR], MOTION, AT + 11.4, aspect=ASPECT).is_brief


@pytest.mark.req(1127)
def test_a_new_person_is_enlarged_if_too_small_to_be_found_again_in_the_part():
    planner = busy()
    near, far = PERSON, replace(PERSON, box=(0.45, 0.5, 0.01, 0.04))
    planner.see_new([near, far, replace(CAR, looks=1, box=far.box)])
    assert planner.plan([near, far], MOTION, AT + 0.2, aspect=ASPECT).enlarged == (far.box,)
    planner.see_new([replace(far, looks=5)])
    assert planner.plan([near, far], MOTION, AT + 0.4, aspect=ASPECT).enlarged == ()
