"""The classifier that comes with the package, and its card: what it was trained on, how well it does, and what it cannot do."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sightline.errors import ConfigurationError
from sightline.techniques.pose.phase_windows import Calibration

DIRECTORY = Path(__file__).parent / "model"
CLASSIFIER = DIRECTORY / "pairs.onnx"
CARD = DIRECTORY / "pairs.json"


@dataclass(frozen=True, slots=True)
class ClassifierCard:
    sha256: str
    calibration: Calibration
    content: dict[str, Any]
    """Everything the card says."""


@cache
def packaged_card() -> ClassifierCard:
    """Raises `ConfigurationError` if the file is not the one that the card describes: its figures would be those of another."""
    content = json.loads(CARD.read_text(encoding="utf-8"))
    sha256 = hashlib.sha256(CLASSIFIER.read_bytes()).hexdigest()
    if content["sha256"] != sha256:
        raise ConfigurationError(
            f"{CLASSIFIER} has the SHA-256 {sha256}, and its card describes {content['sha256']}; install Sightline again"
        )
    return ClassifierCard(sha256, Calibration(**content["calibration"]["temperatures"]), content)
