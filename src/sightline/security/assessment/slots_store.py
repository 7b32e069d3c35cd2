"""The rows behind inference slots."""

from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("slots.sql"))


async def ensure_slots(tx: Transaction, slots: int) -> None:
    await _sql["ensure_slots"].run(tx, slots=slots)


async def claim_slot(tx: Transaction, holder: UUID, *, slots: int, lease_s: float) -> int | None:
    found: int | None = await _sql["claim_slot"].value(tx, holder=holder, slots=slots, lease_s=lease_s)
    return found


async def release_slot(tx: Transaction, slot: int, holder: UUID) -> None:
    await _sql["release_slot"].run(tx, slot=slot, holder=holder)
