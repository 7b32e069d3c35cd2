"""Access keys: an API key in the form of AWS, as a key id and a secret that signs requests."""

import asyncio
import base64
import hmac
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pydantic import SecretStr

from sightline.access.api_key import ApiKey, read_key
from sightline.access.keys import ApiKeys
from sightline.access.keys_store import keys_with_hashes
from sightline.contracts import LOCAL_OWNER
from sightline.db import Database
from sightline.secret_file import installation_secret
from sightline.timing import Clock, utc_now

FILE = "access-key-secret"
# A revoked key ends within this time; a request of every consumer every few milliseconds must not cost a query each.
REMEMBERED_S = 1.0
MAX_REMEMBERED = 10_000
_SECRET_LENGTH = 40  # as long as those of AWS, which some clients check


@dataclass(frozen=True, slots=True)
class AccessKey:
    """An active key with the secret that its requests are signed with."""

    key: ApiKey
    secret: str = field(repr=False)


def access_key_secret(given: SecretStr | None, state_directory: Path) -> bytes:
    """The secret that secret access keys are derived from: from settings, or created once in the state directory."""
    return installation_secret(given, state_directory / FILE, setting="SIGHTLINE_AUTH_ACCESS_KEY_SECRET")


class AccessKeys:
    """Secret access keys are derived from a secret of the installation and the stored hash of the key: the database alone
    is not enough to sign a request."""

    def __init__(
        self, keys: ApiKeys, database: Database, secret: bytes, *, is_local: bool, clock: Clock = utc_now
    ) -> None:
        self._keys = keys
        self._database = database
        self._secret = secret
        self._clock = clock
        self._local = _local_key() if is_local else None
        self._remembered: dict[str, tuple[float, AccessKey | None]] = {}

    def secret_of(self, key_text: str) -> str:
        """The secret access key of an API key, while its text is at hand."""
        key = read_key(key_text)
        assert key is not None, "the text is one that was just made"
        return self._derive(key.key_id, key.hash())

    async def find(self, key_id: str) -> AccessKey | None:
        """The active key with this id, at most a second old."""
        if self._local is not None and key_id == self._local.key.key_id:
            return self._local
        now = asyncio.get_running_loop().time()
        found_at, found = self._remembered.get(key_id, (float("-inf"), None))
        if now - found_at < REMEMBERED_S:
            return found
        if len(self._remembered) >= MAX_REMEMBERED:
            self._remembered.clear()
        found = await self._read(key_id)
        self._remembered[key_id] = now, found
        return found

    async def _read(self, key_id: str) -> AccessKey | None:
        async with self._database.transaction() as tx:
            stored = await keys_with_hashes(tx, [key_id])
        key, stored_hash = stored.get(key_id, (None, b""))
        now = self._clock()
        if key is None or not key.is_active(now):
            return None
        self._keys.note_use(key_id, now)
        return AccessKey(key, self._derive(key_id, stored_hash))

    def _derive(self, key_id: str, stored_hash: bytes) -> str:
        made = hmac.digest(self._secret, b"secret access key\0" + key_id.encode() + stored_hash, "sha256")
        return base64.b64encode(made).decode()[:_SECRET_LENGTH]


def _local_key() -> AccessKey:
    """Without sign-in, programs of this machine act as the local owner anyway: with the key that emulators accept."""
    key = ApiKey(
        key_id="test",
        name="Local programs",
        scopes=frozenset({"bus:use", "operator"}),
        owner_id=LOCAL_OWNER.user_id,
        owner_email=LOCAL_OWNER.email,
        team_ids=(),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        expires_at=None,
        last_used_at=None,
        revoked_at=None,
    )
    return AccessKey(key, "test")
