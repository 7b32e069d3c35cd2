"""Pipeline stages: the jobs that every uploaded video goes through, in their order. Pure."""

from dataclasses import dataclass

from sightline.contracts.jobs import PIPELINE_TYPES
from sightline.videos.video import VideoStatus


@dataclass(frozen=True, slots=True)
class PipelineStage:
    job_type: str
    """Also the name of the stage in the API."""
    video_status: VideoStatus
    """The status of the video while the stage runs."""
    label: str
    """What people read."""


_STATUS_AND_LABEL = {
    "transcode": (VideoStatus.SPLITTING, "Preparing video"),
    "sample": (VideoStatus.PRINTING, "Finding key frames"),
    "ocr": (VideoStatus.PRINTING, "Reading text"),
    "segment_index": (VideoStatus.PRINTING, "Indexing text"),
}

PIPELINE_STAGES = tuple(PipelineStage(job_type, *_STATUS_AND_LABEL[job_type]) for job_type in PIPELINE_TYPES)
