"""The person whose data is meant, found by what an operator knows of them."""

import hashlib
import hmac
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from sightline.access import ERASED_PERSON
from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, NotFound

_sql = load_queries(Path(__file__).with_name("queries.sql"))


@dataclass(frozen=True, slots=True)
class KnownPerson:
    id: UUID
    names: tuple[str, ...]
    """Addresses and the id as text: how rows of others and the audit log name the person."""


async def is_known(tx: Transaction, owner_id: UUID) -> bool:
    return bool(await _sql["is_known"].value(tx, person=owner_id))


async def person_of(tx: Transaction, owner_id: UUID) -> KnownPerson:
    rows = await _sql["names"].rows(tx, person=owner_id, label=ERASED_PERSON)
    return KnownPerson(owner_id, (str(owner_id), *sorted(row["name"] for row in rows)))


async def find_person(tx: Transaction, text: str, *, issuer: str | None = None) -> KnownPerson:
    """By the subject at the identity provider, the owner id, or the email address of the newest token."""
    subjects = await _sql["subjects"].rows(tx, subject=_canonical(text))
    found = [row for row in subjects if issuer is None or row["issuer"] == issuer]
    if len(found) > 1:
        issuers = ", ".join(row["issuer"] or "(tokens without an issuer)" for row in found)
        raise Conflict(f"{text} is a subject of several issuers: {issuers}. Name one with --issuer")
    if found:
        return await person_of(tx, found[0]["owner_id"])
    if (owner_id := _uuid(text)) is not None and issuer is None:
        if await _sql["is_team"].value(tx, person=owner_id):
            raise NotFound(f"{text} is a team, not a person; see `sightline teams`")
        return await person_of(tx, owner_id)
    named = [] if issuer is not None else await _sql["named"].rows(tx, name=text)
    if len(named) > 1:
        ids = ", ".join(str(row["user_id"]) for row in named)
        raise Conflict(f"several people have signed in as {text}: {ids}. Name one by the id")
    if not named:
        raise NotFound(f"no person is known as {text}: use the subject of their token, their id or their email address")
    return await person_of(tx, named[0]["user_id"])


def pseudonym_id(person: UUID, secret: bytes) -> UUID:
    """Always the same for a person, so that an erasure can be resumed. It takes the installation's secret to compute it."""
    digest = hmac.new(secret, b"erased person " + person.bytes, hashlib.sha256).digest()
    return UUID(bytes=digest[:16], version=4)


def _canonical(text: str) -> str:
    found = _uuid(text)
    return text if found is None else str(found)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
