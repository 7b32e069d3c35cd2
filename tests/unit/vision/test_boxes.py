"""Overlap of boxes, and boxes in parts of a picture."""

import numpy as np
import pytest

from sightline.vision.boxes import clip, from_part, overlaps


def boxes(*rows):
    return np.array(rows, np.float32)


@pytest.mark.req(529)
def test_overlap_is_intersection_over_union():
    found = overlaps(boxes(0, 0, 2, 2), boxes((0, 0, 2, 2), (1, 0, 2, 2), (2, 2, 1, 1), (5, 5, 1, 1)))
    assert found.tolist() == pytest.approx([1, 1 / 3, 0, 0])


def test_boxes_without_an_area_overlap_nothing():
    assert overlaps(boxes(0, 0, 0, 0), boxes((0, 0, 0, 0), (0, 0, 1, 1))).tolist() == [0, 0]


def test_a_box_is_cut_at_the_edges_of_the_picture():
    assert clip(boxes((-0.5, 0.5, 1.0, 1.0), (2, 2, 1, 1))).tolist() == [[0, 0.5, 0.5, 0.5], [1, 1, 0, 0]]


def test_a_box_in_a_tile_is_a_box_of_the_picture():
    found = from_part(boxes((0, 0, 1, 1), (0.5, 0.5, 0.5, 0.25)), (0.2, 0.4, 0.1, 0.2))
    assert found[0].tolist() == pytest.approx([0.2, 0.4, 0.1, 0.2])
    assert found[1].tolist() == pytest.approx([0.25, 0.5, 0.05, 0.05])
