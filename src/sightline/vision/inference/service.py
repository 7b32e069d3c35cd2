"""The service of the confined process: opens the models once, then turns each picture into objects."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sightline.vision.detector import WHOLE, Box, Picture
from sightline.vision.inference.findings import Finding, chosen_objects, findings_of, merge
from sightline.vision.inference.model import OnnxModel
from sightline.vision.model_spec import ModelSpec
from sightline.vision.tiles import crop, tiles_around


def open_service(argument: dict[str, Any]) -> "DetectionService":
    models = [OnnxModel(ModelSpec.from_json(one), threads=argument["threads"]) for one in argument["models"]]
    return DetectionService(models, argument)


class DetectionService:
    """A `Handler` of `jobs.ServedProcess`."""

    def __init__(self, models: Sequence[OnnxModel], settings: Mapping[str, Any]) -> None:
        self._models = models
        self._settings = settings

    def __call__(self, header: dict[str, Any], content: memoryview) -> dict[str, Any]:
        picture = np.frombuffer(content, np.uint8).reshape(header["height"], header["width"], 3)
        regions = [(x, y, width, height) for x, y, width, height in header["regions"]]
        findings = merge(self._findings(picture, regions), self._settings["max_overlap"])
        objects = chosen_objects(
            findings,
            min_score=self._settings["min_score"],
            min_scores=self._settings["min_scores"],
            objects=self._settings["objects"],
        )
        return {"objects": [[one.label, one.score, one.box, one.keypoints] for one in objects]}

    def _findings(self, picture: Picture, regions: Sequence[Box]) -> list[Finding]:
        height, width = picture.shape[:2]
        found: list[Finding] = []
        for model in self._models:
            tiles = tiles_around(regions, width, height, side=model.side, max_tiles=self._settings["max_tiles"])
            for part in (WHOLE, *tiles):
                candidates = model.look(crop(picture, part))
                spec = model.spec
                found += findings_of(candidates, model.labels, spec.calibration, model=spec.name, part=part)
        return found
