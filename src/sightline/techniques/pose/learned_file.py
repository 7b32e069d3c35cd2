"""What an installation learned from corrections: a small layer on top of the classifier, in a file of its own.

The classifier of the package stays as it is. A layer belongs to the classifier with the hash that it names, and is left aside when
another one is installed.
"""

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sightline.errors import PermanentFailure
from sightline.linux import write_whole

FILE_NAME = "learned.npz"


@dataclass(frozen=True, slots=True)
class LearnedLayer:
    classifier_sha256: str
    weights: NDArray[np.float32]
    """(hidden, outputs): what is added to the logits."""
    biases: NDArray[np.float32]
    corrections: int
    """How many corrections it was learned from."""

    def of(self, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
        found: NDArray[np.float32] = hidden @ self.weights + self.biases
        return found


def learned_path(state_dir: Path) -> Path:
    return state_dir.absolute() / "techniques" / FILE_NAME


def forget_learned(state_dir: Path) -> bool:
    """Removes what was learned; False if there was nothing."""
    is_there = learned_path(state_dir).is_file()
    learned_path(state_dir).unlink(missing_ok=True)
    return is_there


def write_learned(file: Path, layer: LearnedLayer) -> None:
    content = io.BytesIO()
    np.savez_compressed(
        content,
        classifier_sha256=np.array(layer.classifier_sha256),
        weights=layer.weights,
        biases=layer.biases,
        corrections=np.array(layer.corrections),
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, content.getvalue())


def read_learned(file: Path) -> LearnedLayer:
    try:
        with np.load(file, allow_pickle=False) as found:
            return LearnedLayer(
                str(found["classifier_sha256"]),
                found["weights"].astype(np.float32),
                found["biases"].astype(np.float32),
                int(found["corrections"]),
            )
    except (OSError, ValueError, KeyError) as error:
        raise PermanentFailure(
            f"{file} cannot be read: {error}; remove it, or run `sightline techniques learn` again"
        ) from error
