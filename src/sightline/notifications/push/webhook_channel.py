"""The notification channel to webhooks: signed JSON, sent only to the address that was checked.

`X-Sightline-Signature` is `v1=` and the HMAC-SHA256, in hex, of `<X-Sightline-Timestamp>.<body>` under the shared secret. Receivers
compare it in constant time, reject old timestamps, and recognize repetitions by `X-Sightline-Message`.
"""

import hashlib
import hmac
import json

from sightline.errors import PermanentFailure
from sightline.http import HttpClient, check_status
from sightline.notifications.push.channel import Notification
from sightline.notifications.push.settings import PushSettings
from sightline.notifications.push.webhook_address import Resolve, check_webhook_url, pin, system_addresses
from sightline.timing import Clock, iso_utc, utc_now


class WebhookChannel:
    name = "webhook"

    def __init__(
        self,
        http: HttpClient,
        settings: PushSettings,
        *,
        secret: bytes,
        resolve: Resolve = system_addresses,
        clock: Clock = utc_now,
    ) -> None:
        self._http = http
        self._url = settings.webhook_url
        self._allow_private = settings.webhook_allow_private
        self._secret = secret
        self._resolve = resolve
        self._clock = clock

    def destination(self, notification: Notification) -> str:
        parts = check_webhook_url(self._address(notification))
        return f"webhook {parts.hostname}" if parts.port is None else f"webhook {parts.hostname}:{parts.port}"

    async def send(self, notification: Notification) -> str:
        target = await pin(self._address(notification), allow_private=self._allow_private, resolve=self._resolve)
        body = as_body(notification)
        timestamp = str(int(self._clock().timestamp()))
        # Connects to the IP address that was checked; the certificate must be the host's all the same.
        response = await self._http.request(
            "POST",
            target.url,
            headers={
                "Content-Type": "application/json",
                "User-Agent": "Sightline",
                "X-Sightline-Message": notification.id,
                "X-Sightline-Timestamp": timestamp,
                "X-Sightline-Signature": signature(self._secret, timestamp, body),
            },
            content=body,
            connect_to=target.ip,
        )
        check_status("webhook", response, quote_body=False)
        return notification.id

    async def find(self, notification: Notification) -> str | None:
        return None  # a webhook cannot be queried; its receiver recognizes repetitions by their id

    def _address(self, notification: Notification) -> str:
        if (address := notification.target or self._url) is None:
            raise PermanentFailure(
                "the notification has no webhook; set one in the notification preferences or SIGHTLINE_PUSH_WEBHOOK_URL"
            )
        return address


def signature(secret: bytes, timestamp: str, body: bytes) -> str:
    return "v1=" + hmac.new(secret, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def as_body(notification: Notification) -> bytes:
    """The same bytes every time. Pure."""
    content = {
        "id": notification.id,
        "kind": notification.kind,
        "title": notification.title,
        "body": notification.body,
        "priority": notification.priority,
        "tags": list(notification.tags),
        "click": notification.click,
        "created_at": iso_utc(notification.created_at),
        "correlation_id": notification.correlation_id,
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
