"""Settings of uploads."""

from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from sightline.contracts.identity import LOCAL_OWNER_ID


class UploadsSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url_expiry_s: float = Field(
        3600.0, gt=0, le=7 * 24 * 3600, description="How long the address of a part can be used."
    )
    abandoned_after_h: float = Field(
        24.0, gt=0, description="Hours without a new part after which an upload is given up: aborted, FAILED, mail."
    )
    scan_s: float = Field(
        60.0,
        ge=0,
        description="How often the store is looked through for originals that nothing announced; 0 is never.",
    )
    scan_settle_s: float = Field(
        10.0, ge=0, description="How long a dropped file must have stood unchanged before it is taken in."
    )
    dropped_owner_id: UUID = Field(
        LOCAL_OWNER_ID, description="Who owns videos that were dropped into the store instead of uploaded."
    )
    dropped_owner_email: str | None = Field(None, description="Where mails about dropped videos go. Unset: nowhere.")
