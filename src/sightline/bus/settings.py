"""Settings of the bus."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from sightline.bus.registry import Quotas


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
    create_resources: bool = Field(
        True,
        description="Whether a process creates and corrects topics, queues and rules on AWS when it starts. False if "
        "CloudFormation does: then processes need no permission to create (`sightline aws template`).",
    )
    event_bus: str = Field("default", description="Name of the EventBridge bus that events are put on.")
    max_queues: int = Field(1000, ge=0, description="Queues that one owner may create.")
    max_topics: int = Field(1000, ge=0, description="Topics that one owner may create.")
    max_subscriptions: int = Field(5000, ge=0, description="Subscriptions that one owner may create.")
    max_event_buses: int = Field(100, ge=0, description="Event buses that one owner may create.")
    max_rules: int = Field(300, ge=0, description="Event rules that one owner may create.")
    max_archives: int = Field(100, ge=0, description="Event archives that one owner may create.")
    max_connections: int = Field(
        3000, ge=0, description="Connections to web addresses, and as many API destinations, that one owner may create."
    )
    max_schedules: int = Field(10_000, ge=0, description="Schedules that one owner may create.")
    max_schedule_groups: int = Field(500, ge=0, description="Schedule groups that one owner may create.")

    max_messages: int = Field(1_000_000, ge=0, description="Messages that the queues of one owner may hold together.")
    max_message_bytes: int = Field(
        2 * 1024**3, ge=0, description="Bytes of message bodies that the queues of one owner may hold together."
    )
    queue_recreate_after_s: float = Field(
        60,
        ge=0,
        le=60,
        description="Seconds after deleting a queue until one of the same name may be created; SQS has 60.",
    )

    def quotas(self) -> Quotas:
        return Quotas(
            queues=self.max_queues,
            topics=self.max_topics,
            subscriptions=self.max_subscriptions,
            event_buses=self.max_event_buses,
            rules=self.max_rules,
            archives=self.max_archives,
        )
