"""The pose model, inside the confined process: views of a picture in, people with their poses out."""

from collections.abc import Iterable

from sightline.vision.detector import Picture
from sightline.vision.inference.model import OnnxModel
from sightline.vision.model_spec import ModelSpec
from sightline.vision.models.errors import BadModel
from sightline.vision.poses.people import PosedPerson, merge_people
from sightline.vision.poses.views import PictureView

MIN_PERSON_SCORE = 0.1
"""Far below what counts as a person elsewhere: of two people in a knot, one is hardly seen."""


class PoseModel:
    """Raises `BadModel` for a file that finds no poses."""

    def __init__(self, file: str, *, side: int, threads: int) -> None:
        self._model = OnnxModel(ModelSpec(name="poses", file=file, side=side, labels=("person",)), threads=threads)

    def people(self, picture: Picture, views: Iterable[PictureView]) -> list[PosedPerson]:
        aspect = picture.shape[1] / picture.shape[0]
        found: list[PosedPerson] = []
        for view in views:
            candidates = self._model.look(view.of(picture))
            if candidates.keypoints is None:
                raise BadModel("the model of poses finds boxes and no poses")
            for scores, points in zip(candidates.scores, candidates.keypoints, strict=True):
                if scores.max() >= MIN_PERSON_SCORE:
                    found.append(PosedPerson(float(scores.max()), view.to_picture(points), aspect))
        return merge_people(found)
