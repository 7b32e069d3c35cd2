"""Tracking: joins what a detector saw in one picture after another to objects with a path. Pure; time is given."""

from sightline.vision.tracking.track import PathPoint, SeenObject, Track
from sightline.vision.tracking.tracker import Tracker, TrackingSettings

__all__ = ["PathPoint", "SeenObject", "Track", "Tracker", "TrackingSettings"]
