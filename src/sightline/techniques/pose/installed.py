"""What the analyzer of poses needs, and whether it is installed."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import structlog

from sightline.errors import PermanentFailure
from sightline.techniques.pose.learned_file import learned_path, read_learned
from sightline.techniques.pose.model_card import CLASSIFIER, ClassifierCard, packaged_card
from sightline.techniques.pose.pose_process import PoseFiles
from sightline.vision import POSE_MODEL, installed_pose_model

RUNTIME = "onnxruntime"
HOW_TO_INSTALL = (
    "The analyzer pose needs the model of poses; run `pip install 'sightline[vision]'` and "
    f"`sightline vision install {POSE_MODEL}`"
)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class InstalledPoses:
    files: PoseFiles
    card: ClassifierCard
    origin: str
    """Names the model that finds people."""


def has_poses(state_dir: Path | None) -> bool:
    """Whether the analyzer `pose` can run here. Reads no model."""
    return find_spec(RUNTIME) is not None and installed_pose_model(state_dir) is not None


def installed_poses(state_dir: Path | None, *, with_learned: bool = True) -> InstalledPoses | None:
    """None if something is missing; `HOW_TO_INSTALL` says what to do."""
    model = installed_pose_model(state_dir)
    if model is None or find_spec(RUNTIME) is None:
        return None
    card = packaged_card()
    files = PoseFiles(model.file, model.known.side, CLASSIFIER, _learned(state_dir, card) if with_learned else None)
    return InstalledPoses(files, card, f"{model.known.name}:{model.known.sha256[:16]}")


def _learned(state_dir: Path | None, card: ClassifierCard) -> Path | None:
    """What was learned here, unless it was learned on top of another classifier."""
    if state_dir is None or not learned_path(state_dir).is_file():
        return None
    file = learned_path(state_dir)
    try:
        is_of_this = read_learned(file).classifier_sha256 == card.sha256
    except PermanentFailure as error:
        log.warning("techniques.learned_unusable", file=str(file), error=error.message)
        return None
    if not is_of_this:
        log.warning(
            "techniques.learned_unusable", file=str(file), error="it belongs to another version of the classifier"
        )
        return None
    return file
