"""Which way up a picture is."""

from fractions import Fraction

import av
import numpy as np
import pytest
from av.filter import Graph

from sightline.media.input.orientation import Orientation, orientation_of_matrix
from support.coded_clip import draw, number_of

ONE = 65536


@pytest.mark.parametrize(
    ("abcd", "expected"),
    [
        ((1, 0, 0, 1), Orientation.UPRIGHT),
        ((-1, 0, 0, 1), Orientation.MIRRORED),
        ((1, 0, 0, -1), Orientation.FLIPPED),
        ((-1, 0, 0, -1), Orientation.UPSIDE_DOWN),
        ((0, 1, -1, 0), Orientation.TURN_CLOCKWISE),
        ((0, -1, 1, 0), Orientation.TURN_COUNTERCLOCKWISE),
        ((0, 1, 1, 0), Orientation.TRANSPOSED),
        ((0, -1, -1, 0), Orientation.TRANSPOSED_BACK),
    ],
)
def test_each_matrix_brings_its_picture_upright(abcd, expected):
    a, b, c, d = (value * ONE for value in abcd)
    assert orientation_of_matrix((a, b, 0, c, d, 0, 0, 0, 1 << 30)) is expected
    upright = draw(1234, 96, 64)
    stored = _undo(upright, *abcd)
    assert number_of(expected.upright(stored)) == 1234
    assert expected.swaps_sides == (stored.shape != upright.shape)


@pytest.mark.parametrize("orientation", Orientation)
def test_the_filters_do_the_same_as_the_arrays(orientation):
    picture = draw(777, 96, 64)
    graph = Graph()
    steps = [graph.add_buffer(width=96, height=64, format=av.VideoFormat("gray"), time_base=Fraction(1, 25))]
    steps += [graph.add(name, arguments) for name, arguments in orientation.filters]
    graph.link_nodes(*steps, graph.add("buffersink")).configure()
    frame = av.VideoFrame.from_ndarray(picture, format="gray")
    frame.pts = 0
    graph.push(frame)
    assert np.array_equal(graph.pull().to_ndarray(), orientation.upright(picture))


def test_a_skewed_matrix_counts_as_the_nearest():
    assert orientation_of_matrix((ONE, ONE // 3, 0, -ONE // 3, ONE, 0, 0, 0, 1 << 30)) is Orientation.UPRIGHT


def _undo(upright, a, b, c, d):
    """The stored picture whose pixel (x, y) is shown at (a x + c y, b x + d y), moved into the frame."""
    height, width = upright.shape
    far_x, far_y = (width - 1) * (a + c < 0), (height - 1) * (b + d < 0)
    y, x = np.indices((height, width) if a or d else (width, height))
    return upright[b * x + d * y + far_y, a * x + c * y + far_x]
