"""Settings of the database."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class DatabaseSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: SecretStr | None = Field(
        None,
        description="PostgreSQL 15 or newer that the platform works on. Unset: the embedded server is started.",
    )
    admin_url: SecretStr | None = Field(
        None,
        description="Role that owns the tables and runs migrations. Unset: the same as `url`.",
    )
    direct_url: SecretStr | None = Field(
        None,
        description="URL that bypasses the pooler, for LISTEN/NOTIFY. Unset: the same as `url`.",
    )
    pooler: Literal["none", "transaction"] = Field(
        "none",
        description="`transaction` when `url` leads to PgBouncer in transaction mode (or Supabase's port 6543).",
    )
    pool_min: int = Field(1, ge=0, le=1000, description="Connections that each process keeps open.")
    pool_max: int = Field(
        10,
        ge=1,
        le=1000,
        description="Maximum number of connections per process; without a pooler, three more for queues.",
    )
    connect_timeout_s: float = Field(10.0, gt=0, description="How long a connection may take to open.")
    command_timeout_s: float = Field(60.0, gt=0, description="How long one statement may run.")
    idle_transaction_s: float = Field(
        30.0,
        ge=0,
        description="The server ends a transaction that says nothing for so long, so that a process that is cut off does "
        "not keep its locks; 0 is no limit.",
    )
    embedded_user: str | None = Field(
        None,
        description="Started by root: an account that only the embedded PostgreSQL runs as. Unset: user ids that nobody has.",
    )
