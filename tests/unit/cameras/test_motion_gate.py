"""The motion gate on generated scenes: people open it, light and noise do not."""

import numpy as np
import pytest

from sightline.cameras.motion import Motion, MotionGate, restore_gate, save_gate
from support.camera_scenes import (
    HEIGHT,
    WIDTH,
    SceneCamera,
    infrared,
    lamp,
    leaves,
    person,
    pushed,
    rain,
    snow,
    timestamp,
)

PERSON_SPEED_PX = 1 / 1.7
"""Of a person's height, per second."""


def watch(camera: SceneCamera, seconds: float, gate: MotionGate | None = None) -> list[tuple[float, Motion]]:
    gate = gate or MotionGate()
    return [(at, gate.look(picture, at)) for at, picture in camera.looks(seconds)]


def opened(looks: list[tuple[float, Motion]]) -> list[float]:
    return [at for at, motion in looks if motion.is_open]


@pytest.mark.req(543)
def test_a_still_scene_never_opens_the_gate():
    assert opened(watch(SceneCamera(noise=4.0), 60)) == []


@pytest.mark.req(543)
@pytest.mark.parametrize("looks_per_s", [1, 2, 5])
@pytest.mark.parametrize("height", [10, 20, 60, 120, 170])
def test_a_walking_person_is_seen_where_they_are(height: int, looks_per_s: float):
    camera = SceneCamera(looks_per_s, layers=[person(height, appears=8, y=0.9 if height < 100 else 1.0)])
    looks = watch(camera, 8 + min(20.0, WIDTH / height * 1.7))
    seen = total = 0
    for at, motion in looks:
        x = -0.05 * WIDTH + (at - 8) * height * PERSON_SPEED_PX + height * 0.18
        if at > 9 and height * 0.2 < x < WIDTH - height * 0.2:
            total += 1
            seen += any(left * WIDTH - 2 <= x <= (left + width) * WIDTH + 2 for left, _, width, _ in motion.regions)
    assert total
    assert seen >= 0.8 * total


@pytest.mark.req(544)
@pytest.mark.parametrize("ramp_s", [0.01, 0.6])
def test_a_lamp_that_is_switched_is_light_and_not_motion(ramp_s: float):
    looks = watch(SceneCamera(layers=[lamp((10, 20), ramp_s=ramp_s)]), 30)
    assert opened(looks) == []
    changes = [at for at, motion in looks if motion.is_light_change]
    assert min(changes) == pytest.approx(10, abs=0.7)
    assert max(changes) == pytest.approx(20, abs=1.5)


@pytest.mark.req(544)
def test_a_person_who_walks_in_as_the_light_goes_on_is_seen():
    looks = watch(SceneCamera(layers=[person(60, appears=10, x=0.1, y=0.95), lamp((10,))]), 14)
    assert [at for at in opened(looks) if 10 <= at < 12.5]


@pytest.mark.req(544)
def test_the_infrared_filter_and_a_pushed_camera_are_scene_changes_and_not_motion():
    for layer in (infrared(10), pushed(10)):
        looks = watch(SceneCamera(layers=[layer]), 20)
        assert opened(looks) == []
        assert [at for at, motion in looks if motion.is_scene_change] == [10.0]


@pytest.mark.req(544)
def test_a_person_who_fills_half_of_the_picture_is_motion():
    looks = watch(SceneCamera(layers=[person(HEIGHT, appears=5, y=1.0)]), 9)
    assert len(opened(looks)) > 10


def test_a_picture_of_another_size_starts_again():
    gate = MotionGate()
    [*watch(SceneCamera(), 2, gate)]
    for at, picture in SceneCamera(layers=[]).looks(1, start=2):
        assert not gate.look(picture[::2, ::2].copy(), at).is_open


@pytest.mark.req(545)
def test_rain_and_snow_hardly_ever_open_the_gate_and_a_person_in_the_rain_does():
    for layer, most in ((rain(60), 3), (rain(200), 4), (snow(80), 20)):
        assert len(opened(watch(SceneCamera(layers=[layer]), 40))) <= most
    looks = watch(SceneCamera(layers=[person(60, appears=20, y=0.9), rain(120)]), 28)
    assert len([at for at in opened(looks) if at > 20]) > 15


@pytest.mark.req(545)
def test_a_tree_in_the_wind_does_not_open_the_gate_and_a_person_before_it_does():
    looks = watch(SceneCamera(layers=[leaves(wind=4), person(60, appears=40, x=0.5, y=0.75)]), 52)
    assert len([at for at in opened(looks) if 20 < at < 40]) <= 2
    assert len([at for at in opened(looks) if at > 41]) > 15  # of the 18 before they leave the picture


@pytest.mark.req(546)
def test_a_clock_in_the_picture_is_learned_and_forgotten_when_it_is_quiet():
    gate = MotionGate()
    looks = watch(SceneCamera(layers=[timestamp()]), 150, gate)
    assert [at for at in opened(looks) if at > 100] == []
    assert gate.learned_mask is not None
    assert gate.learned_mask.any()
    assert not gate.learned_mask[4:].any()
    for at, picture in SceneCamera(1.0).looks(400, start=150):
        gate.look(picture, at)
    assert not gate.learned_mask.any()


@pytest.mark.req(546)
def test_what_a_detector_sees_is_never_learned():
    [(_, scene)] = SceneCamera(1.0).looks(1)

    def learned_share(*, is_explained: bool) -> float:
        gate, chance = MotionGate(), np.random.default_rng(1)
        for number in range(500):
            picture, left = scene.copy(), 100 + int(chance.integers(0, 20))
            picture[60:100, left : left + 15] = 30 if number % 2 else 200
            gate.look(picture, number / 5)
            if is_explained:
                gate.explain([(0.25, 0.25, 0.25, 0.4)])
        assert gate.learned_mask is not None
        return float(gate.learned_mask.mean())

    assert learned_share(is_explained=False) > 0
    assert learned_share(is_explained=True) == 0


@pytest.mark.req(547)
def test_what_was_learned_outlives_a_restart():
    gate = MotionGate()
    watch(SceneCamera(layers=[timestamp()]), 130, gate)
    state = save_gate(gate)
    assert state is not None
    assert len(state) < 200_000
    resumed = MotionGate()
    assert restore_gate(resumed, state)
    looks = [(at, resumed.look(picture, at)) for at, picture in SceneCamera(layers=[timestamp()]).looks(30, start=130)]
    assert opened(looks) == []
    assert np.array_equal(resumed.learned_mask, gate.learned_mask)  # type: ignore[arg-type]


@pytest.mark.req(547)
@pytest.mark.parametrize("state", [b"", b"PK not a state", b"\x00" * 100])
def test_a_damaged_state_starts_anew(state: bytes):
    gate = MotionGate()
    assert not restore_gate(gate, state)
    assert gate.learned_mask is None
    assert save_gate(gate) is None


@pytest.mark.req(548)
def test_motion_inside_a_mask_or_outside_of_the_areas_that_count_is_ignored():
    masked = MotionGate(masks=[[(0.0, 0.4), (1.0, 0.4), (1.0, 1.0), (0.0, 1.0)]])
    camera = SceneCamera(layers=[person(60, appears=5, y=0.9)])
    assert opened(watch(camera, 15, masked)) == []
    assert min(opened(watch(camera, 15, MotionGate()))) < 8
    only = MotionGate(only_in=[[(0.6, 0.0), (1, 0.0), (1, 1.0), (0.6, 1.0)]])
    assert min(opened(watch(camera, 15, only))) > 9
