"""The channel to webhooks: signed JSON, to the address that was checked and to no other.

`X-Sightline-Signature` is `v1=` and the HMAC-SHA256, in hex, of `<X-Sightline-Timestamp>.<body>` under the shared secret. Receivers
compare it in constant time, refuse old timestamps, and tell repetitions by `X-Sightline-Message`.
"""

import hashlib
import hmac
import json

from sightline.errors import PermanentFailure
from sightline.notifications.http_client import HttpClient
from sightline.notifications.http_outcome import refusal
from sightline.notifications.push.channel import Push
from sightline.notifications.push.settings import PushSettings
from sightline.notifications.push.webhook_address import Resolve, check_url, pin, system_addresses
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

    def way(self, push: Push) -> str:
        return f"webhook {check_url(self._address(push)).hostname}"

    async def send(self, push: Push) -> str:
        place = await pin(self._address(push), allow_private=self._allow_private, resolve=self._resolve)
        body = as_body(push)
        timestamp = str(int(self._clock().timestamp()))
        # Called at the IP address that was checked; the certificate has to be the name's all the same.
        answer = await self._http.request(
            "POST",
            place.url,
            headers={
                "Content-Type": "application/json",
                "User-Agent": "Sightline",
                "X-Sightline-Message": push.id,
                "X-Sightline-Timestamp": timestamp,
                "X-Sightline-Signature": signature(self._secret, timestamp, body),
            },
            content=body,
            connect_to=place.ip,
        )
        if (problem := refusal("webhook", answer)) is not None:
            raise problem
        return push.id

    async def find(self, push: Push) -> str | None:
        return None  # a webhook cannot be asked; its receiver tells repetitions by their id

    def _address(self, push: Push) -> str:
        if (address := push.target or self._url) is None:
            raise PermanentFailure("the notification names no webhook, and there is none for all")
        return address


def signature(secret: bytes, timestamp: str, body: bytes) -> str:
    return "v1=" + hmac.new(secret, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def as_body(push: Push) -> bytes:
    """The same bytes every time. Pure."""
    content = {
        "id": push.id,
        "kind": push.kind,
        "title": push.title,
        "body": push.body,
        "priority": push.priority,
        "tags": list(push.tags),
        "click": push.click,
        "created_at": iso_utc(push.created_at),
        "correlation_id": push.correlation_id,
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
