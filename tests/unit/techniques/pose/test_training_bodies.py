import sys
from pathlib import Path

import numpy as np
import pytest

from support.posed_pairs import people_of, posed

sys.path.insert(0, str(Path(__file__).parents[4] / "scripts"))

from grapplemap.bodies import bent, varied

BONES = np.array([(1, 3), (3, 5), (2, 4), (4, 6), (7, 9), (9, 11), (8, 10), (10, 12), (1, 2), (7, 8), (1, 7), (2, 8)])


def joints_in_room(count):
    """Pairs that lie in a plane of the room, on the mat, in metres."""
    flat = np.stack([one.joints for one in people_of(posed("guard"))])
    heights = flat[..., 1].max() - flat[..., 1]
    return np.repeat(np.stack([flat[..., 0], heights, np.zeros_like(heights)], axis=-1)[None], count, axis=0)


def lengths(joints):
    return np.linalg.norm(joints[:, :, BONES[:, 0]] - joints[:, :, BONES[:, 1]], axis=-1)


@pytest.mark.req(1157)
def test_bodies_are_bent_for_training_and_bones_keep_their_lengths_above_the_mat():
    drawn = joints_in_room(200)
    found = bent(drawn, np.random.default_rng(3))
    np.testing.assert_allclose(lengths(found), lengths(drawn), atol=1e-5)
    assert found[..., 1].min() >= -1e-6
    moved = np.linalg.norm(found - drawn, axis=-1).mean(axis=(0, 1))
    assert moved[5] > moved[3] > 0.02, "a wrist goes where its elbow goes, and further"


@pytest.mark.req(1157)
def test_the_same_seed_gives_the_same_bodies():
    first, second = (varied(joints_in_room(5), np.random.default_rng(4), 0.03) for _ in range(2))
    assert (first == second).all()
    assert not np.allclose(first[0], first[1])
