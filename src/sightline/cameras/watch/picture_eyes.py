"""The eyes for single pictures: a camera that uploads one has seen something, so each object in it is reported at once."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from uuid import UUID, uuid5

import numpy as np
from numpy.typing import NDArray

from sightline.cameras.shapes import Shapes
from sightline.cameras.sources import CameraLook
from sightline.cameras.watch.eyes import Encode, moment
from sightline.cameras.watch.leases_store import WatchedCamera
from sightline.cameras.watch.motion_episodes import MOTION_LABEL, MOTION_SCORE
from sightline.cameras.watch.sighting import CameraSighting
from sightline.geometry import Box, foot_of, shared_area
from sightline.vision import Detector

SAME_PLACE = 0.8
"""An object whose box shares so much with one of the last picture stands where it stood, such as a parked car."""


class PictureEyes:
    """One per camera. `file_id` names the file, so that looking again gives the same sightings."""

    def __init__(
        self,
        camera: WatchedCamera,
        detector: Detector | None,
        shapes: Shapes,
        *,
        labels: Collection[str],
        encode: Encode,
    ) -> None:
        self._camera = camera
        self._detector = detector
        self._shapes = shapes
        self._labels = frozenset(labels)
        self._encode: Callable[[NDArray[np.uint8]], bytes] = encode
        self._last: list[tuple[str, Box]] = []

    async def look(self, look: CameraLook, at: float, file_id: UUID) -> list[CameraSighting]:
        source = self._camera.source
        if self._detector is None or not source.detects:
            if self._detector is not None or not source.reports_motion:
                return []
            picture = await asyncio.to_thread(self._encode, look.picture)
            return [self._sighting(file_id, 0, MOTION_LABEL, MOTION_SCORE, (0.0, 0.0, 1.0, 1.0), at, picture, ())]
        found = await self._detector.detect(look.picture, regions=(), source=str(self._camera.camera_key))
        objects = [one for one in found if one.label in self._labels and self._shapes.counts(foot_of(one.box))]
        fresh = [one for one in objects if not is_in_place(one.label, one.box, self._last)]
        self._last = [(one.label, one.box) for one in objects]
        if not fresh:
            return []
        picture = await asyncio.to_thread(self._encode, look.picture)
        models = [card.name for card in self._detector.models]
        return [
            self._sighting(file_id, index, one.label, one.score, one.box, at, picture, models)
            for index, one in enumerate(fresh)
        ]

    def _sighting(
        self,
        file_id: UUID,
        index: int,
        label: str,
        score: float,
        box: Box,
        at: float,
        picture: bytes,
        models: Sequence[str],
    ) -> CameraSighting:
        track_id = str(uuid5(file_id, str(index)))
        attributes = {"track_id": track_id, "behaviours": []} | ({"model": "+".join(models)} if models else {})
        return CameraSighting(
            camera_key=self._camera.camera_key,
            camera_id=self._camera.camera_id,
            label=label,
            score=score,
            at=moment(at),
            box=box,
            track_id=track_id,
            number=1,
            picture=picture,
            attributes=attributes,
        )


def is_in_place(label: str, box: Box, others: Sequence[tuple[str, Box]]) -> bool:
    """Pure."""
    for other_label, other in others:
        shared = shared_area(box, other)
        union = box[2] * box[3] + other[2] * other[3] - shared
        if label == other_label and union > 0 and shared / union >= SAME_PLACE:
            return True
    return False
