"""Notification preferences: which events notify the caller, over which channels, to which destinations, and quiet hours."""

from contextlib import suppress
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.notifications.addresses import challenges, chosen_addresses
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.db import Transaction
from sightline.messages import (
    EVENT_CHANNELS,
    EVENT_KINDS,
    NOTIFICATION_RULES,
    EventChannel,
    Preferences,
    preferences_of,
    put_preferences,
)
from sightline.notifications import AddressChannel, Language, TooManyChallenges

router = APIRouter(prefix="/api/notification-preferences", tags=["messages"])


class NotificationRuleAnswer(BaseModel):
    event: str = Field(examples=["video_failed"])
    channels: list[str] = Field(examples=[["ntfy"]], description="Channels of this event for the caller.")
    is_default: bool = Field(examples=[True], description="Whether the caller uses the default.")
    priority: str = Field(examples=["high"])
    has_mail: bool = Field(examples=[True], description="Whether document 004 also sends an email.")


class ChannelAnswer(BaseModel):
    channel: str = Field(examples=["email"])
    cannot: Literal["no_address", "no_mail_server"] | None = Field(
        examples=[None],
        description="Why nothing reaches the caller over it: no destination is known, or no mail server is set and emails "
        "are kept here. Null if it works.",
    )


class PreferencesAnswer(BaseModel):
    preferences: Preferences
    rules: list[NotificationRuleAnswer] = Field(description="The resulting channels, per event.")
    channels: list[ChannelAnswer] = Field(description="Which channels work for the caller.")
    default_language: Language = Field(examples=["en"], description="For people who have not chosen a language.")

    @classmethod
    async def of(
        cls, tx: Transaction, preferences: Preferences, platform: Platform, caller: Caller
    ) -> "PreferencesAnswer":
        has_browser = bool(await platform.devices.of_owner(tx, caller.user_id))
        rules = [
            NotificationRuleAnswer(
                event=kind,
                channels=list(preferences.channels_for(kind)),
                is_default=kind not in preferences.events,
                priority=NOTIFICATION_RULES[kind].priority,
                has_mail=NOTIFICATION_RULES[kind].has_mail,
            )
            for kind in EVENT_KINDS
        ]
        channels = [
            ChannelAnswer(
                channel=channel,
                cannot=_obstacle(channel, preferences, platform, caller, has_browser=has_browser),
            )
            for channel in EVENT_CHANNELS
        ]
        default = platform.settings.notifications.language
        return cls(preferences=preferences, rules=rules, channels=channels, default_language=default)


def _obstacle(
    channel: EventChannel, preferences: Preferences, platform: Platform, caller: Caller, *, has_browser: bool
) -> Literal["no_address", "no_mail_server"] | None:
    push = platform.settings.push
    match channel:
        case "email" if not platform.settings.notifications.has_mail_server:
            return "no_mail_server"
        case "email" if preferences.email is None and caller.email is None:
            return "no_address"
        case "ntfy" if preferences.ntfy_topic is None and push.ntfy_topic is None:
            return "no_address"
        case "webhook" if preferences.webhook_url is None and push.webhook_url is None:
            return "no_address"
        case "web_push" if not has_browser:
            return "no_address"
    return None


@router.get("", response_model_exclude_none=True)
async def get_preferences(platform: CurrentPlatform, caller: CurrentCaller) -> PreferencesAnswer:
    """The caller's preferences, and the resulting channels per event."""
    async with platform.database.transaction() as tx:
        return await PreferencesAnswer.of(tx, await preferences_of(tx, caller.user_id), platform, caller)


async def _send_challenge(
    platform: Platform, tx: Transaction, caller: Caller, channel: AddressChannel, address: str
) -> None:
    """One that is sent too often waits for "Send again": the preferences are saved all the same."""
    with suppress(TooManyChallenges):
        await challenges(platform).send(tx, caller.user_id, channel, address)


@router.put("", response_model_exclude_none=True)
async def replace_preferences(
    platform: CurrentPlatform, caller: CurrentCaller, preferences: Preferences
) -> PreferencesAnswer:
    """Replace the caller's preferences; what is left out is the default."""
    async with platform.database.transaction() as tx:
        await put_preferences(tx, caller.user_id, preferences)
        chosen = chosen_addresses(preferences)
        pending = await platform.addresses.replace(tx, caller.user_id, chosen, by_operator=caller.is_operator)
        for channel in pending:
            address = chosen[channel]
            if channel != "webhook" and address is not None:  # a webhook is called when its owner says that it is ready
                await _send_challenge(platform, tx, caller, channel, address)
        return await PreferencesAnswer.of(tx, await preferences_of(tx, caller.user_id), platform, caller)
