"""The form of an API key: `slk_<key id>_<secret>`. Pure."""

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sightline.contracts import Membership

PREFIX = "slk_"
_FORM = re.compile(r"slk_([A-Z2-7]{16})_([A-Za-z0-9_-]{43})")
_KEY_ID_BYTES = 10
_SECRET_BYTES = 32
# What a secret is compared with when its key does not exist, so that the comparison takes the same time.
_NO_HASH = bytes(32)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as lists show it. The secret is known only to the caller that created it."""

    key_id: str
    name: str
    scopes: frozenset[str]
    owner_id: UUID
    owner_email: str | None
    team_ids: tuple[UUID, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
    memberships: tuple[Membership, ...] = ()
    """Of its owner, when the key was checked."""

    def is_active(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class KeyText:
    """The two halves of a key that a client sent, or that was just made."""

    key_id: str
    secret: str

    def __repr__(self) -> str:
        return f"KeyText({self.key_id})"  # the secret stays out of logs and tracebacks

    def text(self) -> str:
        """The whole key, as it is shown once."""
        return f"{PREFIX}{self.key_id}_{self.secret}"

    def hash(self) -> bytes:
        """One round of SHA-256 is enough: a secret of 256 random bits cannot be guessed, unlike a password."""
        return hashlib.sha256(self.secret.encode()).digest()

    def matches(self, stored_hash: bytes | None) -> bool:
        return hmac.compare_digest(self.hash(), stored_hash or _NO_HASH) and stored_hash is not None


def new_key() -> KeyText:
    """The key id has 80 random bits, in letters that may also be an AWS access key id."""
    key_id = base64.b32encode(secrets.token_bytes(_KEY_ID_BYTES)).decode()
    return KeyText(key_id, secrets.token_urlsafe(_SECRET_BYTES))


def looks_like_key(text: str) -> bool:
    return text.startswith(PREFIX)


def read_key(text: str) -> KeyText | None:
    """None if the text does not have the form of a key."""
    found = _FORM.fullmatch(text)
    return None if found is None else KeyText(found[1], found[2])
