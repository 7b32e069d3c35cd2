"""Until when something is snoozed, as requests say it."""

from datetime import datetime, timedelta

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sightline.contracts.values import Moment
from sightline.errors import InvalidInput
from sightline.timing import utc_now

MAX_SNOOZE = timedelta(days=30)


class SnoozeUntil(BaseModel):
    model_config = ConfigDict(extra="forbid")

    until: Moment | None = Field(None, examples=["2030-12-23T18:00:00Z"], description="Null: no longer.")
    minutes: int | None = Field(
        None, ge=1, le=MAX_SNOOZE // timedelta(minutes=1), examples=[None], description="Instead of `until`: from now."
    )

    @model_validator(mode="after")
    def _says_one(self) -> "SnoozeUntil":
        if self.until is not None and self.minutes is not None:
            raise ValueError("give until or minutes, not both")
        return self

    @property
    def moment(self) -> datetime | None:
        if self.minutes is not None:
            return utc_now() + timedelta(minutes=self.minutes)
        if self.until is not None and self.until <= utc_now():
            raise InvalidInput("until: this moment has passed; choose a later one")
        if self.until is not None and self.until > utc_now() + MAX_SNOOZE:
            raise InvalidInput(f"until: this is more than {MAX_SNOOZE.days} days away; choose an earlier moment")
        return self.until
