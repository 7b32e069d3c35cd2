"""Limits of recordings: how long and how much of each camera is kept, the oldest goes first."""

from collections.abc import Mapping
from pathlib import Path
from uuid import UUID

import structlog

from sightline.cameras.recording.removal import RecordingSweep
from sightline.db import Database, Transaction, load_queries
from sightline.supervisor import Every

APPLY_EVERY_S = 300.0
"""A camera of 8 Mbit/s writes 300 MB in this time, by which a limit in bytes may be exceeded."""
BATCH_SIZE = 2000
EVERYTHING = 2**31 - 1

_sql = load_queries(Path(__file__).with_name("limits.sql"))

log = structlog.get_logger(__name__)


class RecordingLimits:
    """`days` counts for cameras that name none; `max_bytes` for all together. Safe to run in several processes, and to be
    killed."""

    def __init__(self, database: Database, sweep: RecordingSweep, *, days: float | None, max_bytes: int | None) -> None:
        self._database = database
        self._sweep = sweep
        self._days = days
        self._max_bytes = max_bytes

    def use(self, *, days: float | None, max_bytes: int | None) -> None:
        """Applies other limits from now on."""
        self._days, self._max_bytes = days, max_bytes

    def service(self) -> Every:
        return Every("recording-limits", APPLY_EVERY_S, self.apply)

    async def apply(self) -> dict[UUID, int]:
        """Removes what exceeds a limit. Returns the bytes of each segment."""
        removed: dict[UUID, int] = {}
        while True:
            async with self._database.transaction() as tx:
                due = await self._due(tx, BATCH_SIZE)
                await _sql["mark_for_removal"].run(tx, ids=list(due))
            if not due:
                break
            await self._sweep.remove_due()
            removed |= due
        if removed:
            log.info("recordings.limited", segments=len(removed), bytes=sum(removed.values()))
        return removed

    async def preview(self) -> Mapping[UUID, int]:
        """What would be removed now, without removing it."""
        async with self._database.transaction() as tx:
            return await self._due(tx, EVERYTHING)

    async def _due(self, tx: Transaction, limit: int) -> dict[UUID, int]:
        rows = [
            *await _sql["old_recordings"].rows(tx, days=self._days, limit=limit),
            *await _sql["recordings_over_size"].rows(tx, limit=limit),
        ]
        if self._max_bytes is not None:
            rows += await _sql["all_recordings_over_size"].rows(tx, max_bytes=self._max_bytes, limit=limit)
        return {row["recording_id"]: row["bytes"] for row in rows}
