"""Signed links and codes that prove an address. Pure.

A link names owner, address, a number that the stored address has too, and when it ends. It is signed with a key that signs nothing
else, so no other signature of the platform is a link. Once the address is confirmed, its number is gone, and the link with it.
"""

import base64
import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from sightline.errors import InvalidInput

CODE_DIGITS = 8
MAX_TOKEN_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class LinkContent:
    owner_id: UUID
    address: str
    number: bytes
    ends_at: datetime


class ChallengeKey:
    def __init__(self, installation_key: bytes) -> None:
        self._link_key = hmac.digest(installation_key, b"sightline: confirm an address", "sha256")
        self._code_key = hmac.digest(installation_key, b"sightline: code of a topic", "sha256")

    def sign(self, content: LinkContent) -> str:
        fields = [
            str(content.owner_id),
            content.address,
            content.number.hex(),
            int(content.ends_at.timestamp()),
        ]
        body = _encode(json.dumps(fields, separators=(",", ":")).encode())
        return f"{body}.{_encode(self._signature(body))}"

    def read(self, token: str, *, now: datetime) -> LinkContent:
        """Raises `InvalidInput` for a link that is not ours, was changed, or has ended."""
        body, _, signature = token[:MAX_TOKEN_LENGTH].partition(".")
        try:
            if not hmac.compare_digest(_decode(signature), self._signature(body)):
                raise ValueError("not our signature")
            owner_id, address, number, ends_at = json.loads(_decode(body))
        except ValueError:
            raise InvalidInput("This link is not valid; copy the whole link from the email") from None
        content = LinkContent(UUID(owner_id), address, bytes.fromhex(number), datetime.fromtimestamp(ends_at, UTC))
        if now >= content.ends_at:
            raise InvalidInput("This link has expired; ask for a new one in the notification preferences")
        return content

    def code_hash(self, owner_id: UUID, topic: str, code: str) -> bytes:
        return hmac.digest(self._code_key, f"{owner_id} {topic} {code}".encode(), "sha256")

    def _signature(self, body: str) -> bytes:
        return hmac.digest(self._link_key, body.encode(), hashlib.sha256)


def new_code() -> str:
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}d}"


def _encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
