"""Settings of technique analysis."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, StringConstraints


def _split(value: Any) -> Any:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


TopicName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,256}$")]


class TechniquesSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    analyzer: str | None = Field(
        None, description="Analyzer of jobs that name none. Unset: vision-llm where a model is set, else annotations."
    )
    topics: Annotated[tuple[TopicName, ...], BeforeValidator(_split)] = Field(
        (), description="Names of topics, comma-separated, that a job may have told instead of the usual one."
    )
    model_url: str | None = Field(
        None,
        description="Base address of an OpenAI-compatible API with a vision model, such as http://127.0.0.1:8080/v1.",
    )
    model_name: str = Field("default", min_length=1, description="Model that is asked for.")
    model_api_key: SecretStr | None = Field(None, description="Bearer token of the model's API.")
    model_timeout_s: float = Field(120.0, gt=0, description="How long one answer of the model may take.")
    model_tries: int = Field(3, ge=1, le=10, description="How often one window of frames is asked about at the most.")
    model_parallel: int = Field(2, ge=1, le=64, description="Questions to the model at once, per job.")
    model_max_tokens: int = Field(2048, ge=64, description="Longest answer of the model, in tokens.")
    window_frames: int = Field(12, ge=1, le=200, description="Key frames that one question shows.")
    window_overlap: int = Field(2, ge=0, description="Key frames that a question shares with the one before.")
    price_per_million_input: float = Field(
        0.0, ge=0, description="Price of a million prompt tokens, for the cost counter."
    )
    price_per_million_output: float = Field(
        0.0, ge=0, description="Price of a million answer tokens, for the cost counter."
    )
