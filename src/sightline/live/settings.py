"""Settings of the live feed."""

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class LiveSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    buffer_size: int = Field(
        100, ge=1, le=10_000, description="How many missed messages a client that returns is given; beyond, it reloads."
    )
    heartbeat_s: float = Field(30.0, gt=0, description="How often a connection is pinged with the last number.")
    idle_close_s: float = Field(300.0, gt=0, description="A client that says nothing for so long is closed.")
    poll_s: float = Field(1.0, gt=0, description="How often a process looks for messages that no notification told of.")
    max_connections: int = Field(10_000, ge=1, description="Connections that one process takes.")
    connects_per_minute: int = Field(
        600, ge=0, description="Connections that one caller may open in a minute, in bursts of a tenth; 0 is no limit."
    )
    slow_consumer_bytes: int = Field(
        1024 * 1024, ge=64 * 1024, description="A client that leaves more than this unread is closed with 4008."
    )
    retention_days: int = Field(7, ge=1, description="How long messages can be read again.")
    redis_url: SecretStr | None = Field(
        None,
        description="A Redis that brings messages to many API processes, in place of each asking the database (extra `redis`).",
    )
