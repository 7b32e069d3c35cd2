"""Settings of share links."""

from pydantic import BaseModel, ConfigDict, Field


class SharesSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    enabled: bool = Field(
        True, description="Whether links can be created and opened. False also closes those that were given out."
    )
    max_days: int = Field(365, ge=1, le=3650, description="Longest time until a link expires.")
    requests_per_minute: int = Field(
        1200,
        ge=0,
        description="Requests per minute and client address below /s/, in bursts of a tenth; 0 is no limit. A video in play "
        "makes about 20.",
    )
    unknown_per_minute: int = Field(
        60, ge=0, description="Of these, requests with a token that leads nowhere; 0 is no limit."
    )
