"""The database: reachable, of a version that works, migrated, with its clock and its notifications."""

import asyncio
from datetime import UTC, datetime
from urllib.parse import urlsplit

import asyncpg

from sightline.bootstrap import addresses
from sightline.config import Settings
from sightline.db import connect_errors, pending
from sightline.doctor.diagnosis import Diagnosis, ok, problem, warning
from sightline.errors import ConfigurationError, PlatformError
from sightline.state_directory import StateDirectory

PART = "database"
MIN_VERSION = 150000
MAX_CLOCK_DIFFERENCE_S = 2.0
NOTIFICATION_WITHIN_S = 5.0
_CHANNEL = "sightline_doctor"


async def examine_database(settings: Settings) -> list[Diagnosis]:
    is_embedded = settings.database.url is None
    if is_embedded and StateDirectory(settings.state_dir).holder() is None:
        return [ok(PART, "embedded; it is started by `sightline up`, and was not examined")]
    found = addresses(settings)
    try:
        with connect_errors():
            connection = await asyncpg.connect(
                found.service, timeout=settings.database.connect_timeout_s, statement_cache_size=0
            )
    except (PlatformError, OSError, asyncpg.PostgresError) as error:
        return [problem(PART, f"cannot be reached: {error}", fix=_reach_fix(found.service))]
    try:
        async with connection.transaction():  # behind a pooler, one connection of the server
            findings = [*await _server(connection), await _clock(connection)]
        findings += await _migrations(found.service)
    finally:
        await connection.close()
    return [*findings, await _notifications(found.direct, settings)]


def _reach_fix(url: str) -> str:
    where = urlsplit(url)
    server = f"{where.hostname or 'its socket'}:{where.port or 5432}"
    return (
        f"check that PostgreSQL runs on {server}, that its pg_hba.conf lets this machine in, and SIGHTLINE_DATABASE_URL"
    )


async def _server(connection: "asyncpg.Connection[asyncpg.Record]") -> list[Diagnosis]:
    version = int(await connection.fetchval("SHOW server_version_num"))
    text = str(await connection.fetchval("SHOW server_version"))
    if version < MIN_VERSION:
        return [problem(PART, f"PostgreSQL {text} is too old", fix="use PostgreSQL 15 or newer")]
    findings = [ok(PART, f"PostgreSQL {text}")]
    if await connection.fetchval("SHOW fsync") == "off" or await connection.fetchval("SHOW full_page_writes") == "off":
        findings.append(problem(PART, "a power failure would lose data", fix="set fsync and full_page_writes to on"))
    if await connection.fetchval("SHOW synchronous_commit") == "off":
        findings.append(warning(PART, "a crash loses the last commits", fix="set synchronous_commit to on"))
    return findings


async def _migrations(url: str) -> list[Diagnosis]:
    try:
        missing = await pending(url)
    except asyncpg.InsufficientPrivilegeError:
        return [problem(PART, "is not migrated", fix="sightline migrate")]
    except ConfigurationError as error:
        return [problem(PART, str(error), fix="install the newer version here as well")]
    if missing:
        return [
            problem(PART, f"{len(missing)} migrations are missing, from {missing[0].name} on", fix="sightline migrate")
        ]
    return [ok(PART, "migrated")]


async def _clock(connection: "asyncpg.Connection[asyncpg.Record]") -> Diagnosis:
    before = datetime.now(UTC)
    theirs = await connection.fetchval("SELECT clock_timestamp()")
    difference = (theirs - before).total_seconds()
    if abs(difference) > MAX_CLOCK_DIFFERENCE_S:
        return warning(
            "clock",
            f"the database's clock is {difference:+.0f} s from this machine's",
            fix="let both follow a time server (chrony, systemd-timesyncd): leases, schedules and signatures depend on it",
        )
    return ok("clock", "as the database's")


async def _notifications(url: str, settings: Settings) -> Diagnosis:
    """LISTEN does not work through a pooler in transaction mode; everything would be found by polling alone."""
    received = asyncio.Event()
    try:
        connection = await asyncpg.connect(url, timeout=settings.database.connect_timeout_s, statement_cache_size=0)
        try:
            await connection.add_listener(_CHANNEL, lambda *_: received.set())
            other = await asyncpg.connect(url, timeout=settings.database.connect_timeout_s, statement_cache_size=0)
            try:
                await other.execute(f"NOTIFY {_CHANNEL}")
                await asyncio.wait_for(received.wait(), NOTIFICATION_WITHIN_S)
            finally:
                await other.close()
        finally:
            await connection.close()
    except (TimeoutError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        return problem(
            "notifications",
            f"LISTEN does not work: {str(error) or 'no notification arrived'}",
            fix="set SIGHTLINE_DATABASE_DIRECT_URL to an address that bypasses the pooler",
        )
    return ok("notifications", "LISTEN and NOTIFY work")
