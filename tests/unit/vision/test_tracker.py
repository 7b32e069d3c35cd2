"""The tracker on scripted scenes: one object is one track."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.vision.tracking import Tracker, TrackingSettings
from support.walkers import Scene, Seen, Walker

LEFT_TO_RIGHT = Walker(x=0.05, y=0.8, dx=0.12)


@pytest.mark.req(537)
@pytest.mark.parametrize("looks_per_s", [1, 2, 5])
def test_one_person_who_walks_through_is_one_track(looks_per_s: float):
    scene = Scene([LEFT_TO_RIGHT], looks_per_s).run(15)
    assert len(scene.ids[0]) == 1
    [track] = scene.confirmed().values()
    assert track.label == "person"
    assert track.direction == "right"
    assert track.seconds > 5
    assert [ended.track_id for ended in scene.ended] == [track.track_id]


@pytest.mark.req(537)
@pytest.mark.parametrize("looks_per_s", [1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_two_people_who_cross_keep_their_tracks(looks_per_s: float, seed: int):
    right = Walker(x=0.1, y=0.8, dx=0.09)
    left = Walker(x=0.9, y=0.84, dx=-0.09, height=0.32)
    scene = Scene([right, left], looks_per_s, seed=seed).run(9)
    assert len(scene.confirmed()) == 2
    assert all(
        ids[0] == ids[-1] for ids in scene.ids.values()
    )  # in the very look where one is upon the other, who can tell


@pytest.mark.req(537)
@pytest.mark.parametrize("looks_per_s", [1, 2, 5])
@pytest.mark.parametrize("hidden_s", [1.0, 2.0, 3.0])
def test_a_person_behind_a_pillar_is_the_same_afterwards(looks_per_s: float, hidden_s: float):
    scene = Scene([Walker(x=0.1, y=0.8, dx=0.08, hidden=((4.0, 4.0 + hidden_s),))], looks_per_s).run(10)
    assert len(scene.ids[0]) == 1


@pytest.mark.req(537)
def test_two_people_of_whom_one_hides_the_other_while_they_cross_keep_their_tracks():
    front = Walker(x=0.1, y=0.86, dx=0.1, height=0.36)
    behind = Walker(x=0.9, y=0.8, dx=-0.1, hidden=((3.6, 4.4),))
    scene = Scene([front, behind]).run(8)
    assert len(scene.confirmed()) == 2
    assert all(ids[0] == ids[-1] for ids in scene.ids.values())


@pytest.mark.req(538)
def test_looks_that_miss_a_third_of_the_time_do_not_break_a_track():
    for seed in range(10):
        scene = Scene(
            [LEFT_TO_RIGHT, Walker(x=0.9, y=0.5, dx=-0.1, height=0.15, width=0.04)], missed=0.33, seed=seed
        ).run(8)
        assert len(scene.confirmed()) == 2, seed


@pytest.mark.req(538)
def test_gaps_between_looks_do_not_break_a_track():
    """The motion gate leaves looks out while a person stands."""
    tracker, ids = Tracker(), set()
    for at in (0.0, 0.2, 0.4, 0.6, 12.0, 12.2, 25.0, 25.2):
        ids |= {track.track_id for track in tracker.update(at, [Seen("person", 0.8, (0.4, 0.4, 0.08, 0.3))])}
    assert len(ids) == 1


@pytest.mark.req(538)
def test_a_track_ends_when_nothing_was_looked_at_for_long():
    tracker = Tracker()
    for at in (0.0, 0.2, 0.4):
        tracker.update(at, [Seen("person", 0.8, (0.4, 0.4, 0.08, 0.3))])
    assert tracker.ended(20.0) == []
    [ended] = tracker.ended(40.0)
    assert ended.is_confirmed
    assert tracker.live == []
    assert tracker.ended(41.0) == []


@pytest.mark.req(538)
def test_a_clock_that_goes_back_ends_all_tracks():
    tracker = Tracker()
    [before] = tracker.update(1000.0, [Seen("person", 0.8, (0.4, 0.4, 0.08, 0.3))])
    [after] = tracker.update(5.0, [Seen("person", 0.8, (0.4, 0.4, 0.08, 0.3))])
    assert before.track_id != after.track_id
    assert [track.track_id for track in tracker.ended(5.0)] == [before.track_id]


@pytest.mark.req(539)
def test_a_track_is_confirmed_by_its_third_look():
    tracker = Tracker()
    found = [tracker.update(at / 5, [Seen("person", 0.8, (0.4, 0.4, 0.08, 0.3))])[0].is_confirmed for at in range(4)]
    assert found == [False, False, True, True]


@pytest.mark.req(668)
def test_two_looks_are_enough_where_the_detector_is_sure():
    tracker = Tracker()
    [first] = tracker.update(0.0, [Seen("person", 0.95, (0.1, 0.5, 0.1, 0.3))])
    [second] = tracker.update(0.2, [Seen("person", 0.97, (0.11, 0.5, 0.1, 0.3))])
    assert (first.is_confirmed, second.is_confirmed, second.best_score) == (False, True, 0.97)


@pytest.mark.req(539)
def test_single_false_looks_are_never_confirmed():
    scene = Scene(
        [Walker(x=0.1 + 0.8 * (n % 2), y=0.4 + 0.5 * (n // 2 % 2), appears=n, leaves=n) for n in range(10)]
    ).run(12)
    assert scene.confirmed() == {}
    assert len(scene.ended) == 10


@pytest.mark.req(539)
def test_a_low_score_continues_a_track_but_never_begins_one():
    weak = Scene([Walker(x=0.1, y=0.8, dx=0.05, score=0.2)]).run(4)
    assert weak.updates == []
    fading = Scene([LEFT_TO_RIGHT]).run(6, lambda at, seen: Seen(seen.label, 0.2, seen.box) if at > 2 else seen)
    assert len(fading.ids[0]) == 1
    assert fading.updates[-1][0] > 5


@pytest.mark.req(540)
def test_a_label_is_the_one_with_the_most_votes():
    def flip(at: float, seen: Seen) -> Seen:
        return Seen("truck", seen.score, seen.box) if int(at * 5) % 4 == 3 else seen

    scene = Scene([Walker(x=0.1, y=0.8, dx=0.1, width=0.2, height=0.15, label="car")]).run(7, flip)
    assert len(scene.ids[0]) == 1
    assert {track.label for track in scene.confirmed().values()} == {"car"}
    assert 0.6 < scene.updates[-1][1].label_share < 0.9


@pytest.mark.req(540)
def test_a_dog_for_one_look_is_still_the_person():
    scene = Scene([LEFT_TO_RIGHT]).run(7, lambda at, seen: Seen("dog", 0.6, seen.box) if at == 2.0 else seen)
    assert len(scene.ids[0]) == 1
    assert scene.updates[-1][1].label == "person"


@pytest.mark.req(540)
def test_a_dog_beside_a_person_is_a_track_of_its_own():
    dog = Walker(x=0.12, y=0.8, dx=0.1, height=0.1, width=0.08, label="dog")
    scene = Scene([Walker(x=0.05, y=0.8, dx=0.1), dog]).run(7)
    assert sorted(track.label for track in scene.confirmed().values()) == ["dog", "person"]


@pytest.mark.req(540)
def test_one_thing_with_two_names_is_one_track():
    tracker = Tracker()
    for number in range(6):
        box = (0.2 + 0.02 * number, 0.5, 0.2, 0.15)
        both = [Seen("car", 0.7, box), Seen("truck", 0.5, (box[0] + 0.005, 0.5, 0.2, 0.15))]
        [track] = tracker.update(number / 5, both)
    assert track.label == "car"
    assert track.label_share == pytest.approx(0.7 / 1.2)


@pytest.mark.req(541)
@pytest.mark.parametrize("looks_per_s", [1, 5])
def test_what_stands_is_stationary_and_what_moves_again_is_not(looks_per_s: float):
    tracker = Tracker()

    def at(seconds: float) -> tuple[float, float, float, float]:
        return (0.3 + max(0.0, seconds - 30) * 0.08, 0.4, 0.2, 0.15)

    states = {}
    for number in range(int(36 * looks_per_s)):
        seconds = number / looks_per_s
        [track] = tracker.update(seconds, [Seen("car", 0.8, at(seconds))])
        states[seconds] = track
    assert not states[4.0].is_stationary
    assert states[20.0].is_stationary
    assert states[20.0].direction is None
    assert not states[35.0].is_stationary
    assert states[35.0].direction == "right"
    assert len({track.track_id for track in states.values()}) == 1


@pytest.mark.req(541)
def test_jitter_does_not_wake_what_stands():
    for seed in range(5):
        scene = Scene([Walker(x=0.4, y=0.7)], jitter=0.08, missed=0.1, seed=seed).run(60)
        assert len(scene.confirmed()) == 1
        later = [track for at, track in scene.updates if at > 15 and track.is_confirmed]
        assert all(track.is_stationary and track.direction is None for track in later), seed


@pytest.mark.req(541)
def test_a_parked_car_is_the_same_after_a_lorry_hid_it():
    parked = Walker(x=0.5, y=0.6, height=0.1, width=0.12, label="car", hidden=((20.0, 32.0),))
    scene = Scene([parked]).run(40)
    assert len(scene.ids[0]) == 1


@pytest.mark.req(541)
@pytest.mark.parametrize(
    ("dx", "dy", "direction"),
    [(0.1, 0, "right"), (-0.1, 0, "left"), (0, 0.15, "down"), (0, -0.15, "up"), (0.06, 0.11, "down_right")],
)
def test_the_direction_is_that_of_the_picture(dx: float, dy: float, direction: str):
    scene = Scene([Walker(x=0.5, y=0.6, dx=dx, dy=dy, height=0.2, width=0.05)]).run(2.6)
    assert scene.updates[-1][1].direction == direction


@pytest.mark.req(542)
def test_a_path_keeps_its_shape_in_few_points():
    tracker = Tracker()
    for number in range(400):  # along a corridor, around the corner, and back up
        at = number / 5
        x, y = (0.1 + 0.01 * at, 0.5) if at < 40 else (0.5, 0.5 + 0.01 * (at - 40))
        [track] = tracker.update(at, [Seen("person", 0.8, (x - 0.02, y - 0.2, 0.04, 0.2))])
    assert len(track.path) <= 33
    assert (track.path[0].x, track.path[0].y) == pytest.approx((0.1, 0.5))
    assert (track.path[-1].x, track.path[-1].y) == pytest.approx((0.5, 0.898))
    assert min(abs(point.x - 0.5) + abs(point.y - 0.5) for point in track.path) < 0.02  # the corner is kept
    assert [point.at for point in track.path] == sorted(point.at for point in track.path)


@pytest.mark.req(538)
def test_fifty_objects_are_fifty_tracks():
    walkers = [
        Walker(
            x=0.05 + 0.18 * (n % 5), y=0.1 + 0.09 * (n // 5), dx=0.008 * (1 if n % 2 else -1), height=0.07, width=0.02
        )
        for n in range(50)
    ]
    scene = Scene(walkers, missed=0.05).run(8)
    assert len(scene.confirmed()) == 50
    assert all(len(ids) == 1 for ids in scene.ids.values())


boxes = st.tuples(st.floats(-0.1, 1), st.floats(-0.1, 1), st.floats(0, 0.5), st.floats(0, 0.5))
looks = st.lists(
    st.builds(Seen, st.sampled_from(["person", "car", "truck", "dog"]), st.floats(0, 1), boxes), max_size=6
)


@pytest.mark.req(539)
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0.01, 40), looks), max_size=25))
def test_whatever_is_seen_each_look_belongs_to_one_track_and_each_track_ends_once(
    script: list[tuple[float, list[Seen]]],
):
    tracker, at = Tracker(TrackingSettings()), 0.0
    begun: set[str] = set()
    ended: list[str] = []
    for gap, seen in script:
        at += gap
        tracks = tracker.update(at, seen)
        assert len({track.track_id for track in tracks}) == len(tracks) <= len(seen)
        assert {track.box for track in tracks} <= {found.box for found in seen}
        for track in tracks:
            assert track.first_seen <= track.last_seen == at
            assert track.is_confirmed or track.looks < 3
            assert track.looks >= 2 or not track.is_confirmed
            assert 0 < track.label_share <= 1
            assert track.track_id not in ended
        begun |= {track.track_id for track in tracks}
        ended += [track.track_id for track in tracker.ended(at)]
    ended += [track.track_id for track in tracker.finish()]
    assert sorted(ended) == sorted(begun)
    assert tracker.live == []


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([2, 3, 5]), st.floats(0.02, 0.1), st.floats(0.08, 0.4))
def test_any_walk_is_one_track(seed: int, looks_per_s: float, dx: float, height: float):
    walker = Walker(x=0.02, y=0.6, dx=min(dx, height / 2), height=height, width=height / 4)
    scene = Scene([walker], looks_per_s, missed=0.1, seed=seed).run(10)
    assert len(scene.confirmed()) == 1


@pytest.mark.req(794)
@pytest.mark.parametrize(("dx", "dy"), [(0.75, 0.0), (0.0, -0.8), (-0.5, 0.5)], ids=["across", "away", "nearer"])
def test_a_car_that_passes_within_a_second_is_one_track(dx: float, dy: float):
    car = Walker(x=0.1 if dx > 0 else 0.7, y=0.9 if dy < 0 else 0.4, dx=dx, dy=dy, width=0.16, height=0.15, label="car")
    scene = Scene([car], 5).run(1.0)
    assert len(scene.ids[0]) == 1
    assert [track.label for track in scene.confirmed().values()] == ["car"]


@pytest.mark.req(797)
@pytest.mark.parametrize(("scores", "is_confirmed"), [((0.76, 0.98), True), ((0.9, 0.9), True), ((0.8, 0.9), False)])
def test_two_looks_confirm_by_how_unlikely_it_is_that_both_are_wrong(scores: tuple[float, float], is_confirmed: bool):
    tracker = Tracker()
    for number, score in enumerate(scores):
        tracks = tracker.update(number / 5, [Seen("person", score, (0.3 + number / 50, 0.3, 0.1, 0.3))])
    assert [track.is_confirmed for track in tracks] == [is_confirmed]
