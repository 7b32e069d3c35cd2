"""Store of browsers that are notified."""

from pathlib import Path
from uuid import UUID

from sightline.db import Database, Transaction, load_queries
from sightline.errors import Conflict, NotFound
from sightline.notifications.web_push.device import Device

MAX_DEVICES = 20

_sql = load_queries(Path(__file__).with_name("queries.sql"))


class Devices:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, tx: Transaction, device: Device) -> Device:
        known = await self.of_owner(tx, device.owner_id)
        if len(known) >= MAX_DEVICES and all(one.endpoint != device.endpoint for one in known):
            raise Conflict(f"{MAX_DEVICES} browsers are notified already; remove one first")
        [row] = await _sql["add"].rows(
            tx,
            device_id=device.device_id,
            owner_id=device.owner_id,
            endpoint=device.endpoint,
            public_key=device.public_key,
            auth_secret=device.auth_secret,
            name=device.name,
        )
        return Device(**row)

    async def of_owner(self, tx: Transaction, owner_id: UUID) -> list[Device]:
        return [Device(**row) for row in await _sql["of_owner"].rows(tx, owner_id=owner_id)]

    async def remove(self, tx: Transaction, device_id: UUID, *, owner_id: UUID) -> None:
        if not await _sql["remove_own"].rows(tx, device_id=device_id, owner_id=owner_id):
            raise NotFound(f"no browser {device_id} of yours is notified")

    async def get(self, device_id: UUID) -> Device | None:
        async with self._database.transaction() as tx:
            rows = await _sql["get"].rows(tx, device_id=device_id)
        return Device(**rows[0]) if rows else None

    async def mark_sent(self, device_id: UUID) -> None:
        async with self._database.transaction() as tx:
            await _sql["mark_sent"].run(tx, device_id=device_id)

    async def forget(self, device: Device) -> None:
        async with self._database.transaction() as tx:
            await _sql["remove_gone"].run(tx, device_id=device.device_id, endpoint=device.endpoint)
