"""The proof of a webhook: the receiver has to return a random text that only the call to it had."""

import asyncio
import hmac
import json
import secrets
from uuid import uuid4

from sightline.errors import InvalidInput, PlatformError
from sightline.http import HttpClient
from sightline.notifications.push.settings import PushSettings
from sightline.notifications.push.webhook_address import Resolve, pin, system_addresses
from sightline.notifications.push.webhook_signing import InstallationKeys, signatures
from sightline.timing import iso_utc, utc_now


async def check_webhook(
    http: HttpClient,
    settings: PushSettings,
    keys: InstallationKeys,
    url: str,
    salts: tuple[bytes, ...],
    *,
    resolve: Resolve = system_addresses,
) -> None:
    """Raises `InvalidInput` unless the receiver returns the challenge. Says nothing of what is behind the address."""
    challenge, message_id, now = secrets.token_urlsafe(24), str(uuid4()), utc_now()
    timestamp = str(int(now.timestamp()))
    content = {
        "id": message_id,
        "kind": "challenge",
        "recipient": url,
        "challenge": challenge,
        "created_at": iso_utc(now),
    }
    body = json.dumps(content, separators=(",", ":")).encode()
    try:
        async with asyncio.timeout(settings.send_timeout_s):
            target = await pin(url, allow_private=settings.webhook_allow_private, resolve=resolve)
            response = await http.request(
                "POST",
                target.url,
                headers={
                    "Content-Type": "application/json",
                    "User-Agent": "Sightline",
                    "webhook-id": message_id,
                    "webhook-timestamp": timestamp,
                    "webhook-signature": signatures(keys.receiver_keys(url, salts), message_id, timestamp, body),
                },
                content=body,
                connect_to=target.ip,
            )
    except (TimeoutError, PlatformError) as error:
        raise _not_proven() from error
    if response.status != 200 or not hmac.compare_digest(_returned(response.body), challenge):
        raise _not_proven()


def _returned(body: bytes | bytearray) -> str:
    """The challenge as JSON (`{"challenge": …}`) or as the whole text. Pure."""
    text = body.decode("utf-8", "replace").strip()
    try:
        found = json.loads(text)
    except ValueError:
        found = text
    given = found.get("challenge") if isinstance(found, dict) else found
    return given if isinstance(given, str) and given.isascii() else ""


def _not_proven() -> InvalidInput:
    return InvalidInput(
        "the webhook did not return the challenge; it must answer a call of kind challenge with status 200 and"
        ' {"challenge": "…"}, then check it again'
    )
