"""LaneTurns of the lanes of fair queues: alarms first, then one lane after the other."""

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import asyncpg

from sightline.bus.lanes import LaneShare
from sightline.db import Transaction, load_queries

# A claim for many messages takes this part of them from one lane at a time, so that one claim serves several lanes.
LANES_PER_CLAIM = 4

_sql = load_queries(Path(__file__).with_name("queries.sql"))


class ClaimParameters(NamedTuple):
    queue_id: int
    visibility_s: float
    max_receives: int
    dead_letter_queue_id: int
    keeps_age: bool


@dataclass(slots=True)
class LaneTurns:
    """Whose turn it is in one queue. Each process counts its own turns."""

    _last: dict[bool, str] = field(default_factory=lambda: defaultdict(str))

    async def claim(
        self, tx: Transaction, parameters: ClaimParameters, *, limit: int, share: LaneShare | None
    ) -> list[asyncpg.Record]:
        """Up to `limit` messages, in the order in which their lanes have their turns."""
        left = {} if share is None else share.left
        per_lane = max(1, limit // LANES_PER_CLAIM)
        found: list[asyncpg.Record] = []
        for is_urgent in (True, False):
            while len(found) < limit:
                rows = await _sql["claim_in_turn"].rows(
                    tx,
                    queue_id=parameters.queue_id,
                    visibility_s=parameters.visibility_s,
                    max_receives=parameters.max_receives,
                    dead_letter_queue_id=parameters.dead_letter_queue_id,
                    keeps_age=parameters.keeps_age,
                    is_urgent=is_urgent,
                    after=self._last[is_urgent],
                    per_lane=per_lane if share is None else min(per_lane, share.max_per_lane),
                    lanes=list(left),
                    left=list(left.values()),
                    limit=limit - len(found),
                )
                if not rows:
                    break
                found += rows
                for row in rows:
                    if share is not None:
                        left[row["lane"]] = left.get(row["lane"], share.max_per_lane) - 1
                self._last[is_urgent] = last_in_turn([row["lane"] for row in rows], after=self._last[is_urgent])
        return found


def last_in_turn(lanes: list[str], *, after: str) -> str:
    """The lane whose turn came last: lanes after `after` have theirs first, then those before it. Pure."""
    return max(lanes, key=lambda lane: (lane <= after, lane))
