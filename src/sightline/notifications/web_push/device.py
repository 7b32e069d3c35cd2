"""A browser that is notified: its push service's endpoint and its keys. Pure."""

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec

from sightline.errors import InvalidInput
from sightline.notifications.push.webhook_address import check_webhook_url
from sightline.notifications.web_push.encryption import CURVE

AUTH_SECRET_BYTES = 16


@dataclass(frozen=True, slots=True)
class Device:
    device_id: UUID
    owner_id: UUID
    endpoint: str
    public_key: bytes
    auth_secret: bytes
    name: str
    created_at: datetime
    last_sent_at: datetime | None = None


def check_endpoint(text: str, *, allow_private: bool) -> str:
    """Push services speak https; only where private addresses are allowed may one be tried without it."""
    parts = check_webhook_url(text)
    if parts.scheme != "https" and not allow_private:
        raise InvalidInput("a push endpoint must begin with https://")
    return parts.geturl()


def decode_key(text: str, *, name: str) -> bytes:
    """A key of a subscription as browsers give it: base64url without padding."""
    try:
        content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        if name == "auth":
            if len(content) != AUTH_SECRET_BYTES:
                raise ValueError(f"{len(content)} bytes")
        else:
            ec.EllipticCurvePublicKey.from_encoded_point(CURVE, content)
    except (ValueError, binascii.Error) as error:
        raise InvalidInput(f"keys.{name} is not a key of a push subscription") from error
    return content
