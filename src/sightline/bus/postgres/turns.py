"""LaneTurns of the lanes of fair queues: alarms first, then one lane after the other."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import asyncpg

from sightline.bus.lanes import LaneShare
from sightline.db import Database, load_queries
from sightline.errors import BackendUnavailable

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
    _is_one_lane: bool = False
    """Whether the last claim found the messages of one lane alone, so that there is nobody to share the next one with."""

    async def claim(
        self, database: Database, parameters: ClaimParameters, *, limit: int, share: LaneShare | None
    ) -> list[asyncpg.Record]:
        """Up to `limit` messages, in the order in which their lanes have their turns."""
        left = {} if share is None else share.left
        most = limit if share is None else min(limit, share.max_per_lane)
        per_lane = most if self._is_one_lane else min(most, max(1, limit // LANES_PER_CLAIM))
        found: list[asyncpg.Record] = []
        while True:
            try:
                async with database.statement() as tx:
                    rows = await _sql["claim_in_turn"].rows(
                        tx,
                        **parameters._asdict(),
                        after_urgent=self._last[True],
                        after=self._last[False],
                        per_lane=per_lane,
                        lanes=list(left),
                        left=list(left.values()),
                        claimed=[row["seq"] for row in found],
                        limit=limit - len(found),
                    )
            except BackendUnavailable:
                if not found:
                    raise
                break  # what was claimed before is committed, and would be hidden from everybody
            found += rows
            for is_urgent in (True, False):
                if lanes := [row["lane"] for row in rows if row["is_urgent"] == is_urgent]:
                    self._last[is_urgent] = last_in_turn(lanes, after=self._last[is_urgent])
            if not rows or len(found) >= limit:
                break
            taken = Counter((row["is_urgent"], row["lane"]) for row in rows)
            for (_, lane), count in taken.items():
                left[lane] = left.get(lane, most) - count
            # All lanes had their turn: those that gave less than they might have no more, or not for this consumer.
            if not any(count >= per_lane and left[lane] > 0 for (_, lane), count in taken.items()):
                break
        if found:
            self._is_one_lane = len({row["lane"] for row in found}) == 1
        return found


def last_in_turn(lanes: list[str], *, after: str) -> str:
    """The lane whose turn came last: lanes after `after` have theirs first, then those before it. Pure."""
    return max(lanes, key=lambda lane: (lane <= after, lane))
