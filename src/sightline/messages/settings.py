"""Settings of the message flow."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from sightline.messages.message import Channel


class MessagesSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    backend: Literal["postgres", "dynamodb"] = Field(
        "postgres", description="Where messages are stored: the platform's database, or a DynamoDB table."
    )
    channel: Channel = Field("log", description="Channel of messages that name none: log, ntfy, webhook or email.")
    retention_days: float = Field(
        90.0,
        ge=7,
        description="Days for which a message is kept, from its creation on; a change holds for new messages.",
    )
    concurrency: int = Field(
        20, ge=1, le=200, description="Messages that one process handles at the same time, per queue."
    )
    max_per_owner: int = Field(
        10,
        ge=1,
        le=200,
        description="Of those, messages of one owner (with the PostgreSQL bus): slow receivers of one leave room for others.",
    )
    retry_after_s: float = Field(
        2.0, ge=0, le=900, description="Wait before a failed message is tried again; it doubles."
    )
    give_up_after_h: float = Field(
        72.0,
        gt=0,
        description="Hours after which a message that keeps being postponed fails.",
    )
    hello_every_h: int = Field(
        24, ge=0, description="Hours between the scheduler's `scheduled_hello` messages; 0 creates no such schedule."
    )
    clock: Literal["own", "eventbridge"] = Field(
        "own",
        description="What runs schedules: the platform itself, or EventBridge Scheduler (with the AWS bus).",
    )
    eventbridge_group: str | None = Field(
        None, description="Group of our schedules in EventBridge Scheduler. Unset: rez-agent-schedules- and the stage."
    )
    eventbridge_role_arn: str | None = Field(
        None,
        pattern=r"^arn:aws(-[a-z]+)*:iam::\d{12}:role/.+$",
        description="Role as which EventBridge Scheduler sends to the queue of due schedules.",
    )
    dynamodb_table: str | None = Field(None, description="Name of the table. Unset: rez-agent-messages- and the stage.")
    dynamodb_region: str = Field("us-east-1", description="AWS region of the table.")
    dynamodb_endpoint: str | None = Field(None, description="Address of an AWS emulator. Unset: AWS itself.")
    dynamodb_access_key_id: str | None = Field(None, description="Key id. Unset: the usual AWS chain of credentials.")
    dynamodb_secret_access_key: SecretStr | None = Field(None, description="Secret of the key id.")

    def table_for(self, stage: str) -> str:
        return self.dynamodb_table or f"rez-agent-messages-{stage}"

    def schedule_group_for(self, stage: str) -> str:
        return self.eventbridge_group or f"rez-agent-schedules-{stage}"
