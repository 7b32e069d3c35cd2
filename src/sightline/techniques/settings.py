"""Settings of technique analysis."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, StringConstraints


def _split(value: Any) -> Any:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


TopicName = Annotated[
    str,
    StringConstraints(
        pattern=r"^(arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_.-]{1,260}\*?|[A-Za-z0-9_-]{1,256})$"
    ),
]
OutputLocation = Annotated[
    str, StringConstraints(pattern=r"^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[\x21-\x7e]*)?$", max_length=1100)
]


class TechniquesSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    analyzer: str | None = Field(
        None, description="Analyzer of jobs that name none. Unset: vision-llm if a model is set, else annotations."
    )
    topics: Annotated[tuple[TopicName, ...], BeforeValidator(_split)] = Field(
        (),
        description="Topics, comma-separated, that a job may publish to instead of the default one. A name is created at start; "
        "an ARN has to exist, and with a `*` at its end it stands for all that begin so.",
    )
    output_locations: Annotated[tuple[OutputLocation, ...], BeforeValidator(_split)] = Field(
        (),
        description="Folders of other buckets, comma-separated, in which a job may store its result: `s3://bucket/folder`. "
        "They need the S3 backend.",
    )
    model_url: str | None = Field(
        None,
        description="Base URL of an OpenAI-compatible API with a vision model, such as http://127.0.0.1:8080/v1.",
    )
    model_name: str = Field("default", min_length=1, description="Name of the model to request.")
    model_api_key: SecretStr | None = Field(None, description="Bearer token of the model's API.")
    model_timeout_s: float = Field(120.0, gt=0, description="Longest time that the model may take to respond.")
    model_tries: int = Field(3, ge=1, le=10, description="Attempts per window of frames.")
    model_parallel: int = Field(2, ge=1, le=64, description="Parallel requests to the model, per job.")
    model_max_tokens: int = Field(2048, ge=64, description="Longest response of the model, in tokens.")
    window_frames: int = Field(12, ge=1, le=200, description="Key frames in one request.")
    window_overlap: int = Field(2, ge=0, description="Key frames that a request shares with the one before.")
    price_per_million_input: float = Field(
        0.0, ge=0, description="Price of a million prompt tokens, for the cost counter."
    )
    price_per_million_output: float = Field(
        0.0, ge=0, description="Price of a million completion tokens, for the cost counter."
    )
