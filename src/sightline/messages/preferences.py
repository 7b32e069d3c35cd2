"""Who wants to be told of what, how and when: the table of rules, and what people changed of it. Pure."""

from datetime import datetime, time, timedelta
from typing import Literal, Self, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sightline.errors import InvalidInput, PermanentFailure
from sightline.messages.message import Channel, Priority
from sightline.notifications import NTFY_TOPIC, check_address, check_webhook_url

EventKind = Literal["video_completed", "video_failed", "analysis_finalized", "security_high", "security_critical"]
EVENT_KINDS: tuple[EventKind, ...] = get_args(EventKind)


class NotificationRule(BaseModel):
    """Which channels an event takes for whoever has not chosen others, and how urgent it is."""

    model_config = ConfigDict(frozen=True)

    channels: tuple[Channel, ...]
    priority: Priority
    tags: tuple[str, ...]
    has_mail: bool = False
    """Whether its mail is sent by the notification worker already (document 004); then none is sent here."""


NOTIFICATION_RULES: dict[EventKind, NotificationRule] = {
    "video_completed": NotificationRule(
        channels=("ntfy",), priority="normal", tags=("white_check_mark",), has_mail=True
    ),
    "video_failed": NotificationRule(channels=("ntfy",), priority="high", tags=("x",), has_mail=True),
    "analysis_finalized": NotificationRule(channels=("ntfy", "email"), priority="normal", tags=("bar_chart",)),
    "security_high": NotificationRule(channels=("ntfy",), priority="high", tags=("warning",)),
    "security_critical": NotificationRule(channels=("ntfy", "email"), priority="critical", tags=("rotating_light",)),
}


class QuietHours(BaseModel):
    """From `start` to `end` on the clock of the zone, over midnight if need be. Critical events are told all the same."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    start: time = Field(examples=["22:00"])
    end: time = Field(examples=["07:00"])
    zone: str = Field("UTC", examples=["America/Sao_Paulo"])

    @field_validator("zone")
    @classmethod
    def _is_a_zone(cls, text: str) -> str:
        try:
            ZoneInfo(text)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"there is no time zone {text!r}") from None
        return text

    @model_validator(mode="after")
    def _has_length(self) -> Self:
        if self.start == self.end or self.start.tzinfo is not None or self.end.tzinfo is not None:
            raise ValueError("quiet hours have a start and another end, both without an offset")
        return self

    def end_after(self, now: datetime) -> datetime | None:
        """When the quiet hours end that are now; None if they are not now."""
        local = now.astimezone(ZoneInfo(self.zone))
        at = local.time()
        is_quiet = self.start <= at < self.end if self.start < self.end else at >= self.start or at < self.end
        if not is_quiet:
            return None
        day = local.date() + (timedelta(days=1) if self.start > self.end and at >= self.start else timedelta())
        return datetime.combine(day, self.end, tzinfo=local.tzinfo)


class Preferences(BaseModel):
    """What one person chose. An event that is not named takes the channels of the rules."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    events: dict[EventKind, tuple[Channel, ...]] = Field(
        default_factory=dict,
        examples=[{"video_failed": ["ntfy"], "security_critical": ["ntfy", "webhook"]}],
        description="Channels by event; an empty list is silence.",
    )
    ntfy_topic: str | None = Field(None, examples=["ana-9f27c1"], description="The person's topic on the ntfy server.")
    webhook_url: str | None = Field(None, examples=["https://hooks.example.com/sightline"])
    email: str | None = Field(None, examples=["ana@example.com"], description="Where mails of events go.")
    quiet_hours: QuietHours | None = Field(
        None, examples=[{"start": "22:00", "end": "07:00", "zone": "America/Sao_Paulo"}]
    )

    @field_validator("ntfy_topic")
    @classmethod
    def _is_a_topic(cls, text: str | None) -> str | None:
        if text is not None and not NTFY_TOPIC.fullmatch(text):
            raise ValueError("a topic of ntfy has 1 to 64 letters, digits, - and _")
        return text

    @field_validator("webhook_url")
    @classmethod
    def _is_web(cls, text: str | None) -> str | None:
        try:
            return None if text is None else check_webhook_url(text).geturl()
        except InvalidInput as error:
            raise ValueError(error.message) from None

    @field_validator("email")
    @classmethod
    def _is_an_address(cls, text: str | None) -> str | None:
        try:
            return None if text is None else check_address(text)
        except PermanentFailure as error:
            raise ValueError(error.message) from None

    @field_validator("events")
    @classmethod
    def _has_no_second_mail(cls, events: dict[EventKind, tuple[Channel, ...]]) -> dict[EventKind, tuple[Channel, ...]]:
        for kind, channels in events.items():
            if len(set(channels)) != len(channels):
                raise ValueError(f"{kind} names a channel twice")
            if NOTIFICATION_RULES[kind].has_mail and "email" in channels:
                raise ValueError(f"{kind} has a mail of its own already")
        return events

    def channels_for(self, kind: EventKind) -> tuple[Channel, ...]:
        return self.events.get(kind, NOTIFICATION_RULES[kind].channels)

    def not_before(self, kind: EventKind, now: datetime) -> datetime | None:
        if self.quiet_hours is None or NOTIFICATION_RULES[kind].priority == "critical":
            return None
        return self.quiet_hours.end_after(now)
