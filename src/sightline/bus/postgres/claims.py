"""Claims of visible messages, by single statements: of the oldest, or lane by lane; in order, in a transaction."""

import asyncio
from collections import defaultdict
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg

from sightline.bus.lanes import LaneShare
from sightline.bus.postgres.adding import lock_fifo
from sightline.bus.postgres.floor import ClaimFloor
from sightline.bus.postgres.turns import ClaimParameters, LaneTurns, last_in_turn
from sightline.bus.topology import Queue
from sightline.db import Database, Transaction, load_queries

UNPARK_EVERY_S = 0.2

_sql = load_queries(Path(__file__).with_name("queries.sql"))
_client_sql = load_queries(Path(__file__).with_name("client_queries.sql"))


class Claim(NamedTuple):
    queue: Queue
    parameters: ClaimParameters
    limit: int
    dead_letter_queue: str | None
    """Where messages that were received too often go."""
    with_times: bool = True
    """Whether it matters when messages were sent and first received; claims by lanes and in order always say so."""

    def has_dead(self, rows: Sequence[asyncpg.Record]) -> bool:
        return any(row["queue_id"] != self.parameters.queue_id for row in rows)


class Claims:
    """What this process remembers of each queue between two claims."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._unpark_at: dict[str, float] = {}
        self._floors: dict[str, ClaimFloor] = defaultdict(ClaimFloor)
        self._turns: dict[str, LaneTurns] = defaultdict(LaneTurns)
        self._last_groups: dict[str, str] = {}

    async def claim(self, claim: Claim, share: LaneShare | None) -> tuple[list[asyncpg.Record], bool]:
        """The claimed rows, dead letters among them, and whether the whole queue was searched for them.

        If the caller is cancelled, messages may be claimed all the same."""
        if claim.queue.is_fifo:
            return await self._claim_in_order(claim), True
        await self._unpark(claim)
        begin_at = 0
        if claim.queue.is_fair:
            turns = self._turns[claim.queue.name]
            rows = await turns.claim(self._database, claim.parameters, limit=claim.limit, share=share)
        else:
            floor = self._floors[claim.queue.name]
            begin_at = floor.begin_at()
            rows = await self._claim_oldest(claim, begin_at)
            floor.learn(min([row["seq"] for row in rows]) if len(rows) == claim.limit else 0)
        if claim.dead_letter_queue is not None and claim.has_dead(rows):
            async with self._database.transaction() as tx:
                await notify_queues(tx, claim.dead_letter_queue)
        return rows, not begin_at

    def look_for_due(self, queue: str) -> None:
        """Makes the next claim look for parked messages that are due, even if another did so a moment ago."""
        self._unpark_at.pop(queue, None)

    def forget_queues_but(self, known: Container[str]) -> None:
        remembered: tuple[dict[str, Any], ...] = (self._unpark_at, self._floors, self._turns, self._last_groups)
        for one in remembered:
            for name in [name for name in one if name not in known]:
                del one[name]

    async def _claim_oldest(self, claim: Claim, begin_at: int) -> list[asyncpg.Record]:
        async with self._database.statement() as tx:
            return await _sql["claim"].rows(
                tx, floor=begin_at, limit=claim.limit, with_times=claim.with_times, **claim.parameters._asdict()
            )

    async def _claim_in_order(self, claim: Claim) -> list[asyncpg.Record]:
        """Claims from a FIFO queue; groups take turns, so that a long one does not hold up the others."""
        queue = claim.queue.name
        after = self._last_groups.get(queue, "")
        async with self._database.transaction(by_index=True) as tx:
            await lock_fifo(tx, [claim.parameters.queue_id])
            rows = await _client_sql["claim_fifo"].rows(
                tx, after=after, limit=claim.limit, **claim.parameters._asdict()
            )
            if claim.dead_letter_queue is not None and claim.has_dead(rows):
                await notify_queues(tx, claim.dead_letter_queue)
        # Groups come one after the other, as in SQS: messages of a group are worked on together.
        rows.sort(key=lambda row: (row["lane"] <= after, row["lane"], row["seq"]))
        if rows:
            self._last_groups[queue] = last_in_turn([row["lane"] for row in rows], after=after)
        return rows

    async def _unpark(self, claim: Claim) -> None:
        if self._is_time_to_unpark(claim.queue.name):
            self._unpark_at[claim.queue.name] = asyncio.get_running_loop().time() + UNPARK_EVERY_S
            async with self._database.statement() as tx:
                await _sql["unpark_due"].run(tx, queue_id=claim.parameters.queue_id)

    def _is_time_to_unpark(self, queue: str) -> bool:
        return asyncio.get_running_loop().time() >= self._unpark_at.get(queue, 0.0)


async def notify_queues(tx: Transaction, *queues: str) -> None:
    """Wakes those who wait for these queues when the transaction commits."""
    await _sql["notify_all"].rows(tx, queues=list(queues))
