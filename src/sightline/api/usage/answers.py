"""Usage figures and quotas as JSON."""

from collections.abc import Mapping, Sequence
from typing import Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from sightline.timing import iso_utc
from sightline.uploads import OwnerUsage
from sightline.usage import DayUsage, Month, OwnerFigures, OwnQuotas, QuotasInForce, totals_of

EXAMPLE_OWNER = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")
_JOB_MS = "job_ms."
_MS = 1000


class AmountsAnswer(BaseModel):
    uploads: int = Field(examples=[3])
    uploaded_bytes: int = Field(examples=[7_340_032_000])
    processed_seconds: float = Field(examples=[3600.5], description="Length of the videos that were processed.")
    transcribed_seconds: float = Field(examples=[3600.5])
    frames_read: int = Field(examples=[812], description="Key frames whose text was read.")
    job_seconds: dict[str, float] = Field(
        examples=[{"transcode": 71.2}], description="Time that jobs of videos ran, by type, failed attempts included."
    )
    api_requests: int = Field(examples=[1200])
    notifications: int = Field(examples=[4], description="Emails, pushes and other notifications that were sent.")

    @classmethod
    def of(cls, amounts: Mapping[str, int]) -> Self:
        return cls(
            uploads=amounts.get("uploads", 0),
            uploaded_bytes=amounts.get("uploaded_bytes", 0),
            processed_seconds=amounts.get("processed_ms", 0) / _MS,
            transcribed_seconds=amounts.get("transcribed_ms", 0) / _MS,
            frames_read=amounts.get("frames_read", 0),
            job_seconds={
                name.removeprefix(_JOB_MS): amount / _MS for name, amount in amounts.items() if name.startswith(_JOB_MS)
            },
            api_requests=amounts.get("api_requests", 0),
            notifications=amounts.get("notifications", 0),
        )


class DayAnswer(AmountsAnswer):
    day: str = Field(examples=["2026-01-17"], description="In UTC.")


class StoredAnswer(BaseModel):
    originals_bytes: int = Field(examples=[7_340_032_000], description="Unfinished uploads included.")
    derived_bytes: int | None = Field(
        examples=[901_000],
        description="Streams, frames, clips and the like, as measured last. Null if not measured yet.",
    )
    recordings_bytes: int | None = Field(examples=[0], description="Of cameras, as measured last. Null likewise.")


class QuotaUseAnswer(BaseModel):
    quota: str = Field(
        examples=["storage_bytes"], description="storage_bytes, videos, open_uploads or minutes_per_month."
    )
    used: float = Field(examples=[12])
    limit: int | None = Field(examples=[600], description="Null is no limit.")
    resets_at: str | None = Field(examples=["2026-02-01T00:00:00.000Z"], description="Null if it does not by itself.")


class UsageAnswer(BaseModel):
    owner_id: UUID = Field(examples=[EXAMPLE_OWNER])
    month: str = Field(examples=["2026-01"], description="In UTC.")
    total: AmountsAnswer
    days: list[DayAnswer] = Field(description="Days on which something was used.")
    stored: StoredAnswer = Field(description="Now, whatever the month.")
    quotas: list[QuotaUseAnswer] = Field(description="Now, whatever the month.")

    @classmethod
    def of(
        cls,
        owner_id: UUID,
        month: Month,
        days: Sequence[DayUsage],
        stored: Mapping[str, int],
        used: OwnerUsage,
        quotas: QuotasInForce,
        current: Month,
    ) -> Self:
        recordings = stored.get("recordings_bytes", 0)
        return cls(
            owner_id=owner_id,
            month=str(month),
            total=AmountsAnswer.of(totals_of(days)),
            days=[DayAnswer(day=str(one.day), **AmountsAnswer.of(one.amounts).model_dump()) for one in days],
            stored=StoredAnswer(
                originals_bytes=used.stored_bytes - recordings,
                derived_bytes=stored.get("derived_bytes", 0) if stored else None,
                recordings_bytes=recordings if stored else None,
            ),
            quotas=quota_uses(used, quotas, current),
        )


