"""VAPID: the key by which push services know the installation, and the token of a request (RFC 8292)."""

import base64
import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import SecretStr

from sightline.notifications.web_push.encryption import CURVE, public_bytes
from sightline.secret_file import installation_secret

FILE = "vapid-secret"
TOKEN_VALID = timedelta(hours=12)  # push services refuse more than 24 hours
# The number of points of P-256 (SEC 2, 2.4.2).
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@dataclass(frozen=True, slots=True)
class VapidKey:
    private: ec.EllipticCurvePrivateKey
    contact: str
    """Whom the operator of a push service may write to: a mailto: or https: address."""

    @property
    def public(self) -> str:
        """As browsers want it: the uncompressed point in base64url."""
        return _text(public_bytes(self.private.public_key()))

    def header(self, endpoint: str, now: datetime) -> str:
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int((now + TOKEN_VALID).timestamp()),
            "sub": self.contact,
        }
        return f"vapid t={jwt.encode(claims, self.private, 'ES256')}, k={self.public}"


def vapid_key(given: SecretStr | None, state_directory: Path, *, contact: str) -> VapidKey:
    """Derived from one secret, so that a fleet needs to share a text only. Another secret ends all subscriptions."""
    secret = installation_secret(given, state_directory / FILE, setting="SIGHTLINE_PUSH_VAPID_SECRET")
    number = int.from_bytes(hashlib.sha512(b"sightline web push\0" + secret).digest()) % (_ORDER - 1) + 1
    return VapidKey(ec.derive_private_key(number, CURVE), contact)


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
