"""People and objects in what cameras recorded: the job `detect_recording`, and its runs."""

from sightline.cameras.detect.recordings.detect_recording import DetectRecordingJob, FootageUnreadable, KnownBetween
from sightline.cameras.detect.recordings.known import KnownSighting
from sightline.cameras.detect.recordings.runs_store import (
    DetectionRunRow,
    active_run,
    add_run,
    cancel_run,
    lock_camera,
    run_of_job,
    runs_of_camera,
)

__all__ = [
    "DetectRecordingJob",
    "DetectionRunRow",
    "FootageUnreadable",
    "KnownBetween",
    "KnownSighting",
    "active_run",
    "add_run",
    "cancel_run",
    "lock_camera",
    "run_of_job",
    "runs_of_camera",
]