def quota_uses(used: OwnerUsage, quotas: QuotasInForce, month: Month) -> list[QuotaUseAnswer]:
    return [
        QuotaUseAnswer(quota=name, used=amount, limit=limit or None, resets_at=resets_at)
        for name, amount, limit, resets_at in (
            ("storage_bytes", used.stored_bytes, quotas.storage_bytes, None),
            ("videos", used.videos, quotas.videos, None),
            ("open_uploads", used.open_uploads, quotas.open_uploads, None),
            (
                "minutes_per_month",
                round(used.processed_ms / 60_000, 1),
                quotas.minutes_per_month,
                iso_utc(month.resets_at),
            ),
        )
    ]


class QuotasAnswer(BaseModel):
    """What was set for one owner: null is the default, 0 is no limit."""

    model_config = ConfigDict(extra="forbid")

    storage_bytes: int | None = Field(None, ge=0, lt=2**63, examples=[50_000_000_000])
    videos: int | None = Field(None, ge=0, lt=2**31, examples=[1000])
    open_uploads: int | None = Field(None, ge=0, lt=2**31, examples=[None])
    minutes_per_month: int | None = Field(None, ge=0, lt=2**31, examples=[600])

    @classmethod
    def of(cls, quotas: OwnQuotas | QuotasInForce) -> Self:
        return cls(
            storage_bytes=quotas.storage_bytes,
            videos=quotas.videos,
            open_uploads=quotas.open_uploads,
            minutes_per_month=quotas.minutes_per_month,
        )

    @property
    def quotas(self) -> OwnQuotas:
        return OwnQuotas(self.storage_bytes, self.videos, self.open_uploads, self.minutes_per_month)


class OwnerQuotasAnswer(BaseModel):
    owner_id: UUID = Field(examples=[EXAMPLE_OWNER])
    set: QuotasAnswer = Field(description="What was set for this owner; null is the default.")
    in_force: QuotasAnswer = Field(description="0 is no limit.")


class OwnerAnswer(BaseModel):
    owner_id: UUID = Field(examples=[EXAMPLE_OWNER])
    name: str | None = Field(
        examples=["ana@example.com"],
        description="The address of their newest token, if there is one, or the name of the team.",
    )
    videos: int = Field(examples=[12])
    stored_bytes: int = Field(examples=[7_340_933_000], description="The three below together.")
    originals_bytes: int = Field(examples=[7_340_032_000])
    derived_bytes: int = Field(examples=[901_000])
    recordings_bytes: int = Field(examples=[0])
    uploads: int = Field(examples=[3], description="In this month, as everything below.")
    uploaded_bytes: int = Field(examples=[7_340_032_000])
    processed_seconds: float = Field(examples=[3600.5])
    transcribed_seconds: float = Field(examples=[3600.5])
    frames_read: int = Field(examples=[812])
    job_seconds: float = Field(examples=[903.1])
    api_requests: int = Field(examples=[1200])
    notifications: int = Field(examples=[4])
    quotas: QuotasAnswer = Field(description="In force; 0 is no limit.")

    @classmethod
    def of(cls, owner: OwnerFigures, quotas: QuotasInForce) -> Self:
        return cls(
            owner_id=owner.owner_id,
            name=owner.name,
            videos=owner.videos,
            stored_bytes=owner.stored_bytes,
            originals_bytes=owner.originals_bytes,
            derived_bytes=owner.derived_bytes,
            recordings_bytes=owner.recordings_bytes,
            uploads=owner.uploads,
            uploaded_bytes=owner.uploaded_bytes,
            processed_seconds=owner.processed_ms / _MS,
            transcribed_seconds=owner.transcribed_ms / _MS,
            frames_read=owner.frames_read,
            job_seconds=owner.job_ms / _MS,
            api_requests=owner.api_requests,
            notifications=owner.notifications,
            quotas=QuotasAnswer.of(quotas),
        )


class OwnersAnswer(BaseModel):
    month: str = Field(examples=["2026-01"])
    defaults: QuotasAnswer = Field(description="Quotas of owners of whom nothing else was set; 0 is no limit.")
    owners: list[OwnerAnswer]
    next_cursor: str | None = Field(examples=[None])
