"""Job payloads: those of the job contract (document 001) exactly as written there, and later ones."""

from typing import Any, ClassVar, Literal, TypeVar
from uuid import UUID

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from sightline.errors import InvalidInput

PIPELINE_TYPES = ("transcode", "sample", "ocr", "segment_index")
"""At most one active job of each of these per video."""


ClipCaptions = Literal["none", "soft", "burned"]
"""A track that players can show, or part of the picture."""
CaptionKind = Literal["text", "speech", "both"]


class JobPayload(BaseModel):
    """The payload of a job. Unknown fields are rejected, so that a typing error does not silently become a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    job_type: ClassVar[str]
    video_id: UUID | None = None
    """The video of the job, if it has one."""

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json")


class VideoPayload(JobPayload):
    """A payload of document 001, which always has a video."""

    video_id: UUID


class Transcode(VideoPayload):
    job_type = "transcode"
    s3_original_path: str = Field(min_length=1)


class Sample(VideoPayload):
    job_type = "sample"
    s3_original_path: str = Field(min_length=1)
    target_fps: float = Field(10, gt=0, le=240)
    dedupe_threshold: float = Field(0.95, ge=0, le=1)


class Ocr(VideoPayload):
    job_type = "ocr"
    frame_paths: tuple[str, ...]
    languages: tuple[str, ...] = Field(("eng",), min_length=1)
    min_confidence: float = Field(0.6, ge=0, le=1)


class SegmentIndex(VideoPayload):
    job_type = "segment_index"


class ClipPart(BaseModel):
    """A part of a reel, in ms of the video's time."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    t_start: int = Field(ge=0)
    t_end: int = Field(gt=0)
    caption: str = ""
    """What is shown with it, if the clip has captions."""


class ClipGenerate(VideoPayload):
    job_type = "clip_generate"
    # The example of the document is not a UUID: readers accept any name, writers use a UUID (row 148).
    clip_id: str = Field(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9._-]+$")
    t_start: int = Field(ge=0)
    t_end: int = Field(gt=0)
    padding_ms: int = Field(2000, ge=0)
    s3_original_path: str = Field(min_length=1)
    # Beyond the document, and left out of the payload unless chosen: captions of the clip.
    captions: ClipCaptions = "none"
    caption_kind: CaptionKind = "both"
    # The parts of a reel, one after another; t_start and t_end lie around all of them. Empty: one part.
    parts: tuple[ClipPart, ...] = ()

    @model_serializer(mode="wrap")
    def _as_the_document_if_plain(self, usual: SerializerFunctionWrapHandler) -> dict[str, Any]:
        found: dict[str, Any] = usual(self)
        if self.captions == "none":
            found = {name: found[name] for name in found if "caption" not in name}
        return found if self.parts else {name: found[name] for name in found if name != "parts"}

    @model_validator(mode="after")
    def _ends_after_it_starts(self) -> "ClipGenerate":
        if self.t_end <= self.t_start:
            raise ValueError("t_end must be after t_start")
        return self


class Analyze(VideoPayload):
    """Document 000: detects technique clips of a video and publishes them on a topic."""

    job_type = "analyze"
    analyzer: str = Field(min_length=1, max_length=100)
    result_key: str | None = Field(None, min_length=1, max_length=1000)
    """Object key of the result. Unset: a key by video and job."""
    result_bucket: str | None = Field(None, min_length=3, max_length=63)
    """Bucket of the result, if it is not the platform's own."""
    sns_topic_arn: str | None = Field(None, min_length=1, max_length=300)
    """Topic to publish on instead of the default one."""
    sampling_rate: int = Field(1, ge=1)
    """Every nth key frame is analyzed."""


class Detect(VideoPayload):
    """Looks for people and objects in a video, and follows them."""

    job_type = "detect"
    looks_per_s: float = Field(3, ge=0.2, le=10)
    """Pictures per second that are looked at while something moves."""
    camera_key: UUID | None = None
    """The camera as whose recording the video is treated: its zones, masks and lines apply, and its events are fed."""
    started_at: AwareDatetime | None = None
    """When the recording began. Unset: when the video was added."""


class DetectRecording(JobPayload):
    """Looks for people and objects in what a camera recorded, and feeds its events."""

    job_type = "detect_recording"
    camera_key: UUID
    since: AwareDatetime
    until: AwareDatetime
    looks_per_s: float = Field(3, ge=0.2, le=10)
    """Pictures per second that are looked at while something moves."""

    @model_validator(mode="after")
    def _ends_after_it_starts(self) -> "DetectRecording":
        if self.until <= self.since:
            raise ValueError("until must be after since")
        return self


class Transcribe(VideoPayload):
    """Writes down what is said in a video."""

    job_type = "transcribe"
    language: str | None = Field(None, pattern=r"^[a-z]{2,3}$")
    """The language that is spoken. Unset: that of the settings, or it is detected."""


class Embed(VideoPayload):
    """Gives the texts and the speech of a video vectors, by which they are found by meaning."""

    job_type = "embed"


class AssessRisk(JobPayload):
    """Document 003: a batch of detections becomes a security event."""

    job_type = "assess_risk"
    batch_id: str = Field(pattern=r"^batch-[0-9a-f]{8}$")


class RefineRisk(JobPayload):
    """A model refines the assessment that the rules made of a batch; the event exists already."""

    job_type = "refine_risk"
    batch_id: str = Field(pattern=r"^batch-[0-9a-f]{8}$")


class EnrichEvent(JobPayload):
    """Reads the text in the picture of a security event, which exists already."""

    job_type = "enrich_event"
    batch_id: str = Field(pattern=r"^batch-[0-9a-f]{8}$")


class Retention(JobPayload):
    """Document 003: archives and deletes events after their retention."""

    job_type = "retention"
    dry_run: bool = False


class RecordingClip(JobPayload):
    """Cuts the clip of a security event from what its camera recorded."""

    job_type = "recording_clip"
    event_id: int = Field(gt=0)
    camera_key: UUID
    since: AwareDatetime
    until: AwareDatetime
    event_at: AwareDatetime
    """The moment of the poster."""


class ExportPerson(JobPayload):
    """Makes the file with everything that is stored about a person. The payload does not name them."""

    job_type = "person_export"
    request_id: UUID


class ErasePerson(JobPayload):
    """Erases a person, once the time in which it can be cancelled is over."""

    job_type = "person_erasure"
    request_id: UUID


P = TypeVar("P", bound=JobPayload)

PAYLOADS: tuple[type[JobPayload], ...] = (
    Transcode,
    Sample,
    Ocr,
    SegmentIndex,
    ClipGenerate,
    Analyze,
    Detect,
    Transcribe,
    Embed,
    AssessRisk,
    RefineRisk,
    EnrichEvent,
    Retention,
    RecordingClip,
    DetectRecording,
    ExportPerson,
    ErasePerson,
)


def parse_payload(kind: type[P], payload: Any) -> P:
    """The payload from a value or from JSON text. Raises `InvalidInput` that names every invalid field."""
    try:
        return kind.model_validate_json(payload) if isinstance(payload, str) else kind.model_validate(payload)
    except ValidationError as error:
        problems = [
            {"field": ".".join(str(part) for part in item["loc"]) or "payload", "message": item["msg"]}
            for item in error.errors(include_input=False, include_url=False)
        ]
        text = "; ".join(f"{one['field']}: {one['message']}" for one in problems)
        raise InvalidInput(f"invalid {kind.job_type} payload: {text}", details={"errors": problems}) from error
