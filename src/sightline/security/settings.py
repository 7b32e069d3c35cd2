"""Settings of the security flow."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from sightline.comma_separated import CommaSeparated

ModelApi = Literal["llama.cpp", "openai"]
EarlyEvents = Literal["own", "all", "off"]
OnModelFailure = Literal["rules", "unavailable", "retry"]


class SecuritySettings(BaseModel):
    model_config = ConfigDict(extra="forbid", protected_namespaces=())

    batch_age_s: float = Field(90.0, gt=0, description="A batch closes this long after its first detection.")
    batch_idle_s: float = Field(30.0, gt=0, description="A batch closes after this long without a detection.")
    batch_max: int = Field(500, ge=1, le=10_000, description="Maximum number of detections per batch.")
    early_events: EarlyEvents = Field(
        "own",
        description="Whose batches become an event at their first detection, before they close: of cameras that the platform "
        "watches (own), of foreign detectors too (all), or none (off).",
    )
    track_event_max_s: float = Field(
        3600.0,
        gt=0,
        le=86_400,
        description="Sightings of a tracked object extend its event for this long; after that they begin another one.",
    )
    read_picture_text: bool = Field(
        True,
        description="Read the text in pictures of events (signs, plates) with the OCR engine, after the event exists; what "
        "was read is added as a guess.",
    )
    fast_path_confidence: float = Field(
        0.90,
        ge=0,
        le=1,
        description="Minimum confidence for the fast path: the detection is assessed at once, without waiting for a batch.",
    )
    fast_path_types: CommaSeparated = Field(
        ("weapon", "person"),
        description="Object types on the fast path, comma-separated; `weapon` stands for every type of weapon.",
    )
    fast_path_weapon_confidence: float = Field(
        0.60, ge=0, le=1, description="Minimum confidence of a weapon for the fast path."
    )
    fast_path_pause_s: float = Field(
        10.0,
        ge=0,
        description="For so long after that, detections of the same camera are batched unless they are more dangerous.",
    )
    model_url: str | None = Field(
        None,
        description="Base address of a model that refines the rules' assessments. Unset: rules only. See docs/security.md.",
    )
    model_api: ModelApi = Field(
        "llama.cpp", description="API of the model: llama.cpp's /completion, or openai's /chat/completions."
    )
    model_name: str = Field(
        "default", min_length=1, description="Name of the model, sent in requests and shown on events."
    )
    model_api_key: SecretStr | None = Field(None, description="Bearer token of the model's API.")
    model_timeout_s: float = Field(120.0, gt=0, le=3600, description="Time limit of one model call.")
    model_deadline_s: float = Field(
        300.0, gt=0, le=3600, description="Time limit of a whole refinement: waiting for a slot, calls and retries."
    )
    model_tries: int = Field(3, ge=1, le=10, description="Model calls per event, retries included.")
    model_slots: int = Field(1, ge=1, le=100, description="Model calls at once, over all processes.")
    model_max_difference: int = Field(
        20, ge=0, le=100, description="Maximum difference between the model's score and the rules' score."
    )
    on_model_failure: OnModelFailure = Field(
        "rules",
        description="When the model finally fails: the rules' assessment stays (rules); the event is marked as not analyzed, "
        "with a score of at least 50 (unavailable); or the refinement is tried again later (retry).",
    )
    event_retention_days: int = Field(30, ge=1, description="Days after which events move to the archive.")
    archive_retention_days: int = Field(335, ge=0, description="Days after which archived events are removed for good.")
    detection_retention_days: int = Field(
        30, ge=1, description="Days that detections are kept; those of an event are kept as long as the event."
    )
    log_retention_days: int = Field(7, ge=1, description="Days that the logs of jobs are kept.")
    retention_cron: str = Field("0 3 * * *", description="When the daily clean-up runs, as a cron expression.")
    retention_zone: str = Field("UTC", description="Time zone of the cron expression.")
