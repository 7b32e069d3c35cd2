"""Notifications of events: one message per channel that a person chose, each created once."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sightline.db import Transaction
from sightline.errors import InvalidInput
from sightline.messages.create import SCHEDULER, Messages, id_for
from sightline.messages.event_words import body_of, title_of
from sightline.messages.message import EVENT_CHANNELS, EventChannel, NewMessage, NotificationRequest
from sightline.messages.preferences import EVENT_KINDS, NOTIFICATION_RULES, EventKind, Preferences
from sightline.messages.preferences_store import preferences_of
from sightline.notifications import AddressBook, AddressChannel, Devices, Language, PushSettings
from sightline.timing import Clock, utc_now


class EventNotifications:
    def __init__(
        self,
        messages: Messages,
        *,
        has_ntfy_topic: bool = False,
        has_webhook: bool = False,
        language: Language = "en",
        addresses: AddressBook | None = None,
        devices: Devices | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._messages = messages
        self._has_ntfy_topic = has_ntfy_topic
        self._has_webhook = has_webhook
        self._language: Language = language
        self._addresses = addresses
        self._devices = devices
        self._clock = clock

    def use(self, push: PushSettings, language: Language) -> None:
        """Changed defaults, from the next event on."""
        self._has_ntfy_topic = push.ntfy_topic is not None
        self._has_webhook = push.webhook_url is not None
        self._language = language

    async def notify(
        self, tx: Transaction, event_kind: EventKind, owner_id: UUID, data: Mapping[str, Any], *, key: str
    ) -> list[NewMessage]:
        """The new messages. `key` identifies the event: a second call with the same key creates none.

        `data` fills the words (`video_name`, `error_reason`, `events`, `search_name`, `query`, `hits`, `quota`, `percent`,
        `used`, `limit`, `team_name`, `summary`, `risk_score`)
        and may hold `user_email`, `click_url` and `thumbnail_key`.
        """
        if event_kind not in EVENT_KINDS:
            raise InvalidInput(f"unknown kind of event {event_kind!r}")
        preferences = await preferences_of(tx, owner_id)
        created = []
        for channel, target in await self._destinations(tx, event_kind, owner_id, preferences, data):
            new, is_new = await self._messages.create(
                tx,
                message_type="alert_notification" if event_kind == "security_critical" else "event_notification",
                payload={"event_kind": event_kind, **{name: str(value) for name, value in data.items()}},
                notification=self._request(event_kind, preferences, data, channel, target),
                source=SCHEDULER,
                created_by=SCHEDULER,
                owner_id=owner_id,
                message_id=_message_id(event_kind, owner_id, key, channel, target),
            )
            if is_new:
                created.append(new)
        return created

    async def _destinations(
        self, tx: Transaction, kind: EventKind, owner_id: UUID, preferences: Preferences, data: Mapping[str, Any]
    ) -> list[tuple[EventChannel, str | None]]:
        """The chosen channels that have a confirmed target. If none has one, the log channel records the event.

        A step of an escalation names one channel; where that has no target, those that the person chose are used.
        """
        chosen = preferences.channels_for(kind)
        named = next((one for one in EVENT_CHANNELS if one == data.get("channel")), None)
        if named is not None and (found := await self._targets(tx, owner_id, preferences, data, (named,))):
            return found
        return await self._targets(tx, owner_id, preferences, data, chosen) or ([("log", None)] if chosen else [])

    async def _targets(
        self,
        tx: Transaction,
        owner_id: UUID,
        preferences: Preferences,
        data: Mapping[str, Any],
        chosen: Sequence[EventChannel],
    ) -> list[tuple[EventChannel, str | None]]:
        email = preferences.email or (str(data["user_email"]) if data.get("user_email") else None)
        topic, webhook = preferences.ntfy_topic, preferences.webhook_url
        destinations: list[tuple[EventChannel, str | None]] = []
        for channel in chosen:
            match channel:
                case "ntfy" if topic or self._has_ntfy_topic:
                    if await self._is_allowed(tx, owner_id, channel, topic):
                        destinations.append((channel, topic))
                case "webhook" if webhook or self._has_webhook:
                    if await self._is_allowed(tx, owner_id, channel, webhook):
                        destinations.append((channel, webhook))
                case "email" if email and await self._is_allowed(tx, owner_id, channel, email):
                    destinations.append((channel, email))
                case "web_push" if self._devices is not None:
                    owned = await self._devices.of_owner(tx, owner_id)
                    destinations += [(channel, str(one.device_id)) for one in owned]
                case "log":
                    destinations.append((channel, None))
        return destinations

    async def _is_allowed(self, tx: Transaction, owner_id: UUID, channel: AddressChannel, target: str | None) -> bool:
        if self._addresses is None or target is None:
            return True
        return await self._addresses.is_allowed(tx, owner_id, channel, target)

    def _request(
        self,
        kind: EventKind,
        preferences: Preferences,
        data: Mapping[str, Any],
        channel: EventChannel,
        target: str | None,
    ) -> NotificationRequest:
        language = preferences.language or self._language
        click = str(data.get("click_url") or "")
        return NotificationRequest(
            channel=channel,
            target=target,
            title=title_of(kind, language, data),
            body=body_of(kind, language, data),
            language=language,
            priority=NOTIFICATION_RULES[kind].priority,
            tags=NOTIFICATION_RULES[kind].tags,
            is_alarm=kind == "security_critical",
            click=click if click.startswith(("http://", "https://")) else None,
            thumbnail_key=str(data["thumbnail_key"]) if data.get("thumbnail_key") else None,
            not_before=preferences.not_before(kind, self._clock()),
        )


def _message_id(kind: EventKind, owner_id: UUID, key: str, channel: EventChannel, target: str | None) -> str:
    """One message per channel; to browsers, one for each of them."""
    device = (target,) if channel == "web_push" else ()
    return id_for("notice", kind, owner_id, key, channel, *device)
