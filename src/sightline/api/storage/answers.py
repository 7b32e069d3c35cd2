"""Use of storage, quotas and retention rules as JSON."""

from typing import Self

from pydantic import BaseModel, Field

from sightline.retention import RetentionRule, StorageUsage
from sightline.timing import iso_utc
from sightline.uploads import OwnerUsage
from sightline.usage import QuotasInForce


class KindAnswer(BaseModel):
    kind: str = Field(
        examples=["originals"], description="originals, streams, frames, clips, pictures, other or database."
    )
    bytes: int = Field(examples=[7_340_032_000])
    objects: int = Field(examples=[12], description="0 for the database.")


class RuleAnswer(BaseModel):
    rule: str = Field(
        examples=["originals"], description="videos, originals, frames, clips, recordings, done_jobs or failed_jobs."
    )
    days: float | None = Field(examples=[90], description="Removed so many days after creation; null is no limit.")
    max_bytes: int | None = Field(examples=[None], description="The oldest are removed above it; null is no limit.")

    @classmethod
    def of(cls, rule: RetentionRule) -> Self:
        return cls(rule=rule.name, days=rule.days, max_bytes=rule.max_bytes)


class StorageAnswer(BaseModel):
    kinds: list[KindAnswer] = Field(description="Stored bytes by kind, as measured last.")
    measured_at: str | None = Field(examples=["2026-01-17T10:00:00.000Z"], description="Null before the first time.")
    usable_bytes: int | None = Field(
        examples=[650_000_000],
        description="What new uploads may use: free space without the reserve and without what unfinished uploads have "
        "announced. Null if the store has no limit, as S3.",
    )
    reserved_bytes: int = Field(examples=[268_435_456], description="Stays free on the disk.")
    announced_bytes: int = Field(examples=[0], description="What unfinished uploads have yet to send.")
    rules: list[RuleAnswer] = Field(description="Retention rules in force.")

    @classmethod
    def of(
        cls,
        usage: StorageUsage,
        rules: list[RetentionRule],
        *,
        usable_bytes: int | None,
        reserved_bytes: int,
        announced_bytes: int,
    ) -> Self:
        return cls(
            kinds=[KindAnswer(kind=kind, bytes=one.bytes, objects=one.objects) for kind, one in usage.kinds.items()],
            measured_at=None if usage.measured_at is None else iso_utc(usage.measured_at),
            usable_bytes=usable_bytes,
            reserved_bytes=reserved_bytes,
            announced_bytes=announced_bytes,
            rules=rules_in_force(rules),
        )


class QuotaAnswer(BaseModel):
    used: int = Field(examples=[3])
    limit: int | None = Field(examples=[50], description="Null is no limit.")


class OwnStorageAnswer(BaseModel):
    storage_bytes: QuotaAnswer = Field(description="Bytes of original videos, unfinished uploads and recordings.")
    videos: QuotaAnswer
    open_uploads: QuotaAnswer
    rules: list[RuleAnswer] = Field(description="Retention rules in force for videos and clips.")

    @classmethod
    def of(cls, used: OwnerUsage, quotas: QuotasInForce, rules: list[RetentionRule]) -> Self:
        return cls(
            storage_bytes=QuotaAnswer(used=used.stored_bytes, limit=quotas.storage_bytes or None),
            videos=QuotaAnswer(used=used.videos, limit=quotas.videos or None),
            open_uploads=QuotaAnswer(used=used.open_uploads, limit=quotas.open_uploads or None),
            rules=rules_in_force([rule for rule in rules if not rule.name.endswith("_jobs")]),
        )


def rules_in_force(rules: list[RetentionRule]) -> list[RuleAnswer]:
    return [RuleAnswer.of(rule) for rule in rules if rule.is_in_force]
