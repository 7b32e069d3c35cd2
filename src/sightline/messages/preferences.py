"""Notification preferences: the default rules, and what a person changed of them. Pure."""

from datetime import datetime, time, timedelta
from typing import Literal, Self, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sightline.errors import InvalidInput, PermanentFailure
from sightline.messages.message import EventChannel, Priority
from sightline.notifications import NTFY_TOPIC, Language, check_address, check_webhook_url

EventKind = Literal[
    "video_completed",
    "video_failed",
    "analysis_finalized",
    "saved_search",
    "quota_warning",
    "security_high",
    "security_critical",
]
EVENT_KINDS: tuple[EventKind, ...] = get_args(EventKind)


class NotificationRule(BaseModel):
    """The default channels of an event, and its priority."""

    model_config = ConfigDict(frozen=True)

    channels: tuple[EventChannel, ...]
    priority: Priority
    tags: tuple[str, ...]
    has_mail: bool = False
    """Whether the notification worker sends an email already (document 004); then none is sent here."""


NOTIFICATION_RULES: dict[EventKind, NotificationRule] = {
    "video_completed": NotificationRule(
        channels=("ntfy",), priority="normal", tags=("white_check_mark",), has_mail=True
    ),
    "video_failed": NotificationRule(channels=("ntfy",), priority="high", tags=("x",), has_mail=True),
    "analysis_finalized": NotificationRule(channels=("ntfy", "email"), priority="normal", tags=("bar_chart",)),
    "saved_search": NotificationRule(channels=("ntfy", "email"), priority="normal", tags=("mag",)),
    "quota_warning": NotificationRule(channels=("ntfy", "email", "web_push"), priority="normal", tags=("bar_chart",)),
    "security_high": NotificationRule(channels=("ntfy", "web_push"), priority="high", tags=("warning",)),
    "security_critical": NotificationRule(
        channels=("ntfy", "email", "web_push"), priority="critical", tags=("rotating_light",)
    ),
}


class QuietHours(BaseModel):
    """From `start` to `end` in the time zone, over midnight if `end` is earlier."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    start: time = Field(examples=["22:00"])
    end: time = Field(examples=["07:00"])
    zone: str = Field("UTC", examples=["America/Sao_Paulo"])
    lets_critical: bool = Field(True, examples=[True], description="Critical events are sent all the same.")

    @field_validator("zone")
    @classmethod
    def _is_a_zone(cls, text: str) -> str:
        try:
            ZoneInfo(text)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"unknown time zone {text!r}; use a name such as Europe/Berlin") from None
        return text

    @model_validator(mode="after")
    def _has_length(self) -> Self:
        if self.start == self.end or self.start.tzinfo is not None or self.end.tzinfo is not None:
            raise ValueError("quiet hours need a start and a different end, both without a UTC offset")
        return self

    def end_after(self, now: datetime) -> datetime | None:
        """The end of the current quiet hours; None outside of them."""
        local = now.astimezone(ZoneInfo(self.zone))
        at = local.time()
        is_quiet = self.start <= at < self.end if self.start < self.end else at >= self.start or at < self.end
        if not is_quiet:
            return None
        day = local.date() + (timedelta(days=1) if self.start > self.end and at >= self.start else timedelta())
        return datetime.combine(day, self.end, tzinfo=local.tzinfo)


class Preferences(BaseModel):
    """What one person chose. Other events use the channels of the default rules."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    events: dict[EventKind, tuple[EventChannel, ...]] = Field(
        default_factory=dict,
        examples=[{"video_failed": ["ntfy"], "security_critical": ["ntfy", "webhook"]}],
        description="Channels by event; an empty list means no notification.",
    )
    ntfy_topic: str | None = Field(None, examples=["ana-9f27c1"], description="Your topic on the ntfy server.")
    webhook_url: str | None = Field(None, examples=["https://hooks.example.com/sightline"])
    email: str | None = Field(None, examples=["ana@example.com"], description="Where emails about events go.")
    language: Language | None = Field(
        None, examples=["pt"], description="Language of emails and notifications. Left out: the platform's default."
    )
    quiet_hours: QuietHours | None = Field(
        None, examples=[{"start": "22:00", "end": "07:00", "zone": "America/Sao_Paulo"}]
    )

    @field_validator("ntfy_topic")
    @classmethod
    def _is_a_topic(cls, text: str | None) -> str | None:
        if text is not None and not NTFY_TOPIC.fullmatch(text):
            raise ValueError("an ntfy topic has 1 to 64 letters, digits, - and _")
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
    def _has_no_second_mail(
        cls, events: dict[EventKind, tuple[EventChannel, ...]]
    ) -> dict[EventKind, tuple[EventChannel, ...]]:
        for kind, channels in events.items():
            if len(set(channels)) != len(channels):
                raise ValueError(f"{kind} names a channel twice")
            if NOTIFICATION_RULES[kind].has_mail and "email" in channels:
                raise ValueError(f"{kind} also sends an email already; leave email out")
        return events

    def channels_for(self, kind: EventKind) -> tuple[EventChannel, ...]:
        return self.events.get(kind, NOTIFICATION_RULES[kind].channels)

    def not_before(self, kind: EventKind, now: datetime) -> datetime | None:
        if self.quiet_hours is None:
            return None
        if NOTIFICATION_RULES[kind].priority == "critical" and self.quiet_hours.lets_critical:
            return None
        return self.quiet_hours.end_after(now)
