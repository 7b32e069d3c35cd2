"""The description of the API as it is served. Making it takes a second, so that tests which only read it share one."""

import asyncio
import time
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jwt
from pydantic import SecretStr

from sightline.api import create_app
from sightline.bootstrap import open_platform
from sightline.config import AuthSettings, Settings
from sightline.observability import create_registry
from support.postgres import DatabaseAddresses, Databases, patient_settings


@cache
def served_description(databases: Databases, directory: Path, *, with_authentication: bool = False) -> dict[str, Any]:
    """What a caller is given by an API with or without authentication."""
    database = databases.migrated()
    try:
        return asyncio.run(_ask(database, directory, with_authentication))
    finally:
        databases.drop(database)


async def _ask(database: DatabaseAddresses, directory: Path, with_authentication: bool) -> dict[str, Any]:
    secret = "x" * 64
    auth = AuthSettings(jwt_secret=SecretStr(secret) if with_authentication else None)
    token = jwt.encode({"sub": "ann", "exp": int(time.time()) + 3600}, secret, "HS256")
    settings = Settings(
        state_dir=directory / "described", database=patient_settings(url=SecretStr(database.url)), auth=auth
    )
    async with open_platform(settings, registry=create_registry()) as platform:
        transport = httpx.ASGITransport(create_app(platform))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8400") as client:
            answer = await client.get("/openapi.json", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found
