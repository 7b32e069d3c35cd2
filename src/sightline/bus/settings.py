"""Settings of the bus."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class BusSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    backend: Literal["postgres", "aws"] = Field(
        "postgres", description="Backend of the bus: the database (`postgres`), or SNS, SQS and EventBridge (`aws`)."
    )
    stage: Literal["dev", "stage", "prod"] = Field(
        "dev", description="Stage in the names of document 002's topic and queues."
    )
    region: str = Field("us-east-1", description="AWS region, also in the ARNs that the PostgreSQL backend shows.")
    account_id: str = Field(
        "000000000000",
        pattern=r"^\d{12}$",
        description="AWS account, also in the ARNs that the PostgreSQL backend shows.",
    )
    aws_endpoint: str | None = Field(None, description="Address of an AWS emulator. Unset: AWS itself.")
    aws_access_key_id: str | None = Field(None, description="Key id. Unset: the usual AWS chain of credentials.")
    aws_secret_access_key: SecretStr | None = Field(None, description="Secret of the key id.")
    event_bus: str = Field("default", description="Name of the EventBridge bus that events are put on.")
