"""Which looks at a track are reported, and episodes of motion."""

import pytest

from sightline.cameras.watch.motion_episodes import MotionEpisodes
from sightline.cameras.watch.sighting import SightingPolicy, is_touched
from sightline.vision import PathPoint, Track

BOX = (0.4, 0.4, 0.1, 0.2)


def track(at, *, box=BOX, first=None, looks=3, stationary=False, score=0.8):
    start = first or box
    path = (
        PathPoint(start[0] + start[2] / 2, start[1] + start[3], 0.0),
        PathPoint(box[0] + box[2] / 2, box[1] + box[3], at),
    )
    return Track("t", "person", 1.0, score, score, 0.0, at, box, path, looks, looks >= 3, stationary, None, 0.0)


@pytest.mark.req(565)
def test_a_parked_car_is_not_reported_and_one_that_moves_is():
    policy = SightingPolicy()
    assert [policy.see(track(at), [], [], at) for at in (0.0, 0.2, 0.4)] == [None, None, None]
    assert policy.see(track(0.6, box=(0.45, 0.4, 0.1, 0.2), first=BOX), [], [], 0.6) == 1


@pytest.mark.req(565)
def test_somebody_who_moves_in_their_place_is_reported_and_a_shadow_over_a_car_is_not():
    policy = SightingPolicy()
    region = (0.38, 0.38, 0.14, 0.24)
    assert policy.see(track(0.0, looks=1), [], [region], 0.0) is None
    assert policy.see(track(0.4), [], [region], 0.4) == 1
    assert not is_touched(BOX, [(0.4, 0.4, 0.02, 0.2)])


@pytest.mark.req(565)
def test_a_reported_track_is_reported_again_when_it_is_worth_it():
    policy = SightingPolicy()
    moved = {"first": (0.1, 0.4, 0.1, 0.2)}
    assert policy.see(track(0.0, **moved), [], [], 0.0) == 1
    assert policy.see(track(1.0, **moved), [], [], 1.0) is None
    assert policy.see(track(2.5, box=(0.4, 0.2, 0.3, 0.6), **moved), [], [], 2.5) == 2  # much larger
    assert policy.see(track(9.0, **moved), [], [], 9.0) is None
    assert policy.see(track(12.6, **moved), [], [], 12.6) == 3  # ten seconds later
    assert policy.see(track(40.0, stationary=True, **moved), [], [], 40.0) is None
    assert policy.act("t", 41.0) == 4
    assert policy.end(track(42.0, **moved)) == 5
    assert policy.end(track(42.0, **moved)) is None


@pytest.mark.req(571)
def test_motion_is_an_episode_and_a_flicker_is_none():
    episodes = MotionEpisodes(new_id=lambda: "m")
    region = ((0.1, 0.1, 0.2, 0.2),)
    assert [episodes.see(region, at) for at in (0.0, 5.0, 10.0)] == [None, None, None]
    assert episodes.see(region, 11.0) is None
    begun = episodes.see(region, 12.0)
    assert begun is not None
    assert (begun.track_id, begun.number, begun.seconds) == ("m", 1, 2.0)
    assert episodes.see(region, 14.0) is None
    again = episodes.see(region, 22.5)
    assert again is not None
    assert again.number == 2
    assert episodes.ended(30.0) is None
    over = episodes.ended(33.0)
    assert over is not None
    assert (over.number, over.is_end) == (3, True)
    assert episodes.ended(50.0) is None
