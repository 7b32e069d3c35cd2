"""Settings of the security flow."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

ModelApi = Literal["llama.cpp", "openai"]
OnModelFailure = Literal["rules", "unavailable", "retry"]


class SecuritySettings(BaseModel):
    model_config = ConfigDict(extra="forbid", protected_namespaces=())

    batch_age_s: float = Field(
        90.0, gt=0, description="A batch of detections closes this long after its first one came."
    )
    batch_idle_s: float = Field(30.0, gt=0, description="A batch closes when no detection came for this long.")
    batch_max: int = Field(500, ge=1, le=10_000, description="Detections that a batch holds at the most.")
    fast_path_confidence: float = Field(
        0.90,
        ge=0,
        le=1,
        description="From this confidence on a person is assessed at once, without waiting for a batch.",
    )
    fast_path_pause_s: float = Field(
        10.0,
        ge=0,
        description="So long after that, further ones of the same camera are batched: somebody who stays is not news each second.",
    )
    model_url: str | None = Field(
        None, description="Base address of the model that assesses risk. Unset: the rules assess. See docs/security.md."
    )
    model_api: ModelApi = Field(
        "llama.cpp", description="How the model is asked: llama.cpp's /completion, or openai's /chat/completions."
    )
    model_name: str = Field("default", min_length=1, description="Model that is asked for, and that events name.")
    model_api_key: SecretStr | None = Field(None, description="Bearer token of the model's API.")
    model_timeout_s: float = Field(120.0, gt=0, le=3600, description="How long one answer of the model may take.")
    model_tries: int = Field(3, ge=1, le=10, description="How often the model is asked about one batch at the most.")
    model_slots: int = Field(1, ge=1, le=100, description="Questions to the model at once, over all processes.")
    model_max_difference: int = Field(
        100, ge=0, le=100, description="How far a model's score may lie from the rules' score; 100 leaves it free."
    )
    on_model_failure: OnModelFailure = Field(
        "rules",
        description="When the model finally fails: the rules assess and say so; or the event says that analysis was "
        "unavailable (score 50); or the job is tried again later.",
    )
    event_retention_days: int = Field(30, ge=1, description="Days after which events move to the archive.")
    archive_retention_days: int = Field(335, ge=0, description="Days after which archived events are removed for good.")
    detection_retention_days: int = Field(
        30, ge=1, description="Days that detections are kept; those of a live event stay as long as it does."
    )
    log_retention_days: int = Field(7, ge=1, description="Days that the logs of jobs are kept.")
    retention_cron: str = Field("0 3 * * *", description="When the daily clean-up runs, as a cron expression.")
    retention_zone: str = Field("UTC", description="The time zone of that expression.")
