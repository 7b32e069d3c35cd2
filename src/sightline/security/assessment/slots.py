"""Inference slots: the number of model calls at once, over all processes.

A slot is a row with a lease rather than an advisory lock: it holds no connection while the model thinks, works behind a
pooler, and becomes free by itself when its process was killed.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

from sightline.db import Database
from sightline.security.assessment import slots_store as store

FIRST_PAUSE_S, MAX_PAUSE_S = 0.05, 1.0

Pause = Callable[[float], Awaitable[object]]


class InferenceSlots:
    def __init__(
        self,
        database: Database,
        *,
        slots: int,
        lease_s: float,
        waited: Callable[[float], None] = lambda _: None,
        pause: Pause = asyncio.sleep,
    ) -> None:
        self._database = database
        self._slots = slots
        self._lease_s = lease_s
        self._waited = waited
        self._pause = pause
        self._are_there = False

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[int]:
        """Waits for a slot, and holds it while the block runs. The lease must be longer than anything done in it."""
        holder = uuid4()
        started = time.monotonic()
        slot = await self._claim(holder)
        self._waited(time.monotonic() - started)
        try:
            yield slot
        finally:
            async with self._database.transaction() as tx:
                await store.release_slot(tx, slot, holder)

    async def _claim(self, holder: UUID) -> int:
        pause_s = FIRST_PAUSE_S
        while True:
            async with self._database.transaction() as tx:
                if not self._are_there:
                    await store.ensure_slots(tx, self._slots)
                slot = await store.claim_slot(tx, holder, slots=self._slots, lease_s=self._lease_s)
            self._are_there = True
            if slot is not None:
                return slot
            await self._pause(pause_s)
            pause_s = min(pause_s * 1.5, MAX_PAUSE_S)
