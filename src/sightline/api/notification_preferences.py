"""Notification preferences: which events tell the caller by which channels, where, and when not."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.messages import EVENT_KINDS, NOTIFICATION_RULES, Preferences, preferences_of, put_preferences

router = APIRouter(prefix="/api/notification-preferences", tags=["messages"])


class NotificationRuleAnswer(BaseModel):
    event: str = Field(examples=["video_failed"])
    channels: list[str] = Field(examples=[["ntfy"]], description="What the event takes for the caller.")
    is_default: bool = Field(examples=[True], description="Whether the caller has left it as it is.")
    priority: str = Field(examples=["high"])
    has_mail: bool = Field(examples=[True], description="Whether a mail is sent besides, by the flow of document 004.")


class PreferencesAnswer(BaseModel):
    preferences: Preferences
    rules: list[NotificationRuleAnswer] = Field(description="What follows from them, event by event.")

    @classmethod
    def of(cls, preferences: Preferences) -> "PreferencesAnswer":
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
        return cls(preferences=preferences, rules=rules)


@router.get("", response_model_exclude_none=True)
async def get_preferences(tx: CallerTransaction, caller: CurrentCaller) -> PreferencesAnswer:
    """The caller's preferences, and the rules as they are with them."""
    return PreferencesAnswer.of(await preferences_of(tx, caller.user_id))


@router.put("", response_model_exclude_none=True)
async def replace_preferences(
    platform: CurrentPlatform, caller: CurrentCaller, preferences: Preferences
) -> PreferencesAnswer:
    """Replace the caller's preferences; what is left out is as the rules have it."""
    async with platform.database.transaction() as tx:
        await put_preferences(tx, caller.user_id, preferences)
        return PreferencesAnswer.of(await preferences_of(tx, caller.user_id))
