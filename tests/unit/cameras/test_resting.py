"""Rests between looks: taken while everything in the picture is known and followed steadily, and broken off by anything else."""

from dataclasses import replace

import pytest

from sightline.cameras.sources.rest import Rest, read_rest
from sightline.cameras.watch.resting import FAR_EVERY_S, REST_S, EmptyMotion, Enlarging, rest_after
from sightline.vision import Track

AT = 100.0
WALKER = Track(
    track_id="a",
    label="person",
    label_share=1.0,
    score=0.9,
    best_score=0.9,
    first_seen=98.0,
    last_seen=AT,
    box=(0.4, 0.3, 0.1, 0.4),
    path=(),
    looks=8,
    is_confirmed=True,
    is_stationary=False,
    direction="right",
    speed=0.2,
)
AROUND = ((0.39, 0.3, 0.12, 0.42),)
PARKED = replace(WALKER, track_id="car", box=(0.8, 0.8, 0.15, 0.15), is_stationary=True, speed=0.0, last_seen=90.0)


@pytest.mark.req(667)
def test_one_who_walks_steadily_is_looked_at_again_after_a_second_beside_a_parked_car():
    rest = rest_after([WALKER, PARKED], AROUND, AT)
    assert rest is not None
    assert rest.seconds == REST_S
    assert rest.covers([(0.5, 0.3, 0.1, 0.4)])  # where they will be
    assert not rest.covers([(0.1, 0.3, 0.1, 0.4)])  # where somebody else comes in
    assert read_rest(rest.to_json()) == rest


@pytest.mark.req(667)
@pytest.mark.parametrize(
    "tracks",
    [
        [],
        [PARKED],
        [replace(WALKER, is_confirmed=False)],
        [replace(WALKER, looks=3)],
        [replace(WALKER, last_seen=AT - 0.2)],
        [replace(WALKER, speed=2.0)],
        [WALKER, replace(WALKER, track_id="b", box=(0.45, 0.3, 0.1, 0.4), direction="left")],
    ],
    ids=["nobody", "nothing but parked", "unconfirmed", "new", "lost", "fast", "two who pass each other"],
)
def test_there_is_no_rest_while_anything_is_uncertain(tracks):
    assert rest_after(tracks, AROUND, AT) is None


@pytest.mark.req(792)
def test_two_who_walk_side_by_side_are_left_alone_like_one():
    assert rest_after([WALKER, replace(WALKER, track_id="b", box=(0.45, 0.3, 0.1, 0.4))], AROUND, AT) is not None


@pytest.mark.req(792)
def test_a_known_person_is_not_looked_for_enlarged_but_anybody_else_is():
    elsewhere = (0.05, 0.5, 0.05, 0.2)
    assert Enlarging().regions([WALKER], [*AROUND, elsewhere], AT + 0.2, aspect=16 / 9) == [elsewhere]
    assert Enlarging().regions([], AROUND, AT, aspect=16 / 9) == list(AROUND)
    unseen = replace(WALKER, last_seen=AT - 2)
    assert Enlarging().regions([unseen], AROUND, AT, aspect=16 / 9) == list(AROUND)


@pytest.mark.req(792)
def test_somebody_far_is_looked_for_enlarged_once_a_second():
    far = replace(WALKER, box=(0.4, 0.3, 0.02, 0.06), speed=0.0)
    around, enlarging = [(0.4, 0.3, 0.02, 0.06)], Enlarging()

    def is_enlarged(at: float) -> bool:
        return enlarging.regions([replace(far, last_seen=at)], around, at, aspect=16 / 9) == around

    looks = [is_enlarged(AT + number * (FAR_EVERY_S / 3 + 0.01)) for number in range(7)]
    assert looks == [True, False, False, True, False, False, True]


@pytest.mark.req(667)
def test_motion_that_no_track_explains_allows_no_rest():
    assert rest_after([WALKER], [*AROUND, (0.05, 0.5, 0.05, 0.2)], AT) is None


@pytest.mark.req(667)
@pytest.mark.parametrize(
    ("border", "rests"),
    [
        (((0.5, 0.0), (0.5, 1.0)), False),
        (((0.0, 0.75), (1.0, 0.75)), False),
        (((0.45, 0.68), (0.46, 0.69)), False),
        (((0.9, 0.0), (0.9, 1.0)), True),
        (((0.0, 0.1), (1.0, 0.1)), True),
    ],
)
def test_nobody_who_may_reach_a_line_or_the_edge_of_a_zone_is_left_alone(border, rests):
    assert (rest_after([WALKER], AROUND, AT, borders=[border]) is not None) == rests


@pytest.mark.req(669)
def test_motion_in_which_nothing_is_to_be_seen_is_looked_at_less_often_until_somebody_comes():
    rain = EmptyMotion()
    rests = [rain.rest_after(AT + number / 5, is_empty=True) for number in range(20)]
    assert [rest is not None for rest in rests] == [False] * 14 + [True] * 6
    assert rests[-1] is not None
    assert rests[-1].covers([(0.0, 0.0, 1.0, 1.0)])
    assert rain.rest_after(AT + 4.0, is_empty=False) is None
    assert rain.rest_after(AT + 4.2, is_empty=True) is None


@pytest.mark.req(669)
def test_motion_after_a_pause_is_new():
    leaves = EmptyMotion()
    for number in range(20):
        leaves.rest_after(AT + number / 5, is_empty=True)
    assert leaves.rest_after(AT + 10, is_empty=True) is None


def test_a_message_without_a_rest_asks_for_none():
    assert read_rest({}) is None
    assert Rest(0.5, ()).covers([])
