"""The notification channel to browsers, through the push service that each of them uses."""

import hashlib
import json
from urllib.parse import urlsplit
from uuid import UUID

import structlog

from sightline.errors import PermanentFailure
from sightline.http import HttpClient, check_status
from sightline.notifications.mail.plain_text import shorten
from sightline.notifications.push.channel import Notification, NotificationPriority
from sightline.notifications.push.webhook_address import Resolve, pin, system_addresses
from sightline.notifications.web_push.device import Device
from sightline.notifications.web_push.device_store import Devices
from sightline.notifications.web_push.encryption import MAX_CONTENT_BYTES, encrypt
from sightline.notifications.web_push.vapid import VapidKey
from sightline.timing import Clock, utc_now

# How long a push service keeps a message for a browser that is switched off.
KEPT_S: dict[NotificationPriority, int] = {"low": 3600, "normal": 86_400, "high": 86_400, "critical": 3 * 86_400}
URGENCY: dict[NotificationPriority, str] = {"low": "low", "normal": "normal", "high": "high", "critical": "high"}
MAX_TITLE_LENGTH = 120
MAX_BODY_LENGTH = 500
GONE = (404, 410)
TOPIC_LENGTH = 32

log = structlog.get_logger(__name__)


class DeviceGone(PermanentFailure):
    """The browser has unsubscribed, or its person removed it."""


class WebPushChannel:
    name = "web_push"

    def __init__(
        self,
        http: HttpClient,
        devices: Devices,
        key: VapidKey,
        *,
        allow_private: bool,
        resolve: Resolve = system_addresses,
        clock: Clock = utc_now,
    ) -> None:
        self._http = http
        self._devices = devices
        self._key = key
        self._allow_private = allow_private
        self._resolve = resolve
        self._clock = clock

    def destination(self, notification: Notification) -> str:
        return f"web_push {notification.target}"

    async def send(self, notification: Notification) -> str:
        device = await self._device(notification)
        # The endpoint was chosen by whoever subscribed: it is checked and connected to as a webhook is.
        target = await pin(device.endpoint, allow_private=self._allow_private, resolve=self._resolve)
        content = encrypt(as_payload(notification), receiver=device.public_key, auth_secret=device.auth_secret)
        response = await self._http.request(
            "POST",
            target.url,
            headers={
                "Content-Type": "application/octet-stream",
                "Content-Encoding": "aes128gcm",
                "TTL": str(KEPT_S[notification.priority]),
                "Urgency": URGENCY[notification.priority],
                "Topic": topic_of(notification.id),
                "Authorization": self._key.header(device.endpoint, self._clock()),
            },
            content=content,
            connect_to=target.ip,
        )
        if response.status in GONE:
            await self._devices.forget(device)
            log.info("web_push.device_gone", device_id=str(device.device_id), status=response.status)
            raise DeviceGone(f"{device.name} is not subscribed any more; turn notifications on there again")
        check_status("web_push", response, quote_body=False)
        await self._devices.mark_sent(device.device_id)
        return response.headers.get("location") or notification.id

    async def find(self, notification: Notification) -> str | None:
        return None  # browsers show notifications with the same tag once

    async def _device(self, notification: Notification) -> Device:
        if notification.target is None:
            raise PermanentFailure("the notification names no browser; turn on notifications in one")
        device = await self._devices.get(UUID(notification.target))
        if device is None:
            raise DeviceGone("the browser was removed from the notified ones")
        return device


def as_payload(notification: Notification) -> bytes:
    """What the service worker of the page shows. Pure."""
    content = _payload(notification, urlsplit(notification.click or "")._replace(scheme="", netloc="").geturl() or "/")
    # An address of the page is short; a longer one was chosen by a message, which is worth more than its link.
    return content if len(content) <= MAX_CONTENT_BYTES else _payload(notification, "/")


def _payload(notification: Notification, url: str) -> bytes:
    content = {
        "id": notification.id,
        "title": shorten(notification.title, max_length=MAX_TITLE_LENGTH),
        "body": shorten(notification.body, max_length=MAX_BODY_LENGTH),
        "url": url,
        "isCritical": notification.priority == "critical",
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def topic_of(message_id: str) -> str:
    """A later attempt replaces the one before, if the browser has not got it yet."""
    return hashlib.sha256(message_id.encode()).hexdigest()[:TOPIC_LENGTH]
