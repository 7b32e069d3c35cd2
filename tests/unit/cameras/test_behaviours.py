"""Behaviours on scripted scenes: entering, leaving, crossing, loitering, leaving things behind."""

from collections.abc import Sequence

import pytest

from sightline.cameras import Behaviours, BehaviourSettings, Line, TrackBehaviour, Zone
from sightline.vision import Tracker
from support.walkers import Seen, Walker

DOOR = Zone("door", "entry", ((0.4, 0.5), (0.6, 0.5), (0.6, 1.0), (0.4, 1.0)), loiter_s=30)
GATE = Line("gate", (0.5, 0.2), (0.5, 1.0))
"""From top to bottom: who walks to the left in the picture goes to the right of it."""


def run(
    behaviours: Behaviours, walkers: Sequence[Walker], seconds: float, looks_per_s: float = 5.0
) -> list[TrackBehaviour]:
    tracker, found = Tracker(), []
    for number in range(int(seconds * looks_per_s)):
        at = number / looks_per_s
        seen = [Seen(walker.label, walker.score, box) for walker in walkers if (box := walker.box(at)) is not None]
        for track in tracker.update(at, seen):
            found += behaviours.see(track, at)
        for track in tracker.ended(at):
            found += behaviours.end(track, at)
        found += behaviours.pass_time(at)
    return found


def kinds(found: Sequence[TrackBehaviour]) -> list[str]:
    return [behaviour.kind for behaviour in found]


@pytest.mark.req(549)
@pytest.mark.parametrize("looks_per_s", [1, 2, 5])
def test_a_person_who_walks_through_a_zone_enters_and_leaves_it_once(looks_per_s: float):
    found = run(Behaviours([DOOR]), [Walker(x=0.1, y=0.8, dx=0.06)], 12, looks_per_s)
    assert kinds(found) == ["entered_zone", "left_zone"]
    assert found[1].seconds == pytest.approx(0.2 / 0.06, abs=2.5 / looks_per_s)
    assert {behaviour.zone for behaviour in found} == {"door"}


@pytest.mark.req(549)
def test_a_person_who_stands_on_the_border_does_not_enter_again_and_again():
    tracker, behaviours, found = Tracker(), Behaviours([DOOR]), []
    for number, shift in enumerate([0.005, -0.004, 0.006, -0.006, 0.003, -0.005] * 20):
        for track in tracker.update(number / 5, [Seen("person", 0.8, (0.4 - 0.035 + shift, 0.5, 0.07, 0.3))]):
            found += behaviours.see(track, number / 5)
    assert found == []


@pytest.mark.req(549)
def test_a_person_who_leaves_the_picture_inside_a_zone_has_left_it():
    found = run(Behaviours([DOOR]), [Walker(x=0.5, y=0.8, leaves=5)], 12)
    assert kinds(found) == ["entered_zone", "left_zone"]


@pytest.mark.req(550)
@pytest.mark.parametrize("looks_per_s", [1, 2, 5])
@pytest.mark.parametrize(("x", "dx", "direction"), [(0.1, 0.08, "to_left"), (0.9, -0.08, "to_right")])
def test_a_crossed_line_has_a_direction(looks_per_s: float, x: float, dx: float, direction: str):
    found = run(Behaviours(lines=[GATE]), [Walker(x=x, y=0.8, dx=dx)], 10, looks_per_s)
    assert [(behaviour.kind, behaviour.zone, behaviour.direction) for behaviour in found] == [
        ("line_crossed", "gate", direction)
    ]


@pytest.mark.req(550)
def test_only_the_direction_of_a_one_way_line_counts():
    one_way = Line("gate", GATE.start, GATE.end, "to_right")
    assert run(Behaviours(lines=[one_way]), [Walker(x=0.1, y=0.8, dx=0.08)], 10) == []
    assert kinds(run(Behaviours(lines=[one_way]), [Walker(x=0.9, y=0.8, dx=-0.08)], 10)) == ["line_crossed"]


@pytest.mark.req(550)
def test_who_walks_past_the_end_of_a_line_does_not_cross_it():
    short = Line("gate", (0.5, 0.2), (0.5, 0.6))
    assert run(Behaviours(lines=[short]), [Walker(x=0.1, y=0.8, dx=0.08)], 10) == []


