"""The registry: every queue, topic, subscription, event bus and rule, those of clients beside the declared ones (ADR 0054)."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from uuid import UUID

from sightline.bus.names import Names
from sightline.bus.registry import store
from sightline.bus.registry.account import Account, new_account_id
from sightline.bus.registry.quotas import Quotas, check_quota
from sightline.bus.registry.resources import Resource, kind_of
from sightline.bus.registry.snapshot import Snapshot
from sightline.db import Database, Listener, Transaction
from sightline.supervisor import Every

CHANNEL = "sightline_bus_topology"
REFRESH_EVERY_S = 15.0
# Removals are remembered for this long; a process that has not read for half of that starts from an empty snapshot.
REMOVALS_KEPT_S = 24 * 3600.0


class Registry:
    """Reads go to `snapshot`, which holds everything in memory. It follows changes of this process at once, and those of others
    within moments of their notification."""

    def __init__(self, database: Database, names: Names, quotas: Quotas | None = None) -> None:
        self.names = names
        self.snapshot = Snapshot()
        self.quotas = quotas or Quotas()
        self._database = database
        self._reading = asyncio.Lock()
        self._read_at = float("-inf")
        self._accounts: dict[UUID, str] = {}
        self._on_change: list[Callable[[], None]] = []

    def service(self, listener: Listener) -> Every:
        """Keeps the snapshot current while it runs."""
        return Every(
            "bus-topology",
            REFRESH_EVERY_S,
            self.refresh,
            wake_on=lambda wake: listener.subscribe(CHANNEL, lambda _: wake()),
        )

    def on_change(self, react: Callable[[], None]) -> None:
        """Calls `react` whenever the snapshot was replaced. It must not block."""
        self._on_change.append(react)

    async def refresh(self) -> None:
        """Reads what changed since the last time."""
        async with self._reading, self._database.transaction() as tx:
            await self._read(tx)

    @asynccontextmanager
    async def changing(self) -> AsyncIterator["Change"]:
        """One change of the topology; changes of all processes happen one after the other, so what the snapshot of the change
        shows stays true until its end. The snapshot of this process has it when the block is left."""
        async with self._database.transaction() as tx:
            await store.lock_changes(tx)
            async with self._reading:
                await self._read(tx)
            yield Change(tx, self)
            await store.notify_changes(tx)
        await self.refresh()

    async def account(self, owner_id: UUID, *, is_operator: bool) -> Account:
        """The account of an owner, made at first use; operators act in the platform's own."""
        if is_operator:
            return Account(self.names.account_id, owner_id, is_operator=True)
        account_id = self._accounts.get(owner_id)
        while account_id is None:
            async with self._database.transaction() as tx:
                account_id = await store.account_of_owner(tx, owner_id)
                if account_id is None and (new := new_account_id()) != self.names.account_id:
                    await store.add_account(tx, new, owner_id)
        self._accounts[owner_id] = account_id
        return Account(account_id, owner_id)

    async def owners(self) -> dict[str, UUID]:
        """The owner of each account; the platform's own account belongs to all operators and is not among them."""
        async with self._database.transaction() as tx:
            return await store.owners(tx)

    async def removed_at(self, resource_kind: str, key: str) -> datetime | None:
        """When a resource was removed last, if that was lately."""
        async with self._database.transaction() as tx:
            return await store.removed_at(tx, resource_kind, key)

    async def forget_removals(self) -> None:
        async with self._database.transaction() as tx:
            await store.forget_removals(tx, after_s=REMOVALS_KEPT_S)

    async def _read(self, tx: Transaction) -> None:
        now = time.monotonic()
        base = self.snapshot if now - self._read_at < REMOVALS_KEPT_S / 2 else Snapshot()
        version, changes = await store.read_changes(tx, self.names, base.version)
        if changes or base is not self.snapshot:
            self.snapshot = base.with_changes(version, changes)
            for react in self._on_change:
                react()
        self._read_at = now


class Change:
    """A change under way. Nothing of it is visible before the block of `Registry.changing` ends without an error."""

    def __init__(self, tx: Transaction, registry: Registry) -> None:
        self.tx = tx
        self.snapshot = registry.snapshot
        self._quotas = registry.quotas

    async def put(self, resource: Resource) -> None:
        """Creates the resource or replaces it; refused if its account has as many as it may."""
        if not resource.is_declared:
            check_quota(self.snapshot, resource, self._quotas)
        await store.put(self.tx, resource)

    async def remove(self, resource: Resource) -> None:
        """Removes the resource and what belongs to it: a topic's subscriptions, an event bus's rules, a queue's messages."""
        await store.remove(self.tx, resource)

    async def removed_at(self, resource: Resource) -> datetime | None:
        return await store.removed_at(self.tx, kind_of(resource), resource.key)
