"""Store of connections and API destinations. Secrets are sealed before they are stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from sightline.bus.names import Names
from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("connections.sql"))


@dataclass(frozen=True, slots=True)
class ApiConnection:
    """How to authorize requests. `shown_parameters` have no secrets; all are in `sealed_parameters`."""

    account_id: str
    name: str
    connection_id: UUID
    description: str | None
    authorization_type: str
    shown_parameters: Mapping[str, Any]
    sealed_parameters: bytes
    is_authorized: bool
    created_at: datetime
    changed_at: datetime
    authorized_at: datetime

    def arn(self, names: Names) -> str:
        return f"arn:aws:events:{names.region}:{self.account_id}:connection/{self.name}/{self.connection_id}"


@dataclass(frozen=True, slots=True)
class ApiDestination:
    account_id: str
    name: str
    destination_id: UUID
    description: str | None
    connection_arn: str
    endpoint: str
    """A URL; each * in it is a parameter that targets give."""
    method: str
    rate_limit: int
    created_at: datetime
    changed_at: datetime
    is_active: bool

    def arn(self, names: Names) -> str:
        return f"arn:aws:events:{names.region}:{self.account_id}:api-destination/{self.name}/{self.destination_id}"


async def add_connection(tx: Transaction, **values: Any) -> ApiConnection | None:
    """None if the account has one of that name."""
    return _connection(await _sql["add_connection"].row(tx, **values))


async def update_connection(tx: Transaction, **values: Any) -> ApiConnection | None:
    return _connection(await _sql["update_connection"].row(tx, **values))


async def find_connection(tx: Transaction, account_id: str, name: str) -> ApiConnection | None:
    return _connection(await _sql["find_connection"].row(tx, account_id=account_id, name=name))


async def list_connections(
    tx: Transaction, account_id: str, *, after: str, prefix: str, is_authorized: bool | None, limit: int
) -> list[ApiConnection]:
    rows = await _sql["list_connections"].rows(
        tx, account_id=account_id, after=after, prefix=prefix, is_authorized=is_authorized, limit=limit
    )
    return [ApiConnection(**row) for row in rows]


async def count_connections(tx: Transaction, account_id: str) -> int:
    found: int = await _sql["count_connections"].value(tx, account_id=account_id)
    return found


async def remove_connection(tx: Transaction, account_id: str, name: str) -> ApiConnection | None:
    return _connection(await _sql["remove_connection"].row(tx, account_id=account_id, name=name))


async def note_authorized(tx: Transaction, connection: ApiConnection) -> None:
    await _sql["authorized"].run(tx, account_id=connection.account_id, name=connection.name)


async def add_destination(tx: Transaction, **values: Any) -> ApiDestination | None:
    """None if the account has one of that name."""
    if await _sql["add_destination"].row(tx, **values) is None:
        return None
    return await find_destination(tx, values["account_id"], values["name"])


async def update_destination(tx: Transaction, **values: Any) -> ApiDestination | None:
    await _sql["update_destination"].row(tx, **values)
    return await find_destination(tx, values["account_id"], values["name"])


async def find_destination(tx: Transaction, account_id: str, name: str) -> ApiDestination | None:
    return _destination(await _sql["find_destination"].row(tx, account_id=account_id, name=name))


async def list_destinations(
    tx: Transaction, account_id: str, *, after: str, prefix: str, connection_arn: str | None, limit: int
) -> list[ApiDestination]:
    rows = await _sql["list_destinations"].rows(
        tx, account_id=account_id, after=after, prefix=prefix, connection_arn=connection_arn, limit=limit
    )
    return [ApiDestination(**row) for row in rows]


async def count_destinations(tx: Transaction, account_id: str) -> int:
    found: int = await _sql["count_destinations"].value(tx, account_id=account_id)
    return found


async def remove_destination(tx: Transaction, account_id: str, name: str) -> bool:
    return await _sql["remove_destination"].row(tx, account_id=account_id, name=name) is not None


def _connection(row: asyncpg.Record | None) -> ApiConnection | None:
    return None if row is None else ApiConnection(**row)


def _destination(row: asyncpg.Record | None) -> ApiDestination | None:
    return None if row is None else ApiDestination(**row)
