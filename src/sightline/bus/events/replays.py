"""Replays: events of an archive are put again in their order, each once; another process resumes where one stopped."""

import json
from datetime import datetime

import structlog

from sightline.bus.bus import Sender
from sightline.bus.events import archive_store
from sightline.bus.events.archive_store import CHANNEL, Replay, StoredEvent
from sightline.bus.message import BusEvent, EventReplay
from sightline.bus.metrics import BusMetrics
from sightline.db import Database, Listener
from sightline.errors import NotFound
from sightline.supervisor import Every, NextRun

LOOK_EVERY_S = 15.0
SWEEP_EVERY_S = 300.0
BATCH = 100
SWEPT_AT_ONCE = 5000

log = structlog.get_logger(__name__)


class Replayer:
    def __init__(self, bus: Sender, database: Database, *, metrics: BusMetrics | None = None) -> None:
        self._bus = bus
        self._database = database
        self._metrics = metrics or BusMetrics(None)

    def service(self, listener: Listener) -> Every:
        return Every(
            "bus-replays",
            LOOK_EVERY_S,
            self.run,
            wake_on=lambda wake: listener.subscribe(CHANNEL, lambda _: wake()),
        )

    async def run(self) -> NextRun:
        """Replays one batch; other services have their turn between batches."""
        return NextRun(0 if await self.replay_batch() else LOOK_EVERY_S)

    async def replay_batch(self) -> bool:
        """Puts the next events of a replay and records how far it is, in one transaction. False if there is none."""
        async with self._database.transaction() as tx:
            replay = await archive_store.claim_replay(tx)
            if replay is None:
                return False
            if replay.state == "CANCELLING":
                await archive_store.move_replay(tx, replay, state="CANCELLED", reason="The user cancelled the replay.")
                return True
            stored = await archive_store.next_events(tx, replay, limit=BATCH)
            try:
                await self._bus.put_events(tx, *(_event(replay, one) for one in stored))
            except NotFound as error:
                await archive_store.move_replay(tx, replay, state="FAILED", reason=str(error))
                log.warning("bus.replay_failed", replay=replay.name, account_id=replay.account_id, error=str(error))
                return True
            state = "RUNNING" if len(stored) == BATCH else "COMPLETED"
            await archive_store.move_replay(tx, replay, state=state, last=stored[-1] if stored else None)
        self._metrics.replayed.inc(len(stored))
        return True


class ArchiveSweep:
    """Deletes events past the retention of their archive, and those of deleted archives."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def service(self) -> Every:
        return Every("archive-sweep", SWEEP_EVERY_S, self.sweep)

    async def sweep(self) -> NextRun:
        async with self._database.transaction() as tx:
            removed = await archive_store.sweep(tx, limit=SWEPT_AT_ONCE)
        if removed:
            log.info("bus.archives_swept", events=removed)
        return NextRun(0 if removed >= SWEPT_AT_ONCE else SWEEP_EVERY_S)


def _event(replay: Replay, stored: StoredEvent) -> BusEvent:
    content = json.loads(stored.event)
    return BusEvent(
        source=content["source"],
        detail_type=content["detail-type"],
        detail=content["detail"],
        resources=tuple(content["resources"]),
        event_bus=replay.event_bus,
        at=datetime.fromisoformat(content["time"]),
        account_id=content["account"],
        event_id=content["id"],
        replay=EventReplay(replay.name, frozenset(replay.rule_arns)),
    )
