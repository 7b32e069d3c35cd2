"""Sources of pictures: streams, motion JPEG, snapshots and clips, each read in a confined process."""

from sightline.cameras.sources.camera_process import (
    Alive,
    CameraLook,
    CameraMessage,
    CameraProcess,
    GateLearned,
    JpegPicture,
    LookOptions,
    NotRecorded,
    Opened,
    Resized,
    SegmentWritten,
)
from sightline.cameras.sources.open_source import SourceRequest, open_source
from sightline.cameras.sources.reach import HostAddresses
from sightline.cameras.sources.rest import Rest
from sightline.cameras.sources.trial import TriedSource, look_options, try_source

__all__ = [
    "Alive",
    "CameraLook",
    "CameraMessage",
    "CameraProcess",
    "GateLearned",
    "HostAddresses",
    "JpegPicture",
    "LookOptions",
    "NotRecorded",
    "Opened",
    "Resized",
    "Rest",
    "SegmentWritten",
    "SourceRequest",
    "TriedSource",
    "look_options",
    "open_source",
    "try_source",
]
