"""A test notification over one channel to the caller: really sent, and its message says what came of it."""

from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.messages import CreatedAnswer
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.messages import target_for
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.errors import InvalidInput, NotFound
from sightline.messages import MAX_CREATOR_LENGTH, EventChannel, NotificationRequest
from sightline.notifications import Language
from sightline.timing import iso_utc

router = APIRouter(prefix="/api/notification-preferences", tags=["messages"])

_WORDS: dict[Language, tuple[str, str]] = {
    "en": ("Test from Sightline", "Notifications over this channel reach you."),
    "pt": ("Teste do Sightline", "As notificações por este canal chegam até você."),
    "es": ("Prueba de Sightline", "Las notificaciones por este canal te llegan."),
    "de": ("Test von Sightline", "Benachrichtigungen über diesen Kanal erreichen dich."),
}


class ChannelTest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    channel: EventChannel = Field(examples=["ntfy"])
    browser_id: UUID | None = Field(
        None, examples=[None], description="With `web_push`: which of the caller's browsers."
    )


@router.post("/test", status_code=202)
async def test_channel(platform: CurrentPlatform, caller: CurrentCaller, body: ChannelTest) -> CreatedAnswer:
    """Send a test notification to the caller. `GET /api/messages/{message_id}` says whether it was delivered, or why not."""
    target = await _target(platform, caller, body)
    preferences = await platform.open_messages.preferences.of(caller.user_id)
    language = preferences.language or platform.settings.notifications.language
    title, text = _WORDS[language]
    new, _ = await platform.open_messages.messages.create_and_commit(
        message_type="channel_test",
        payload={"title": title, "message": text},
        notification=NotificationRequest(
            channel=body.channel,
            target=target,
            title=title,
            body=text,
            language=language,
            click=f"{platform.public_url}/ui/settings/notifications",
            is_for_operator=caller.is_operator,
        ),
        source="web-api",
        created_by=f"user:{caller.email or caller.user_id}"[:MAX_CREATOR_LENGTH],
        owner_id=caller.user_id,
    )
    return CreatedAnswer(message_id=new.message_id, status="created", created_date=iso_utc(new.created_date))


async def _target(platform: Platform, caller: Caller, body: ChannelTest) -> str | None:
    if body.channel != "web_push":
        return await target_for(platform, caller, body.channel)
    if body.browser_id is None:
        raise InvalidInput("browser_id says which of your browsers to notify")
    async with platform.database.transaction() as tx:
        owned = await platform.devices.of_owner(tx, caller.user_id)
    if all(one.device_id != body.browser_id for one in owned):
        raise NotFound(f"no browser {body.browser_id} of yours is notified")
    return str(body.browser_id)
