"""Settings of the live feed."""

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class LiveSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    buffer_size: int = Field(
        100,
        ge=1,
        le=10_000,
        description="Missed messages that a reconnecting client can replay; beyond that it reloads.",
    )
    heartbeat_s: float = Field(30.0, gt=0, description="Interval of pings, which carry the last sequence number.")
    idle_close_s: float = Field(300.0, gt=0, description="A client that sends nothing for this long is disconnected.")
    poll_s: float = Field(5.0, gt=0, description="How often a process polls for messages whose notification was lost.")
    max_connections: int = Field(10_000, ge=1, description="Maximum number of connections per process.")
    connects_per_minute: int = Field(
        600, ge=0, description="New connections per minute and caller, in bursts of a tenth; 0 is no limit."
    )
    slow_consumer_bytes: int = Field(
        1024 * 1024,
        ge=64 * 1024,
        description="A client with more unread bytes than this is disconnected with code 4008.",
    )
    retention_days: int = Field(7, ge=1, description="Days that messages are kept.")
    redis_url: SecretStr | None = Field(
        None,
        description="Redis that delivers messages to many API processes, so that each need not query the database (extra `redis`).",
    )
