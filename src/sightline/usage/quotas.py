"""Quotas of owners: the defaults of the settings, and what was set for an owner instead."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("usage.sql"))


@dataclass(frozen=True, slots=True)
class QuotasInForce:
    """In force for an owner; 0 is no limit."""

    storage_bytes: int = 0
    videos: int = 0
    open_uploads: int = 0
    minutes_per_month: int = 0

    @property
    def has_limits(self) -> bool:
        return self != QuotasInForce()


@dataclass(frozen=True, slots=True)
class OwnQuotas:
    """What was set for one owner: None is the default, 0 is no limit."""

    storage_bytes: int | None = None
    videos: int | None = None
    open_uploads: int | None = None
    minutes_per_month: int | None = None

    def over(self, defaults: QuotasInForce) -> QuotasInForce:
        own = {name: value for name, value in asdict(self).items() if value is not None}
        return QuotasInForce(**(asdict(defaults) | own))


async def quotas_set_for(tx: Transaction, owner_id: UUID) -> OwnQuotas:
    row = await _sql["quotas_of_owner"].row(tx, owner_id=owner_id)
    return OwnQuotas() if row is None else OwnQuotas(**dict(row))


async def quotas_set_for_owners(tx: Transaction, owner_ids: Iterable[UUID]) -> dict[UUID, OwnQuotas]:
    """Those of whom something was set."""
    rows = await _sql["quotas_of_owners"].rows(tx, owner_ids=list(owner_ids))
    return {row["owner_id"]: OwnQuotas(*list(row)[1:]) for row in rows}


async def quotas_in_force(tx: Transaction, owner_id: UUID, defaults: QuotasInForce) -> QuotasInForce:
    return (await quotas_set_for(tx, owner_id)).over(defaults)


async def set_quotas(tx: Transaction, owner_id: UUID, quotas: OwnQuotas) -> None:
    """In place of those before. Without any, the defaults apply again."""
    if quotas == OwnQuotas():
        await clear_quotas(tx, owner_id)
    else:
        await _sql["set_quotas"].run(tx, owner_id=owner_id, **asdict(quotas))
        await request_checks(tx, [owner_id])


async def clear_quotas(tx: Transaction, owner_id: UUID) -> None:
    await _sql["clear_quotas"].run(tx, owner_id=owner_id)
    await request_checks(tx, [owner_id])


async def request_checks(tx: Transaction, owner_ids: Iterable[UUID], *, in_s: float = 0) -> None:
    """Has the use of these owners compared with their quotas, for warnings."""
    await _sql["request_checks"].run(tx, owner_ids=list(owner_ids), in_s=in_s)
