"""Candidates from poses: who grapples, in which phase, and what to call it. What needs a model runs in `inference/`, confined."""

from sightline.techniques.pose.installed import HOW_TO_INSTALL, has_poses, installed_poses
from sightline.techniques.pose.learned_file import forget_learned, learned_path, write_learned
from sightline.techniques.pose.model_card import packaged_card
from sightline.techniques.pose.pose_process import open_pose_process

__all__ = [
    "HOW_TO_INSTALL",
    "forget_learned",
    "has_poses",
    "installed_poses",
    "learned_path",
    "open_pose_process",
    "packaged_card",
    "write_learned",
]
