"""Settings of uploads."""

from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.usage import QuotasInForce


class UploadsSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url_expiry_s: float = Field(3600.0, gt=0, le=24 * 3600, description="How long the URL of a part is valid.")
    abandoned_after_h: float = Field(
        24.0,
        gt=0,
        description="Hours without a new part after which an upload is completed if all its parts are in the store, and "
        "otherwise aborted: its video is FAILED, with an email.",
    )
    complete_after_s: float = Field(
        600.0,
        gt=0,
        description="Seconds without activity after which an upload whose parts have all been reported is completed in the "
        "client's place.",
    )
    scan_s: float = Field(
        60.0,
        ge=0,
        description="How often the store is scanned for originals without an event; 0 is never.",
    )
    scan_settle_s: float = Field(
        10.0, ge=0, description="How long a file put directly into the store must be unchanged before it is imported."
    )
    dropped_owner_id: UUID = Field(LOCAL_OWNER_ID, description="Owner of videos that were put directly into the store.")
    quota_bytes: int = Field(
        0,
        ge=0,
        description="Bytes that each owner may store: original videos, unfinished uploads and recordings; 0 is no limit. For one "
        "owner, `sightline quotas set` changes this and the quotas below.",
    )
    quota_videos: int = Field(0, ge=0, description="Videos that each owner may have; 0 is no limit.")
    quota_open_uploads: int = Field(0, ge=0, description="Unfinished uploads that each owner may have; 0 is no limit.")
    quota_minutes_per_month: int = Field(
        0,
        ge=0,
        description="Minutes of video that are processed for each owner in a month (UTC). Uploads are refused once they are used; "
        "what has begun is finished. 0 is no limit.",
    )
    dropped_owner_email: str | None = Field(
        None, description="Email address for videos put directly into the store. Unset: none."
    )

    @property
    def quotas(self) -> QuotasInForce:
        """The defaults, for owners of whom nothing else was set."""
        return QuotasInForce(self.quota_bytes, self.quota_videos, self.quota_open_uploads, self.quota_minutes_per_month)
