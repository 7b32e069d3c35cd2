"""Store of people's addresses and of the challenges that were sent to them."""

from datetime import timedelta
from pathlib import Path
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.notifications.addresses.address import AddressChannel, OwnAddress, Proof, SentChallenge

_sql = load_queries(Path(__file__).with_name("queries.sql"))


async def get(tx: Transaction, owner_id: UUID, channel: AddressChannel, address: str) -> OwnAddress | None:
    row = await _sql["get"].row(tx, owner_id=owner_id, channel=channel, address=address)
    return None if row is None else _address(row)


async def of_owner(tx: Transaction, owner_id: UUID) -> list[OwnAddress]:
    return [_address(row) for row in await _sql["of_owner"].rows(tx, owner_id=owner_id)]


async def add(tx: Transaction, owner_id: UUID, channel: AddressChannel, address: str) -> None:
    await _sql["add"].run(tx, owner_id=owner_id, channel=channel, address=address)


async def confirm(tx: Transaction, owner_id: UUID, channel: AddressChannel, address: str, *, by: Proof) -> None:
    await _sql["confirm"].run(tx, owner_id=owner_id, channel=channel, address=address, confirmed_by=by)


async def set_challenge(
    tx: Transaction, owner_id: UUID, channel: AddressChannel, address: str, challenge: bytes, *, valid: timedelta
) -> None:
    await _sql["set_challenge"].run(
        tx, owner_id=owner_id, channel=channel, address=address, challenge=challenge, valid=valid
    )


async def count_try(
    tx: Transaction, owner_id: UUID, channel: AddressChannel, address: str, *, max_tries: int
) -> OwnAddress | None:
    row = await _sql["count_try"].row(tx, owner_id=owner_id, channel=channel, address=address, max_tries=max_tries)
    return None if row is None else _address(row)


async def recent_challenges(
    tx: Transaction, owner_id: UUID, channel: AddressChannel, address: str
) -> list[SentChallenge]:
    """Those of the last day. The caller counts alone until its transaction ends."""
    await _sql["lock_limits"].rows(tx, owner_id=owner_id, channel=channel, address=address)
    rows = await _sql["recent_challenges"].rows(tx, owner_id=owner_id, channel=channel, address=address)
    return [SentChallenge(row["age"], row["is_own"], row["is_here"]) for row in rows]


async def record_challenge(tx: Transaction, owner_id: UUID, channel: AddressChannel, address: str) -> None:
    await _sql["record_challenge"].run(tx, owner_id=owner_id, channel=channel, address=address)


async def set_salt(
    tx: Transaction, owner_id: UUID, address: str, salt: bytes, *, overlap: timedelta
) -> OwnAddress | None:
    row = await _sql["set_salt"].row(tx, owner_id=owner_id, address=address, salt=salt, overlap=overlap)
    return None if row is None else _address(row)


async def forget_others(tx: Transaction, owner_id: UUID, channel: AddressChannel, address: str | None) -> None:
    """Only the given one stays, besides those that preferences do not decide about."""
    await _sql["forget"].run(tx, owner_id=owner_id, channel=channel, address=address)


def _address(row: asyncpg.Record) -> OwnAddress:
    return OwnAddress(**dict(row))
