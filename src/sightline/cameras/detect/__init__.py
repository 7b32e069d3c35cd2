"""People and objects in videos: the job `detect`, and the tracks that it stores."""

from sightline.cameras.detect.detect import NOT_INSTALLED, CameraOfVideo, DetectJob, EpisodeLimits
from sightline.cameras.detect.sightings import VideoSighting
from sightline.cameras.detect.tracks_store import VideoTrack, tracks_of_video

__all__ = [
    "NOT_INSTALLED",
    "CameraOfVideo",
    "DetectJob",
    "EpisodeLimits",
    "VideoSighting",
    "VideoTrack",
    "tracks_of_video",
]
