"""Memberships as last seen: what alert rules go by while their owner is not there (ADR 0038)."""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from sightline.contracts import Caller
from sightline.db import Database, Transaction, load_queries
from sightline.paging import Cursor

MAX_REMEMBERED = 10_000
RECORD_EVERY_S = 3600.0

_sql = load_queries(Path(__file__).with_name("memberships.sql"))


@dataclass(frozen=True, slots=True)
class SignedInPerson:
    user_id: UUID
    name: str | None
    team_ids: Sequence[UUID]
    is_operator: bool
    is_granted_operator: bool
    seen_at: datetime


async def list_people(tx: Transaction, *, limit: int, before: Cursor[UUID] | None) -> list[SignedInPerson]:
    rows = await _sql["people"].rows(
        tx,
        limit=limit,
        seen_at=None if before is None else before.at,
        user_id=None if before is None else before.id,
    )
    return [SignedInPerson(**row) for row in rows]


class Memberships:
    """Records the teams and the role of each caller: at once when a newer token names others, otherwise once an hour."""

    def __init__(self, database: Database, *, days: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._days = days
        self._clock = clock
        self._recorded: OrderedDict[UUID, tuple[tuple[frozenset[UUID], bool], datetime, float]] = OrderedDict()

    async def record(self, caller: Caller, *, issued_at: datetime) -> None:
        teams, now = frozenset(caller.team_ids), self._clock()
        claims = (teams, "operator" in caller.roles)
        known = self._recorded.get(caller.user_id)
        if known is not None:
            known_claims, known_issued_at, recorded_at = known
            is_old = issued_at < known_issued_at
            if is_old or (claims == known_claims and now - recorded_at < RECORD_EVERY_S):
                return
        async with self._database.transaction() as tx:
            await _sql["record"].run(
                tx,
                user_id=caller.user_id,
                team_ids=sorted(teams),
                name=caller.email,
                is_operator="operator" in caller.roles,
                issued_at=issued_at,
                days=self._days,
            )
        self._recorded[caller.user_id] = (claims, issued_at, now)
        self._recorded.move_to_end(caller.user_id)
        if len(self._recorded) > MAX_REMEMBERED:
            self._recorded.popitem(last=False)
