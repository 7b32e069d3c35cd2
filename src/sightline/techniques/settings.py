"""Settings of technique analysis."""

from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, StringConstraints, model_validator

from sightline.techniques.model_servers import CUSTOM_SERVER, MODEL_SERVERS, ModelServer, ServerName

DEFAULT_MODEL_NAME = "default"


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
        None,
        description="Analyzer of jobs that name none. Unset: vision-llm if a model is set, else pose if it is installed, "
        "else annotations.",
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
    model_server: ServerName | None = Field(
        None,
        description="Preset for the server of the vision model: its address, and what it expects of requests. "
        "Any other server is set by MODEL_URL alone.",
    )
    model_url: str | None = Field(
        None,
        description="Base URL of an OpenAI-compatible API with a vision model, such as http://127.0.0.1:8080/v1. "
        "Unset: that of the preset.",
    )
    model_name: str = Field(DEFAULT_MODEL_NAME, min_length=1, description="Name of the model to request.")
    model_api_key: SecretStr | None = Field(None, description="Bearer token of the model's API.")
    model_timeout_s: float = Field(120.0, gt=0, description="Longest time that the model may take to respond.")
    model_tries: int = Field(3, ge=1, le=10, description="Attempts per window of frames.")
    model_parallel: int = Field(2, ge=1, le=64, description="Parallel requests to the model, per job.")
    model_max_tokens: int = Field(2048, ge=64, description="Longest response of the model, in tokens.")
    window_frames: int = Field(12, ge=1, le=200, description="Key frames in one request.")
    window_overlap: int = Field(2, ge=0, description="Key frames that a request shares with the one before.")
    model_picture_tokens: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        description="Prompt tokens of one picture, for the estimate before an analysis. Unset: by the size of the picture.",
    )
    price_per_million_input: float = Field(
        0.0, ge=0, description="Price of a million prompt tokens, for estimates and the cost counter."
    )
    price_per_million_output: float = Field(
        0.0, ge=0, description="Price of a million completion tokens, for estimates and the cost counter."
    )

    @property
    def server(self) -> ModelServer:
        return CUSTOM_SERVER if self.model_server is None else MODEL_SERVERS[self.model_server]

    @property
    def chat_url(self) -> str | None:
        """The address of the vision model; None if none is set."""
        return self.model_url or self.server.url or None

    @model_validator(mode="after")
    def _has_what_its_server_needs(self) -> Self:
        if self.server.needs_model_name and self.model_name == DEFAULT_MODEL_NAME:
            raise ValueError(f"{self.server.label} has several models; name one with SIGHTLINE_TECHNIQUES_MODEL_NAME")
        if self.server.needs_key and self.model_url is None and self.model_api_key is None:
            raise ValueError(f"{self.server.label} needs a key; set SIGHTLINE_TECHNIQUES_MODEL_API_KEY")
        return self
