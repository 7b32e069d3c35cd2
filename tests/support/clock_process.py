"""The clock of rules and schedules as a process of its own, to be killed in the middle of a call (see `forks`)."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

from prometheus_client import CollectorRegistry

from sightline.bus import BusSettings, default_topology, open_bus
from sightline.bus.scheduler.clock import BusClock
from sightline.db import Listener, Transaction, open_database
from support.postgres import patient_settings


class HangingBus:
    """Carries out calls of targets, and after so many it hangs: the call is written, its transaction is open."""

    def __init__(self, bus: Any, calls: int, say: Callable[[str], None]) -> None:
        self._bus = bus
        self._left = calls
        self._say = say

    async def fire_rule(self, tx: Transaction, *call: Any) -> None:
        await self._bus.fire_rule(tx, *call)
        await self._called()

    async def call_targets(self, tx: Transaction, *calls: Any) -> None:
        await self._bus.call_targets(tx, *calls)
        await self._called()

    async def _called(self) -> None:
        if self._left == 0:
            self._say("half-way")
            await asyncio.Event().wait()
        self._left -= 1


async def main(url: str, at: str, hangs_after: str, say: Callable[[str], None]) -> None:
    """For this process it is always the given time. It hangs in the call after so many, in none if that is empty."""
    now = datetime.fromisoformat(at)
    never = asyncio.Event()
    database = await open_database(patient_settings(pool_min=1), url)
    listener = Listener(url)
    topology = default_topology(stage="dev", bucket="videos")
    async with open_bus(BusSettings(), topology, database, listener, CollectorRegistry()) as opened:
        assert opened.registry is not None
        bus: Any = HangingBus(opened.bus, int(hangs_after or "-1"), say)
        clock = BusClock(bus, database, opened.registry, clock=lambda: now)
        await asyncio.gather(
            listener.run(never, lambda: None), clock.service(listener).run(never, lambda: say("started"))
        )