@pytest.mark.req(550)
def test_who_stands_on_a_line_does_not_cross_it():
    tracker, behaviours, found = Tracker(), Behaviours(lines=[GATE]), []
    for number in range(50):
        x = 0.5 + (0.008 if number % 2 else -0.008)
        for track in tracker.update(number / 5, [Seen("person", 0.8, (x - 0.035, 0.5, 0.07, 0.3))]):
            found += behaviours.see(track, number / 5)
    assert found == []


@pytest.mark.req(550)
def test_a_line_crossed_before_the_track_is_confirmed_counts_when_it_is():
    found = run(Behaviours(lines=[GATE]), [Walker(x=0.47, y=0.8, dx=0.3)], 1.4)
    assert kinds(found) == ["line_crossed"]
    assert run(Behaviours(lines=[GATE]), [Walker(x=0.47, y=0.8, dx=0.3, leaves=0.3)], 8) == []


@pytest.mark.req(551)
def test_who_stays_too_long_loiters_once():
    found = run(Behaviours([DOOR]), [Walker(x=0.5, y=0.8)], 80)
    assert kinds(found) == ["entered_zone", "loitering"]
    assert found[1].at == pytest.approx(30, abs=0.5)
    assert found[1].as_attributes() == {"kind": "loitering", "zone": "door", "seconds": pytest.approx(30, abs=0.5)}


@pytest.mark.req(551)
def test_loitering_goes_on_while_nobody_looks():
    tracker, behaviours, found = Tracker(), Behaviours([DOOR]), []
    for at in (0.0, 0.2, 0.4, 0.6):
        for track in tracker.update(at, [Seen("person", 0.8, (0.46, 0.5, 0.07, 0.3))]):
            found += behaviours.see(track, at)
    assert kinds(behaviours.pass_time(20.0)) == []
    assert kinds(behaviours.pass_time(31.0)) == ["loitering"]
    assert kinds(behaviours.pass_time(60.0)) == []


@pytest.mark.req(551)
def test_a_parked_car_does_not_loiter_and_a_zone_may_not_care():
    car = Walker(x=0.5, y=0.8, label="car", width=0.15, height=0.1)
    assert kinds(run(Behaviours([DOOR]), [car], 60)) == ["entered_zone"]
    careless = Zone("hall", "public", DOOR.polygon)
    assert kinds(run(Behaviours([careless]), [Walker(x=0.5, y=0.8)], 60)) == ["entered_zone"]


BAG = Walker(x=0.52, y=0.8, label="suitcase", width=0.05, height=0.08, appears=20)
OWNER = Walker(x=0.5, y=0.8, appears=5, leaves=30)


@pytest.mark.req(552)
def test_a_suitcase_whose_person_left_is_left_behind():
    found = run(Behaviours(), [OWNER, BAG], 90)
    assert [(behaviour.kind, behaviour.label) for behaviour in found] == [("left_behind", "suitcase")]
    assert found[0].at > 30 + 20
    assert found[0].owner_track_id is not None


@pytest.mark.req(552)
def test_a_suitcase_beside_its_person_is_not_left_behind():
    assert run(Behaviours(), [Walker(x=0.5, y=0.8), BAG], 90) == []


@pytest.mark.req(552)
def test_a_suitcase_that_moves_with_its_person_is_not_left_behind():
    moving = Walker(x=0.12, y=0.8, dx=0.05, label="suitcase", width=0.05, height=0.08)
    assert run(Behaviours(), [Walker(x=0.1, y=0.8, dx=0.05), moving], 40) == []


@pytest.mark.req(552)
def test_what_was_there_from_the_start_belongs_there():
    shelf = Walker(x=0.52, y=0.8, label="suitcase", width=0.05, height=0.08)
    assert run(Behaviours(), [shelf], 120) == []


@pytest.mark.req(552)
def test_what_stood_long_and_is_gone_was_removed_if_that_is_asked_for():
    bicycle = Walker(x=0.3, y=0.8, label="bicycle", width=0.1, height=0.1, leaves=80)
    assert kinds(run(Behaviours(), [bicycle], 125)) == []
    found = run(Behaviours(settings=BehaviourSettings(reports_removed=True)), [bicycle], 125)
    assert [(behaviour.kind, behaviour.label) for behaviour in found] == [("removed", "bicycle")]
