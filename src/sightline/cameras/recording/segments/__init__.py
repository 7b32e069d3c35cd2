"""Segments: written inside the camera process, read by everything that stores and plays them."""

from sightline.cameras.recording.segment import MAX_SEGMENT_BYTES, MAX_SEGMENT_S, FinishedSegment
from sightline.cameras.recording.segments.picture_segments import PictureSegments
from sightline.cameras.recording.segments.segment_writer import SegmentWriter
from sightline.cameras.recording.segments.tracks import is_copyable

__all__ = [
    "MAX_SEGMENT_BYTES",
    "MAX_SEGMENT_S",
    "FinishedSegment",
    "PictureSegments",
    "SegmentWriter",
    "is_copyable",
]
