"""Candidates from poses: who grapples, in which phase, and what to call it. What needs a model runs in `inference/`, confined."""

from sightline.techniques.pose.installed import has_poses

__all__ = ["has_poses"]
