"""The detector on this machine: models in one confined process that lives as long as the detector."""

import math
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from sightline.errors import InvalidInput
from sightline.jobs import ProcessCrashed, ProcessLimits, Sandbox, ServedProcess, ServiceSpec, open_served_process
from sightline.vision.detector import WHOLE, Box, DetectedObject, ModelCard, Picture
from sightline.vision.metrics import VisionMetrics
from sightline.vision.model_spec import ModelSpec
from sightline.vision.settings import VisionSettings

SERVICE = "sightline.vision.inference.service"
MAX_PICTURE_BYTES = 192 * 1024 * 1024
NICE = 2
"""Detection yields to requests of people, and goes before transcoding."""


class ProcessDetector:
    def __init__(self, served: ServedProcess, models: Sequence[ModelCard], metrics: VisionMetrics) -> None:
        self._served = served
        self._models = tuple(models)
        self._metrics = metrics

    @property
    def models(self) -> Sequence[ModelCard]:
        return self._models

    @property
    def problem(self) -> str | None:
        failure = self._served.start_failure
        return None if failure is None else str(failure)

    async def detect(
        self,
        picture: Picture,
        *,
        regions: Sequence[Box] = (),
        source: str = "",
        is_urgent: bool = False,
        part: Box = WHOLE,
        is_brief: bool = False,
    ) -> list[DetectedObject]:
        check_picture(picture)
        height, width = picture.shape[:2]
        header = {
            "width": width,
            "height": height,
            "regions": [list(map(float, region)) for region in regions],
            "part": list(map(float, part)),
            "is_brief": is_brief,
        }
        content = np.ascontiguousarray(picture).data.cast("B")
        with self._metrics.detection():
            result = await self._served.request(header, content, source=source, is_urgent=is_urgent)
        return parse_objects(result)


@asynccontextmanager
async def open_process_detector(
    settings: VisionSettings,
    specs: Sequence[ModelSpec],
    cards: Sequence[ModelCard],
    *,
    may_be_unconfined: bool,
    metrics: VisionMetrics,
) -> AsyncIterator[ProcessDetector]:
    files = [file for spec in specs for file in _files_of(Path(spec.file))]
    service = ServiceSpec(
        name="vision",
        opener=f"{SERVICE}:open_service",
        argument={
            "models": [asdict(spec) for spec in specs],
            "threads": settings.threads,
            "min_score": settings.min_score,
            "min_scores": settings.lowest_scores(),
            "objects": list(settings.objects),
            "max_overlap": settings.max_overlap,
            "max_tiles": settings.max_tiles,
        },
        sandbox=Sandbox(readable=tuple(map(str, files)), modules=(SERVICE,)),
        limits=ProcessLimits(memory_bytes=settings.memory_limit_bytes, nice=NICE, may_be_unconfined=may_be_unconfined),
        request_timeout_s=settings.timeout_s,
    )
    async with open_served_process(service) as served:
        yield ProcessDetector(served, cards, metrics)


def check_picture(picture: Picture) -> None:
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3 or 0 in picture.shape:
        raise InvalidInput(
            f"a picture is (height, width, 3) of uint8; this is {picture.dtype} {'×'.join(map(str, picture.shape))}"
        )
    if picture.nbytes > MAX_PICTURE_BYTES:
        raise InvalidInput(f"the picture has {picture.shape[1]}×{picture.shape[0]} pixels, more than can be looked at")


def parse_objects(result: Mapping[str, Any]) -> list[DetectedObject]:
    """The objects in the result of the process, which is not trusted: it has read a model file."""
    try:
        return [_object(str(label), *rest) for label, *rest in result["objects"]]
    except (KeyError, TypeError, ValueError) as error:
        raise ProcessCrashed("the detector sent a result that cannot be read") from error


def _object(label: str, score: float, box: Sequence[float], keypoints: Sequence[Sequence[float]]) -> DetectedObject:
    x, y, width, height = (float(one) for one in box)
    points = tuple((float(px), float(py), float(certainty)) for px, py, certainty in keypoints)
    values = (score, x, y, width, height, *(value for point in points for value in point))
    if len(label) > 100 or not all(map(math.isfinite, values)):
        raise ValueError(label)
    if not 0 <= score <= 1 or not all(-0.001 <= one <= 1.001 for one in (x, y, x + width, y + height)):
        raise ValueError(box)
    return DetectedObject(label, float(score), (x, y, width, height), points)


def _files_of(model: Path) -> list[Path]:
    """The model, and the files beside it that hold its weights if it is large."""
    beside = (model.with_name(model.name + ending) for ending in (".data", "_data"))
    return [model, *(file for file in beside if file.is_file())]
