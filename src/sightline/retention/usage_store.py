"""The measured use of storage in the database, where every process reads it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("usage.sql"))


@dataclass(frozen=True, slots=True)
class UsageRow:
    kind: str
    bytes: int
    objects: int
    measured_at: datetime


async def save_usage(tx: Transaction, figures: Mapping[str, tuple[int, int]]) -> None:
    """Bytes and objects by kind; they replace those of the measurement before."""
    await _sql["save_usage"].run(
        tx,
        kinds=list(figures),
        bytes=[size for size, _ in figures.values()],
        objects=[count for _, count in figures.values()],
    )


async def load_usage(tx: Transaction) -> list[UsageRow]:
    return [UsageRow(**dict(row)) for row in await _sql["load_usage"].rows(tx)]


async def database_bytes(tx: Transaction) -> int:
    return int(await _sql["database_bytes"].value(tx))
