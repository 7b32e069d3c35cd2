"""Recordings of cameras: segments, where they are stored, how long, and how they are played."""

from sightline.cameras.recording.limits import RecordingLimits
from sightline.cameras.recording.metrics import RecordingMetrics
from sightline.cameras.recording.playlist import live_playlist, newest_segments, playable, recording_playlist
from sightline.cameras.recording.recorder import LAST_STORE_S, Recorder, RecorderParts, open_recorder
from sightline.cameras.recording.recording import RecordedSpan, RecorderReport, RecorderState, Recording, RecordMode
from sightline.cameras.recording.removal import RecordingSweep
from sightline.cameras.recording.settings import RecordingSettings
from sightline.cameras.recording.store import (
    hold_recordings,
    mark_segments_viewed,
    newest_recordings,
    recorded_bytes,
    recorded_spans,
    recorder_state,
    recordings_between,
)

__all__ = [
    "LAST_STORE_S",
    "RecordMode",
    "RecordedSpan",
    "Recorder",
    "RecorderParts",
    "RecorderReport",
    "RecorderState",
    "Recording",
    "RecordingLimits",
    "RecordingMetrics",
    "RecordingSettings",
    "RecordingSweep",
    "hold_recordings",
    "live_playlist",
    "mark_segments_viewed",
    "newest_recordings",
    "newest_segments",
    "open_recorder",
    "playable",
    "recorded_bytes",
    "recorded_spans",
    "recorder_state",
    "recording_playlist",
    "recordings_between",
]
