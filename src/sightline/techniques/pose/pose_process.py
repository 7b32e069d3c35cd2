"""The confined process that finds poses and classifies pairs, from the side of the worker."""

import math
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.jobs import ProcessCrashed, ProcessLimits, Sandbox, ServedProcess, ServiceSpec, open_served_process
from sightline.techniques.pose.pairing import Pair
from sightline.techniques.pose.people import Colour, SeenPerson
from sightline.techniques.pose.phase_windows import OUTPUT_COUNT
from sightline.techniques.pose.skeleton import JOINT_COUNT
from sightline.vision import Picture, VisionSettings

SERVICE = "sightline.techniques.pose.inference.service"
NICE = 5
"""Analysis yields to requests of people and to cameras."""
MAX_PEOPLE = 64

Values = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PoseFiles:
    """The files that the process reads."""

    pose_model: Path
    side: int
    classifier: Path
    learned: Path | None = None


class PoseProcess:
    def __init__(self, served: ServedProcess) -> None:
        self._served = served

    async def people(self, picture: Picture, *, source: str = "") -> list[SeenPerson]:
        """The people in a picture. Raises as `Detector.detect` does."""
        height, width = picture.shape[:2]
        header = {"kind": "people", "width": width, "height": height}
        content = np.ascontiguousarray(picture).data.cast("B")
        return parse_people(await self._served.request(header, content, source=source))

    async def classify(self, pairs: Sequence[Pair], *, source: str = "") -> Values:
        """(pairs, OUTPUT_COUNT): logits."""
        return (await self._classified(pairs, source, needs_hidden=False))[0]

    async def hidden(self, pairs: Sequence[Pair], *, source: str = "") -> tuple[Values, Values]:
        """Logits, and the last hidden layer of the classifier, which `learn` adds to."""
        return await self._classified(pairs, source, needs_hidden=True)

    async def _classified(self, pairs: Sequence[Pair], source: str, *, needs_hidden: bool) -> tuple[Values, Values]:
        if not pairs:
            return np.zeros((0, OUTPUT_COUNT), np.float32), np.zeros((0, 0), np.float32)
        joints = np.stack([np.stack([pair.first.joints, pair.second.joints]) for pair in pairs]).astype(np.float32)
        header = {"kind": "classify", "hidden": needs_hidden}
        result = await self._served.request(header, np.ascontiguousarray(joints).data.cast("B"), source=source)
        logits = _values(result.get("logits"), len(pairs))
        if logits.shape[1] != OUTPUT_COUNT:
            raise _unreadable()
        return logits, _values(result.get("hidden"), len(pairs)) if needs_hidden else logits[:, :0]


@asynccontextmanager
async def open_pose_process(
    files: PoseFiles, settings: VisionSettings, *, may_be_unconfined: bool
) -> AsyncIterator[PoseProcess]:
    """Starts with the first picture, and ends with the block."""
    readable = [str(file) for file in (files.pose_model, files.classifier, files.learned) if file is not None]
    service = ServiceSpec(
        name="poses",
        opener=f"{SERVICE}:open_service",
        argument={
            "pose_model": str(files.pose_model),
            "side": files.side,
            "classifier": str(files.classifier),
            "learned": None if files.learned is None else str(files.learned),
            "threads": settings.threads,
        },
        sandbox=Sandbox(readable=tuple(readable), modules=(SERVICE,)),
        limits=ProcessLimits(memory_bytes=settings.memory_limit_bytes, nice=NICE, may_be_unconfined=may_be_unconfined),
        request_timeout_s=settings.timeout_s,
    )
    async with open_served_process(service) as served:
        yield PoseProcess(served)


def parse_people(result: Mapping[str, Any]) -> list[SeenPerson]:
    """The people in the result of the process, which is not trusted: it has read a model file."""
    try:
        people = result["people"]
        if not isinstance(people, list) or len(people) > MAX_PEOPLE:
            raise ValueError(people)
        return [_person(*one) for one in people]
    except (KeyError, TypeError, ValueError) as error:
        raise _unreadable() from error


def _person(joints: Any, upper: Any, lower: Any) -> SeenPerson:
    found = np.array(joints, np.float32)
    if found.shape != (JOINT_COUNT, 3) or not np.isfinite(found).all() or not np.isin(found[:, 2], (0, 1)).all():
        raise ValueError(joints)
    return SeenPerson(found, _colour(upper), _colour(lower))


def _colour(given: Any) -> Colour | None:
    if given is None:
        return None
    red, green, blue = (int(one) for one in given)
    if not all(0 <= one <= 255 for one in (red, green, blue)):
        raise ValueError(given)
    return red, green, blue


def _values(given: Any, count: int) -> Values:
    try:
        found = np.array(given, np.float32)
    except (TypeError, ValueError) as error:
        raise _unreadable() from error
    if found.ndim != 2 or len(found) != count or not math.isfinite(float(np.abs(found).sum())):
        raise _unreadable()
    return found


def _unreadable() -> ProcessCrashed:
    return ProcessCrashed("the process that finds poses sent a result that cannot be read")
