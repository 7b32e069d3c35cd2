"""Dump and restore of the database, by the programs of the wheel."""

from collections.abc import Sequence
from pathlib import Path

import asyncpg

from sightline.db import run_client


async def dump_database(url: str, path: Path, arguments: Sequence[str] = ()) -> None:
    """A snapshot of one moment, taken while others write. The custom format, unless `arguments` name another."""
    await run_client("pg_dump", "--format=custom", f"--file={path}", *arguments, url=url)


async def load_database(url: str, path: Path) -> None:
    """Into an empty database; all of it or nothing."""
    await run_client("pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", str(path), url=url)


async def server_version(url: str) -> str:
    connection = await asyncpg.connect(url)
    try:
        return str(await connection.fetchval("SHOW server_version"))
    finally:
        await connection.close()


async def has_tables(url: str) -> bool:
    connection = await asyncpg.connect(url)
    try:
        return bool(await connection.fetchval("SELECT to_regclass('public.schema_migrations') IS NOT NULL"))
    finally:
        await connection.close()
