"""Dump and restore of the database, by the programs of the wheel."""

from collections.abc import Sequence
from pathlib import Path

import asyncpg

from sightline.db import run_client


async def dump_database(url: str, path: Path, arguments: Sequence[str] = ()) -> None:
    """A snapshot of one moment, taken while others write. The custom format, unless `arguments` name another.

    Vectors of texts are left out, and with them the extension that not every server has (ADR 0075): they are made again.
    """
    left_out = ["--exclude-table=public.passage_vectors"]
    if not await _have_others_vectors(url):
        left_out.append("--exclude-extension=vector")
    await run_client("pg_dump", "--format=custom", f"--file={path}", *left_out, *arguments, url=url)


async def load_database(url: str, path: Path) -> None:
    """Into an empty database; all of it or nothing."""
    await run_client("pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", str(path), url=url)


async def _have_others_vectors(url: str) -> bool:
    """Whether tables beside those of the platform need the extension; also where that cannot be told."""
    connection = await asyncpg.connect(url)
    try:
        if await connection.fetchval("SELECT to_regprocedure('sightline.vectors_serve_others()')") is None:
            return True
        return bool(await connection.fetchval("SELECT sightline.vectors_serve_others()"))
    finally:
        await connection.close()


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
