"""How a model file is used. Crosses to the confined process as JSON, and is read there without its libraries."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    name: str
    file: str
    side: int
    """In pixels, of the longer side of the input, where the model takes any size."""
    labels: tuple[str, ...] = ()
    """Empty: those in the file, or COCO's."""
    form: str = "auto"
    calibration: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """By group: slope and offset on the logit of the score."""

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> "ModelSpec":
        calibration = {group: (slope, offset) for group, (slope, offset) in given["calibration"].items()}
        return cls(**{**given, "labels": tuple(given["labels"]), "calibration": calibration})
