"""The service of the confined process: opens the models once, then turns each picture into objects."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sightline.vision.detector import Box, Picture
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
        x, y, width, height = header["part"]
        models = self._models[:1] if header["is_brief"] else self._models
        findings = merge(self._findings(models, picture, (x, y, width, height), regions), self._settings["max_overlap"])
        objects = chosen_objects(
            findings,
            min_score=self._settings["min_score"],
            min_scores=self._settings["min_scores"],
            objects=self._settings["objects"],
        )
        return {"objects": [[one.label, one.score, one.box, one.keypoints] for one in objects]}

    def _findings(
        self, models: Sequence[OnnxModel], picture: Picture, part: Box, regions: Sequence[Box]
    ) -> list[Finding]:
        height, width = picture.shape[:2]
        found: list[Finding] = []
        for model in models:
            tiles = tiles_around(regions, width, height, side=model.side, max_tiles=self._settings["max_tiles"])
            side = math.ceil(model.side * max(part[2] * width, part[3] * height) / max(width, height))
            looks = [(part, side), *((tile, model.side) for tile in tiles)]
            for looked_at, input_side in looks:
                candidates = model.look(crop(picture, looked_at), side=input_side)
                spec = model.spec
                found += findings_of(candidates, model.labels, spec.calibration, model=spec.name, part=looked_at)
        return found
