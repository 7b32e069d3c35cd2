"""Rights that are given here rather than by the identity provider: memberships in teams, as they are at this moment."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.contracts import Caller, Membership
from sightline.db import Database, Grouped, Transaction, load_queries

CHANNEL = "sightline_rights"
"""Notified whenever the rights of anybody change."""

_sql = load_queries(Path(__file__).with_name("rights.sql"))


@dataclass(frozen=True, slots=True)
class Rights:
    memberships: tuple[Membership, ...] = ()
    is_granted_operator: bool = False

    @classmethod
    def of(cls, caller: Caller) -> "Rights":
        return cls(caller.memberships, caller.is_granted_operator)


class CallerRights:
    """A read for each caller of a bearer token; those at the same moment share one query. Nothing is remembered, so that who is
    removed from a team is out of it with the next request, in every process. Sessions and keys bring their rights along."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._reads = Grouped(self._read_group)

    async def added_to(self, caller: Caller) -> Caller:
        rights = await self._reads.call(caller.user_id)
        return replace(caller, memberships=rights.memberships, is_granted_operator=rights.is_granted_operator)

    async def _read_group(self, people: Sequence[UUID]) -> list[Rights]:
        async with self._database.transaction() as tx:
            found = await rights_of(tx, people)
        return [found[person] for person in people]


async def rights_of(tx: Transaction, people: Sequence[UUID]) -> dict[UUID, Rights]:
    rows = await _sql["rights_of"].rows(tx, user_ids=list(set(people)))
    return {row["user_id"]: Rights(memberships_from(row["memberships"]), row["is_granted_operator"]) for row in rows}


def memberships_from(stored: Sequence[Sequence[Any]]) -> tuple[Membership, ...]:
    """From what `sightline.memberships_of` returns."""
    return tuple(Membership(UUID(team), role) for team, role in stored)
