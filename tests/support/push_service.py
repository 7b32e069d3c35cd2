"""A push service on loopback with a subscribed browser: refuses what RFC 8030 and 8292 refuse, decrypts by RFC 8291."""

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from support.ntfy_server import Asked, HttpDouble

CURVE = ec.SECP256R1()


def encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class PushService(HttpDouble):
    """Keeps what it was sent for its one browser, as the browser reads it."""

    server_key: str = ""
    """The public key that the browser subscribed with; tokens of others are refused."""
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    auth: bytes = b"sixteen bytes ok"
    shown: list[dict[str, Any]] = field(default_factory=list)
    is_subscribed: bool = True

    @property
    def subscription(self) -> dict[str, Any]:
        """What `PushSubscription.toJSON()` returns in the browser."""
        public = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": encoded(public), "auth": encoded(self.auth)}
        return {"endpoint": f"{self.url}/send/browser-1", "expirationTime": None, "keys": keys}

    def answer(self, asked: Asked) -> tuple[int, dict[str, str], bytes]:
        if not self.is_subscribed:
            return 410, {}, b"gone"
        if not asked.headers.get("ttl", "").isdigit() or asked.headers.get("content-encoding") != "aes128gcm":
            return 400, {}, b"TTL and Content-Encoding are needed"
        if len(asked.body) > 4096 or len(asked.headers.get("topic", "")) > 32:
            return 413, {}, b"too large"
        scheme, _, rest = asked.headers.get("authorization", "").partition(" ")
        parts = dict(item.strip().split("=", 1) for item in rest.split(","))
        if scheme != "vapid" or parts.get("k") != self.server_key:
            return 403, {}, b"another key"
        public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(parts["k"]))
        try:
            jwt.decode(parts["t"], public, ["ES256"], audience=self.url)
        except jwt.PyJWTError:
            return 403, {}, b"invalid token"
        self.shown.append(json.loads(self.decrypt(asked.body)))
        return 201, {"Location": f"{self.url}/message/{len(self.shown)}"}, b""

    def decrypt(self, body: bytes) -> bytes:
        salt, length = body[:16], body[20]
        sender, content = body[21 : 21 + length], body[21 + length :]
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        own = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        material = HKDF(SHA256(), 32, self.auth, b"WebPush: info\0" + own + sender).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(material)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(material)
        text, delimiter, _ = AESGCM(key).decrypt(nonce, content, None).rpartition(b"\2")
        assert delimiter
        return text


@asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    service = PushService()
    await service.start()
    try:
        yield service
    finally:
        await service.stop()
