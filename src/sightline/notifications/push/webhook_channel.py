"""The notification channel to webhooks: signed JSON, sent only to the address that was checked.

Signed in the form of Standard Webhooks under the secret of the receiver (`webhook_signing`). For one more release, the older
signature is sent too: `X-Sightline-Signature` is `v1=` and the HMAC-SHA256, in hex, of `<X-Sightline-Timestamp>.<body>` under
the one secret of the installation; not to webhooks of users, unless settings say so.
"""

import hashlib
import hmac
import json

from sightline.errors import PermanentFailure
from sightline.http import HttpClient, check_status
from sightline.notifications.push.channel import Notification
from sightline.notifications.push.settings import PushSettings
from sightline.notifications.push.webhook_address import Resolve, check_webhook_url, pin, system_addresses
from sightline.notifications.push.webhook_signing import InstallationKeys, key_of, signatures
from sightline.timing import Clock, iso_utc, utc_now


class WebhookChannel:
    name = "webhook"

    def __init__(
        self,
        http: HttpClient,
        settings: PushSettings,
        *,
        secret: bytes,
        keys: InstallationKeys | None = None,
        resolve: Resolve = system_addresses,
        clock: Clock = utc_now,
    ) -> None:
        self._http = http
        self._url = settings.webhook_url
        self._allow_private = settings.webhook_allow_private
        self._legacy_secret = secret
        self._legacy = settings.webhook_legacy_signature
        self._keys = keys or InstallationKeys(key_of(secret.decode()))
        self._resolve = resolve
        self._clock = clock

    def destination(self, notification: Notification) -> str:
        parts = check_webhook_url(self._address(notification))
        return f"webhook {parts.hostname}" if parts.port is None else f"webhook {parts.hostname}:{parts.port}"

    async def send(self, notification: Notification) -> str:
        address = self._address(notification)
        target = await pin(address, allow_private=self._allow_private, resolve=self._resolve)
        body = as_body(notification, address)
        timestamp = str(int(self._clock().timestamp()))
        # Connects to the IP address that was checked; the certificate must be the host's all the same.
        response = await self._http.request(
            "POST",
            target.url,
            headers={
                "Content-Type": "application/json",
                "User-Agent": "Sightline",
                "webhook-id": notification.id,
                "webhook-timestamp": timestamp,
                "webhook-signature": signatures(
                    self._keys.receiver_keys(address, notification.salts), notification.id, timestamp, body
                ),
                **self._legacy_headers(notification, timestamp, body),
            },
            content=body,
            connect_to=target.ip,
        )
        check_status("webhook", response, quote_body=False)
        return notification.id

    async def find(self, notification: Notification) -> str | None:
        return None  # a webhook cannot be queried; its receiver recognizes repetitions by their id

    def _legacy_headers(self, notification: Notification, timestamp: str, body: bytes) -> dict[str, str]:
        # Users choose what their messages say: what the shared secret signs for one webhook would be valid for another.
        if self._legacy == "none" or (self._legacy == "installation" and notification.salts):
            return {}
        return {
            "X-Sightline-Message": notification.id,
            "X-Sightline-Timestamp": timestamp,
            "X-Sightline-Signature": legacy_signature(self._legacy_secret, timestamp, body),
        }

    def _address(self, notification: Notification) -> str:
        if (address := notification.target or self._url) is None:
            raise PermanentFailure(
                "the notification has no webhook; set one in the notification preferences or SIGHTLINE_PUSH_WEBHOOK_URL"
            )
        return address


def legacy_signature(secret: bytes, timestamp: str, body: bytes) -> str:
    return "v1=" + hmac.new(secret, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def as_body(notification: Notification, recipient: str) -> bytes:
    """The same bytes every time. Pure."""
    content = {
        "id": notification.id,
        "kind": notification.kind,
        "recipient": recipient,
        "title": notification.title,
        "body": notification.body,
        "priority": notification.priority,
        "tags": list(notification.tags),
        "click": notification.click,
        "created_at": iso_utc(notification.created_at),
        "correlation_id": notification.correlation_id,
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
