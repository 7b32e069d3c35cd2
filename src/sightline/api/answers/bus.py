"""Resources of the bus as JSON: queues, topics with subscriptions, event buses with rules."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from sightline.api.answers.queues import QueueAnswer
from sightline.bus import FilterScope

_ACCOUNT = "000000000000"
_ARN = f"arn:aws:{{}}:us-east-1:{_ACCOUNT}:{{}}"
_QUEUE_ARN = _ARN.format("sqs", "orders")
_DEAD_LETTER_ARN = _ARN.format("sqs", "orders-dead")
_TOPIC_ARN = _ARN.format("sns", "order-events")
_SUBSCRIPTION_ARN = f"{_TOPIC_ARN}:0f8b6c1e-2d4a-4f53-9b60-7c1d2e3f4a5b"
_PATTERN = '{"source": ["fiapx.video"], "detail-type": ["Video Status Changed"]}'
_DEAD_LETTERS = "Where messages go that could not be delivered."


class BusResourceAnswer(BaseModel):
    """What queues, topics, subscriptions, event buses and rules have in common."""

    arn: str = Field(examples=[_QUEUE_ARN])
    account_id: str = Field(examples=[_ACCOUNT], description="The account that it belongs to.")
    owner_id: UUID | None = Field(
        examples=[None], description="Whose account it is; null: the platform's own, which operators share."
    )
    is_declared: bool = Field(examples=[False], description="The platform's own; false: created by a client.")
    created_at: datetime | None = Field(examples=["2026-01-17T10:00:00Z"])


class BusQueueAnswer(BusResourceAnswer, QueueAnswer):
    name: str = Field(examples=["orders"], description="The name that clients use.")
    url: str | None = Field(
        examples=[f"http://127.0.0.1:8400/{_ACCOUNT}/orders"], description="Queue URL; null if AWS holds the queue."
    )
    is_fifo: bool = Field(examples=[False])
    visibility_timeout_s: int = Field(examples=[30])
    retention_s: int = Field(examples=[345600])
    delay_s: int = Field(examples=[0])
    wait_s: int = Field(examples=[0], description="How long a receive waits for messages.")
    max_receives: int | None = Field(
        examples=[3], description="After so many receives a message is a dead letter; null: never."
    )
    dead_letter_arn: str | None = Field(examples=[_DEAD_LETTER_ARN])
    tags: dict[str, str] = Field(examples=[{"team": "blue"}])


class BusSubscriptionAnswer(BusResourceAnswer):
    arn: str = Field(examples=[_SUBSCRIPTION_ARN])
    protocol: str = Field(examples=["sqs"])
    endpoint: str = Field(examples=[_QUEUE_ARN], description="ARN, web or email address.")
    is_pending: bool = Field(
        examples=[False], description="Waits for confirmation by its endpoint; nothing is delivered."
    )
    filter_policy: str | None = Field(
        examples=['{"status": ["paid"]}'], description="JSON, as it was set; null: every message."
    )
    filter_scope: FilterScope = Field(examples=["MessageAttributes"])
    is_raw: bool = Field(examples=[False], description="The bare message, without SNS's envelope.")
    dead_letter_arn: str | None = Field(examples=[None], description=_DEAD_LETTERS)


class BusTopicAnswer(BusResourceAnswer):
    arn: str = Field(examples=[_TOPIC_ARN])
    name: str = Field(examples=["order-events"])
    is_fifo: bool = Field(examples=[False])
    tags: dict[str, str] = Field(examples=[{}])
    subscriptions: list[BusSubscriptionAnswer]


class BusTargetAnswer(BaseModel):
    id: str = Field(examples=["to-orders"])
    arn: str = Field(examples=[_QUEUE_ARN])
    dead_letter_arn: str | None = Field(examples=[None], description=_DEAD_LETTERS)
    parameters: dict[str, Any] = Field(
        examples=[{"InputPath": "$.detail"}], description="What else was set, as EventBridge names it."
    )

    @classmethod
    def of(cls, target: Mapping[str, Any]) -> "BusTargetAnswer":
        shown = ("Id", "Arn", "DeadLetterConfig")
        return cls(
            id=str(target.get("Id", "")),
            arn=str(target.get("Arn", "")),
            dead_letter_arn=(target.get("DeadLetterConfig") or {}).get("Arn"),
            parameters={name: value for name, value in target.items() if name not in shown},
        )


class BusRuleAnswer(BusResourceAnswer):
    arn: str = Field(examples=[_ARN.format("events", "rule/finished-videos")])
    name: str = Field(examples=["finished-videos"])
    pattern: str | None = Field(examples=[_PATTERN], description="Event pattern, as it was set; null: a schedule only.")
    schedule: str | None = Field(examples=[None], description="`rate(5 minutes)` or `cron(…)`; null: a pattern only.")
    is_enabled: bool = Field(examples=[True])
    targets: list[BusTargetAnswer]


class EventBusAnswer(BusResourceAnswer):
    arn: str = Field(examples=[_ARN.format("events", "event-bus/default")])
    name: str = Field(examples=["default"])
    rules: list[BusRuleAnswer]


class BusTopologyAnswer(BaseModel):
    backend: Literal["postgres", "aws"] = Field(
        examples=["postgres"], description="With `aws` only the platform's own resources are known here."
    )
    endpoint_url: str | None = Field(
        examples=["http://127.0.0.1:8400"], description="`endpoint_url` for AWS SDKs; null if AWS is the backend."
    )
    region: str = Field(examples=["us-east-1"])
    account_id: str = Field(examples=[_ACCOUNT], description="The account that the caller acts in.")
    accepts_test_key: bool = Field(
        examples=[True], description="There is no sign-in here, so the access key `test` with the secret `test` works."
    )
    queues: list[BusQueueAnswer]
    topics: list[BusTopicAnswer]
    event_buses: list[EventBusAnswer]


class PolicyTrialAnswer(BaseModel):
    matched: bool = Field(examples=[False])
    key: str | None = Field(
        examples=["price"], description="The key that decided; null where none did, such as for an empty policy."
    )
    reason: str = Field(examples=["is 99, but must be >= 100"])
