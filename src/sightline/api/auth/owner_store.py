"""Owner ids as recorded: the first issuer that names a UUID keeps it, and every spelling of a subject has one id (ADR 0037)."""

from collections import OrderedDict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal, NamedTuple
from uuid import UUID

from sightline.api.auth.owner_ids import Identity, Ids, canonical, derived_id, is_uuid, issued_id
from sightline.db import Database, Transaction, load_queries

MAX_REMEMBERED = 10_000

_sql = load_queries(Path(__file__).with_name("owner_ids.sql"))


class _Subject(NamedTuple):
    kind: Literal["person", "team"]
    spelling: str

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, canonical(self.spelling)


class StoredOwnerIds:
    """What was found once never changes, so each process asks the database once for a caller."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._remembered: OrderedDict[Identity, Ids] = OrderedDict()

    async def of(self, identity: Identity) -> Ids:
        found = self._remembered.pop(identity, None) or await self._read(identity)
        self._remembered[identity] = found
        if len(self._remembered) > MAX_REMEMBERED:
            self._remembered.popitem(last=False)
        return found

    async def _read(self, identity: Identity) -> Ids:
        person = _Subject("person", identity.subject)
        teams = [_Subject("team", team) for team in identity.teams]
        # A UUID in a token that names no issuer is tied to none: it is the id, whichever issuer has it otherwise.
        known = {one.key: UUID(one.key[1]) for one in (person, *teams) if not identity.issuer and is_uuid(one.spelling)}
        recorded = {one.key: one.spelling for one in (person, *teams) if one.key not in known}
        async with self._database.transaction() as tx:
            # But for teams that were made here: nobody becomes one by what a token says.
            made_here = await _made_here(tx, known.values())
            known = {key: issued_id("", key[1]) if found in made_here else found for key, found in known.items()}
            if recorded:
                known |= await _ids(tx, identity.issuer, recorded)
        return Ids(known[person.key], tuple(known[team.key] for team in teams))


async def _made_here(tx: Transaction, ids: Collection[UUID]) -> set[UUID]:
    if not ids:
        return set()
    return {row["owner_id"] for row in await _sql["made_here"].rows(tx, owner_ids=list(ids))}


async def _ids(tx: Transaction, issuer: str, recorded: dict[tuple[str, str], str]) -> dict[tuple[str, str], UUID]:
    known = await _find(tx, issuer, recorded)
    # The spelling first seen decides: what its owner stored before identities were recorded has the id of that spelling.
    first_choice = {key: derived_id(issuer, spelling) for key, spelling in recorded.items()}
    second_choice = {key: issued_id(issuer, key[1]) for key in recorded}
    for choice in (first_choice, second_choice):
        missing = {key: owner_id for key, owner_id in choice.items() if key not in known}
        if not missing:
            break
        await _sql["claim"].run(
            tx,
            issuer=issuer,
            kinds=[kind for kind, _ in missing],
            subjects=[subject for _, subject in missing],
            owner_ids=list(missing.values()),
        )
        known |= await _find(tx, issuer, missing)
    return known


async def _find(tx: Transaction, issuer: str, keys: Mapping[tuple[str, str], object]) -> dict[tuple[str, str], UUID]:
    kinds, subjects = [kind for kind, _ in keys], [subject for _, subject in keys]
    rows = await _sql["find"].rows(tx, issuer=issuer, kinds=kinds, subjects=subjects)
    return {(row["kind"], row["subject"]): row["owner_id"] for row in rows}
