"""Behaviours: what a tracked object does on a camera's zones and lines. Pure; time is given."""

from sightline.cameras.behaviours.behaviour import BehaviourKind, BehaviourSettings, TrackBehaviour
from sightline.cameras.behaviours.behaviours import Behaviours

__all__ = ["BehaviourKind", "BehaviourSettings", "Behaviours", "TrackBehaviour"]
