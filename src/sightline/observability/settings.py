"""Settings of logs, metrics and traces."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class ObservabilitySettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Lowest level of the lines that are written."
    )
    log_format: Literal["auto", "json", "pretty"] = Field(
        "auto",
        description="`auto`: short lines on a terminal, one JSON object per line elsewhere. `pretty` and `json` choose one.",
    )
    metrics_token: SecretStr | None = Field(
        None,
        description="Bearer token that lets a scraper read /metrics when authentication is on. Operators always may.",
    )
    cloudwatch_namespace: str | None = Field(
        None,
        description="Namespace of the metrics of jobs that the `schedule` role writes to standard output each minute, in "
        "CloudWatch's embedded format. Unset: none are written.",
    )
    probe_port: int = Field(
        0,
        ge=0,
        le=65535,
        description="Port on which `sightline work`, `consume`, `schedule`, `cameras` answer /api/health and /metrics; 0 is off.",
    )
