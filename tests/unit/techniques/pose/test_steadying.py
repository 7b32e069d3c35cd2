import numpy as np
import pytest

from sightline.techniques.pose.steadying import STEADY_MS, steadied_pairs
from support.posed_pairs import LOOK_MS, posed

LEFT_WRIST = 5


def looks_of(phase, count, *, pan=0.0):
    """Looks of one pair; the camera moves by `pan` of the picture's height from look to look."""
    return [posed(phase, shift=pan * number) for number in range(count)]


def times(count):
    return [number * LOOK_MS for number in range(count)]


def joints_of(pairs):
    return np.stack([np.stack([pair.first.joints, pair.second.joints]) for pair in pairs])


@pytest.mark.req(1155)
@pytest.mark.parametrize("pan", [0.0, 0.06])
def test_a_joint_that_one_look_misses_or_misplaces_is_where_the_looks_around_it_show_it(pan):
    truth = joints_of(looks_of("guard", 7, pan=pan))
    assert truth[:, 0, LEFT_WRIST, 2].all()
    seen = looks_of("guard", 7, pan=pan)
    seen[2].first.joints[LEFT_WRIST] = 0
    seen[4].first.joints[LEFT_WRIST, :2] += 0.4
    np.testing.assert_allclose(joints_of(steadied_pairs(times(7), seen)), truth, atol=1e-5)


@pytest.mark.req(1155)
def test_what_no_look_shows_stays_unknown():
    seen = looks_of("guard", 7)
    for pair in seen:
        pair.first.joints[LEFT_WRIST] = 0
    assert not joints_of(steadied_pairs(times(7), seen))[:, 0, LEFT_WRIST].any()


@pytest.mark.req(1155)
def test_looks_of_another_moment_are_not_taken_together():
    cut = [*looks_of("standing", 3), *looks_of("guard", 3)]
    np.testing.assert_allclose(joints_of(steadied_pairs(times(6), cut)), joints_of(cut), atol=1e-5)
    apart = looks_of("guard", 2)
    apart[0].first.joints[LEFT_WRIST] = 0
    found = joints_of(steadied_pairs([0, STEADY_MS + 1], apart))
    assert found[0, 0, LEFT_WRIST, 2] == 0
    assert joints_of(steadied_pairs([0, STEADY_MS], apart))[0, 0, LEFT_WRIST, 2] == 1


@pytest.mark.req(1155)
def test_nobody_is_steadied_where_no_pair_was_seen():
    assert steadied_pairs([], []) == []
