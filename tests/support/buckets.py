"""A bucket of its own for a test, on a server that speaks S3, and the settings that commands find it with."""

import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from pydantic import SecretStr

from sightline.objects import ObjectsSettings
from sightline.objects.s3 import S3ObjectStore
from sightline.objects.s3.clients import open_clients
from support.emulators import shared

ENDPOINT = "SIGHTLINE_OBJECTS_S3_ENDPOINT"
CREDENTIALS = {"ministack": ("test", "test"), "swift": ("test:tester", "testing")}


@dataclass(frozen=True, slots=True)
class Bucket:
    name: str
    store: S3ObjectStore
    environment: dict[str, str]

    async def keys(self, prefix: str = "") -> list[str]:
        return sorted([one.key async for one in self.store.find(prefix)])

    async def written_at(self, keys: Iterable[str]) -> dict[str, datetime]:
        found = {key: await self.store.head(key) for key in keys}
        return {key: stored.modified_at for key, stored in found.items() if stored is not None}


@asynccontextmanager
async def new_bucket(server: str) -> AsyncIterator[Bucket]:
    name = f"test-{secrets.token_hex(6)}"
    key_id, secret = CREDENTIALS[server]
    endpoint = shared(server).endpoint
    settings = ObjectsSettings(
        backend="s3",
        bucket=name,
        s3_endpoint=endpoint,
        s3_access_key_id=key_id,
        s3_secret_access_key=SecretStr(secret),
    )
    environment = {
        ENDPOINT: endpoint,
        "SIGHTLINE_OBJECTS_S3_ACCESS_KEY_ID": key_id,
        "SIGHTLINE_OBJECTS_S3_SECRET_ACCESS_KEY": secret,
    }
    async with open_clients(settings) as clients:
        await clients.calls.create_bucket(Bucket=name)
        yield Bucket(name, S3ObjectStore(clients, name), environment)
