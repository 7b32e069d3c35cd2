"""Signatures of webhook calls in the form of Standard Webhooks, and the secrets of receivers. Pure.

`webhook-signature` is `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the
receiver; during a rotation there are two, separated by a space. The body names the recipient. ADR 0036.
"""

import base64
import hmac
from collections.abc import Sequence
from dataclasses import dataclass

PREFIX = "whsec_"


@dataclass(frozen=True, slots=True)
class InstallationKeys:
    """The key of the installation, and the one before while receivers move on to the new."""

    current: bytes
    previous: bytes | None = None

    @property
    def all(self) -> tuple[bytes, ...]:
        return (self.current,) if self.previous is None else (self.current, self.previous)

    def receiver_keys(self, address: str, salts: Sequence[bytes]) -> list[bytes]:
        """The keys of a receiver, the current one first. Without salts it is the installation's own webhook."""
        if not salts:
            return list(self.all)
        return [receiver_key(key, address, salt) for key in self.all for salt in salts]


def receiver_key(installation_key: bytes, address: str, salt: bytes) -> bytes:
    """The secret of one receiver. It is stored nowhere: who reads the database has the salt alone."""
    return hmac.digest(
        installation_key, b"sightline: secret of a webhook\0" + salt + b"\0" + address.encode(), "sha256"
    )


def as_secret(key: bytes) -> str:
    """As receivers get it."""
    return PREFIX + base64.b64encode(key).decode()


def key_of(secret: str) -> bytes:
    """The key that a setting stands for: the form of Standard Webhooks, or any text."""
    if secret.startswith(PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
        except ValueError:
            pass
    return secret.encode()


def signatures(keys: Sequence[bytes], message_id: str, timestamp: str, body: bytes) -> str:
    signed = f"{message_id}.{timestamp}.".encode() + body
    return " ".join("v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode() for key in keys)
