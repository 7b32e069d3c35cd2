"""Clips of events: cut from what a camera recorded, without transcoding."""

from sightline.cameras.recording.clips.clip import ClipState, EventClip
from sightline.cameras.recording.clips.clip_job import RecordingClipJob
from sightline.cameras.recording.clips.expiry import EventClipSweep, KnownEvents
from sightline.cameras.recording.clips.requests import (
    clip_of_event,
    enqueue_clip,
    enqueue_clip_if_recorded,
    is_being_recorded,
)
from sightline.cameras.recording.clips.store import event_clip_states, find_event_clip

__all__ = [
    "ClipState",
    "EventClip",
    "EventClipSweep",
    "KnownEvents",
    "RecordingClipJob",
    "clip_of_event",
    "enqueue_clip",
    "enqueue_clip_if_recorded",
    "event_clip_states",
    "find_event_clip",
    "is_being_recorded",
]
