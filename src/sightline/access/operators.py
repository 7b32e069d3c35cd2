"""Operators whom other operators made: granted and taken here, unless the identity provider says that they are one."""

from pathlib import Path
from uuid import UUID

from sightline.access.scopes import OPERATOR
from sightline.contracts import Caller
from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, NotFound

_sql = load_queries(Path(__file__).with_name("rights.sql"))


async def grant_operator(tx: Transaction, person: UUID, *, by: UUID | None) -> None:
    """Makes a person who has signed in before an operator."""
    await _sql["lock_operators"].run(tx)
    if await _sql["person"].row(tx, user_id=person) is None:
        raise NotFound(f"no person {person} has signed in", code="PERSON_NOT_FOUND")
    await _sql["grant_operator"].run(tx, user_id=person, by=by)


async def end_operator(tx: Transaction, person: UUID, *, by: UUID | None) -> None:
    """Takes the role back, with the keys that have it. An operator by token stays one, and so does the last operator."""
    await _sql["lock_operators"].run(tx)
    found = await _sql["person"].row(tx, user_id=person)
    if found is None:
        raise NotFound(f"no person {person} has signed in", code="PERSON_NOT_FOUND")
    if found["is_operator_by_token"]:
        raise Conflict(
            "The identity provider makes this person an operator. Take the role away there.", code="PINNED_BY_ISSUER"
        )
    if not found["is_granted"]:
        return
    if not await _sql["has_other_operator"].value(tx, user_id=person):
        raise Conflict("This is the last operator. Make another person an operator first.", code="LAST_OPERATOR")
    await _sql["end_grant"].run(tx, user_id=person)
    await _sql["revoke_operator_keys"].run(tx, user_id=person, by=by, scope=OPERATOR)


async def is_operator_now(tx: Transaction, caller: Caller) -> bool:
    """Whether the caller is an operator until the transaction ends: whoever takes the role waits for it, and then finds what it
    made."""
    if "operator" in caller.roles or not caller.is_granted_operator:
        return caller.is_operator
    await _sql["lock_operators"].run(tx)
    return bool(await _sql["is_granted"].value(tx, user_id=caller.user_id))
