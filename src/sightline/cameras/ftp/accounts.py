"""Who may upload: each camera of kind folder, by its user name and its password or an API key of its owner, into its own folder."""

import hmac
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from sightline.access import OPERATOR, ApiKey, ApiKeys, looks_like_key
from sightline.bus import Sealing
from sightline.cameras.folder import folder_of
from sightline.cameras.problems import SourceProblem
from sightline.cameras.secrets import open_secrets
from sightline.cameras.source import CameraSource
from sightline.cameras.sources_store import sealed_secrets, source_of
from sightline.db import Database, load_queries
from sightline.errors import NotAuthenticated, PermanentFailure

KEY_SCOPE = "detections:write"

_sql = load_queries(Path(__file__).with_name("accounts.sql"))


@dataclass(frozen=True, slots=True)
class FtpAccount:
    camera_key: UUID
    camera_id: str
    folder: Path


class FtpAccounts:
    def __init__(self, database: Database, sealing: Sealing, folders: Path, api_keys: ApiKeys) -> None:
        self._database = database
        self._api_keys = api_keys
        self._sealing = sealing
        self._folders = folders

    async def find(self, username: str, password: str) -> FtpAccount | None:
        """None for a wrong user or password alike."""
        if not username.isprintable() or not password:
            return None
        key = await self._checked_key(password) if looks_like_key(password) else None
        async with self._database.transaction() as tx:
            for row in await _sql["cameras_of_user"].rows(tx, username=username):
                source = await source_of(tx, row["camera_key"])
                sealed = await sealed_secrets(tx, row["camera_key"])
                if source is None:
                    continue
                try:
                    folder = folder_of(source.camera_key, source.address, source.reach, folders=self._folders)
                except SourceProblem:
                    continue
                if (key is not None and _opens(key, row["owner_id"])) or self._is_password(source, sealed, password):
                    return FtpAccount(source.camera_key, row["camera_id"], folder)
        return None

    async def _checked_key(self, text: str) -> ApiKey | None:
        try:
            return await self._api_keys.check(text)
        except NotAuthenticated:
            return None

    def _is_password(self, source: CameraSource, sealed: bytes | None, password: str) -> bool:
        try:
            secrets = open_secrets(self._sealing, source, sealed)
        except PermanentFailure:
            return False
        expected = (secrets.password or "").encode("utf-8", "surrogateescape")
        return bool(expected) and hmac.compare_digest(expected, password.encode("utf-8", "surrogateescape"))


def _opens(key: ApiKey, owner_id: UUID) -> bool:
    """A key that may send detections uploads for the cameras of its owner, or as operator for all."""
    return KEY_SCOPE in key.scopes and (key.owner_id == owner_id or OPERATOR in key.scopes)
