"""Dump and restore of the database, by the programs of the wheel."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

import asyncpg

from sightline.db import client_program
from sightline.errors import ConfigurationError, PermanentFailure

_PASSWORD = re.compile(r"(://[^:/@]*):[^@]*@")


async def dump_database(url: str, path: Path, arguments: Sequence[str] = ()) -> None:
    """A snapshot of one moment, taken while others write. The custom format, unless `arguments` name another."""
    await _run("pg_dump", "--format=custom", f"--file={path}", *arguments, f"--dbname={url}")


async def load_database(url: str, path: Path) -> None:
    """Into an empty database; all of it or nothing."""
    await _run("pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", f"--dbname={url}", str(path))


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


async def _run(program: str, *arguments: str) -> None:
    try:
        process = await asyncio.create_subprocess_exec(
            str(client_program(program)), *arguments, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
    except OSError as error:
        raise ConfigurationError(f"{program} of the wheel cannot be started: {error}") from error
    try:
        _, errors = await process.communicate()
    except BaseException:
        process.kill()
        await process.wait()
        raise
    if process.returncode != 0:
        text = _PASSWORD.sub(r"\1:***@", errors.decode(errors="replace").strip())
        raise PermanentFailure(f"{program} failed: {text}")
