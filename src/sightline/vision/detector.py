"""The detector interface: a picture in, labelled boxes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # settings are read by every process, most of which look at no picture
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    """(height, width, 3), red green blue."""
else:
    Picture = Any

Box = tuple[float, float, float, float]
"""x, y, width and height from 0 to 1 of the picture."""
WHOLE: Box = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class DetectedObject:
    label: str
    """A class such as `car`, or a general word such as `vehicle` where the class is uncertain."""
    score: float
    """How often such a detection is right, from 0 to 1; calibrated for the default models."""
    box: Box
    keypoints: tuple[tuple[float, float, float], ...] = ()
    """Of a person whose pose is known: x, y and certainty of the 17 points of COCO, nose first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """What a model is, and what it cannot do."""

    name: str
    purpose: str
    file: str
    """Path of the file, or the address of a server."""
    sha256: str | None
    """None for a server, which has files of its own."""
    labels: tuple[str, ...]
    """Empty if only the server knows them."""
    licence: str
    source: str
    """Where the weights came from."""
    cannot_see: tuple[str, ...]
    is_calibrated: bool


@dataclass(frozen=True, slots=True)
class DetectorStatus:
    is_installed: bool
    how_to_install: str | None
    """One line; None if it is installed."""
    models: tuple[ModelCard, ...]
    summary: str
    """One line for people: what detects, or that nothing does."""
    error: str | None = None
    """Why what is configured cannot work."""


class Detector(Protocol):
    @property
    def models(self) -> Sequence[ModelCard]: ...

    @property
    def problem(self) -> str | None:
        """Why it could not start when it was last asked; None if it could, or was not asked yet."""
        ...

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
        """Objects in the picture, the most certain first. Repetitions are removed, and what is too uncertain for its class.

        `regions` are where something moved: small far objects are looked for in tiles around them. `source` names the camera or
        video; sources take turns, those with an urgent picture before the others. Of a part, what lies in it
        is found, as large as in the whole picture. A brief look is made by the first model alone, where there are several: it
        knows all classes, and the others are surer of some. Safe to cancel. Raises `InvalidInput` for an
        array that is no picture, `PermanentFailure` for a model that cannot be used, and `TransientFailure` when the detector
        died or does not respond.
        """
        ...
