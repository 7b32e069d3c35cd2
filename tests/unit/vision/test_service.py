"""The service of the confined process: which models look, and how large a part is to them."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sightline.vision.inference.candidates import Candidates
from sightline.vision.inference.service import DetectionService
from sightline.vision.model_spec import ModelSpec

SETTINGS = {"max_overlap": 0.5, "max_tiles": 4, "min_score": 0.5, "min_scores": {}, "objects": ["all"]}


class Model(SimpleNamespace):
    """Sees one car in the middle of whatever it is shown."""

    def look(self, picture: np.ndarray, *, side: int) -> Candidates:
        self.looks.append((picture.shape[:2], side))
        return Candidates(np.array([[0.4, 0.4, 0.2, 0.2]], np.float32), np.array([[0.9]], np.float32))


def model(name: str, side: int) -> Model:
    return Model(spec=ModelSpec(name=name, file=name, side=side), labels=("car",), side=side, looks=[])


def look(models: Any, **header: Any) -> list[Any]:
    content = memoryview(bytes(80 * 160 * 3))
    request = {"width": 160, "height": 80, "regions": [], "part": [0.0, 0.0, 1.0, 1.0], "is_brief": False, **header}
    return list(DetectionService(models, SETTINGS)(request, content)["objects"])


@pytest.mark.req(1126)
def test_a_brief_look_is_made_by_the_first_model_alone():
    first, second = model("first", 512), model("second", 384)
    look([first, second], is_brief=True)
    assert (len(first.looks), len(second.looks)) == (1, 0)
    look([first, second])
    assert (len(first.looks), len(second.looks)) == (2, 1)


@pytest.mark.req(1126)
def test_a_part_is_shown_as_large_as_in_the_whole_picture_and_its_boxes_are_of_the_whole():
    only = model("only", 512)
    ((_, _, box, _),) = look([only], part=[0.5, 0.5, 0.5, 0.5])
    assert only.looks == [((40, 80), 256)]
    assert box == pytest.approx((0.7, 0.7, 0.1, 0.1))
