"""The upgrade: both servers side by side, dump and reload, comparison of everything, and then the swap."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import asyncpg
import structlog

from sightline.db import MAJOR, SUPERUSER, EmbeddedPostgres, ServerPrograms, data_version
from sightline.errors import ConfigurationError, PermanentFailure
from sightline.stage_progress import ReportProgress, StageProgress
from sightline.upgrade.contents import (
    Contents,
    available_extensions,
    database_contents,
    database_names,
    differences,
    extension_names,
    role_contents,
    session,
    table_count,
)
from sightline.upgrade.directories import UpgradeDirectories
from sightline.upgrade.old_programs import OldProgramsRequest, download_programs, find_old_programs
from sightline.upgrade.transfer import copy_roles, dump, load

_READ_ONLY = {"default_transaction_read_only": "on"}
# Loading without a log of rows: after a crash the upgrade starts over anyway.
_FOR_LOADING = {
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "256MB",
    "maintenance_work_mem": "256MB",
    "autovacuum": "off",
}
_SHOWN_DIFFERENCES = 5

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class UpgradeResult:
    kept: Path
    """The old data."""
    old_major: int
    contents: Contents | None
    """What was compared; None if only the swap of an interrupted upgrade was left to do."""
    lost_settings: tuple[str, ...] = ()
    """Lines of ALTER SYSTEM, which are not carried over."""


async def upgrade_data(
    postgres: Path, request: OldProgramsRequest, report: ReportProgress, *, run_as: str | None = None
) -> UpgradeResult | None:
    """Moves the data directory below `postgres` to this version's PostgreSQL. None: there was nothing to do.

    The caller holds the lock of the state directory. Until the swap at the end the old data is only read.
    """
    directories = UpgradeDirectories(postgres)
    new = EmbeddedPostgres(directories.work, run_as=run_as, extra_settings=_FOR_LOADING)
    await asyncio.to_thread(new.end_leftover)
    if (kept := await asyncio.to_thread(directories.finish_swap)) is not None:
        old_major = data_version(kept)
        assert old_major is not None
        return _finished(directories, UpgradeResult(kept, old_major, None, _altered_settings(kept)))
    major = data_version(directories.data)
    if major is None:
        raise ConfigurationError(f"there is no embedded database in {postgres}; name its directory with --state-dir")
    if major > MAJOR:
        raise ConfigurationError(
            f"{directories.data} was made by PostgreSQL {major}, which is newer than the {MAJOR} of this Sightline"
        )
    if major == MAJOR:
        directories.clean_up()
        return None
    programs = find_old_programs(major, request, directories.programs)
    await asyncio.to_thread(directories.check_space)
    if programs is None:
        report(StageProgress(f"Downloading PostgreSQL {major}"))
        programs = await download_programs(major, directories.programs)
    with _removed_after_failure(directories):
        contents = await _fill(directories, programs, new, run_as, report)
        report(StageProgress("Swapping the data directories"))
        kept = await asyncio.to_thread(directories.swap, major)
    return _finished(directories, UpgradeResult(kept, major, contents, _altered_settings(kept)))


async def _fill(
    directories: UpgradeDirectories,
    programs: ServerPrograms,
    new: EmbeddedPostgres,
    run_as: str | None,
    report: ReportProgress,
) -> Contents:
    """A new data directory that was compared with the old one. Both servers are stopped in the end."""
    old = EmbeddedPostgres(directories.postgres, run_as=run_as, extra_settings=_READ_ONLY, programs=programs)
    report(StageProgress(f"Starting PostgreSQL {programs.major} and {MAJOR}"))
    async with old.started():
        await asyncio.to_thread(directories.begin)
        async with new.started():
            names = await _check(old, new)
            await copy_roles(old, new, directories.work / "roles.sql")
            async with session(old.url_for(SUPERUSER, SUPERUSER)) as connection:
                before = await role_contents(connection)
            for number, name in enumerate(names):
                path = directories.dump / str(number)
                before.add(await _move(old, new, name, path, report), name)
                await asyncio.to_thread(shutil.rmtree, path)
            after = await _read_all(new, names, report)
    different = list(islice(differences(before, after), _SHOWN_DIFFERENCES))
    if different:
        raise PermanentFailure(f"the new data is not the same as the old, which stays in use: {'; '.join(different)}")
    return after


async def _check(old: EmbeddedPostgres, new: EmbeddedPostgres) -> list[str]:
    """The databases to move. Refuses what cannot be moved before any work is done."""
    async with session(old.url_for(SUPERUSER, SUPERUSER)) as connection:
        names = await database_names(connection)
    if closed := [name for name, is_open in names.items() if not is_open]:
        raise ConfigurationError(
            f"database {closed[0]} accepts no connections; allow them or drop it with the old server"
        )
    async with session(new.url_for(SUPERUSER, SUPERUSER)) as connection:
        available = await available_extensions(connection)
    for name in names:
        async with session(old.url_for(SUPERUSER, name)) as connection:
            if missing := await extension_names(connection) - available:
                raise ConfigurationError(
                    f"database {name} uses the extension {min(missing)}, which PostgreSQL {MAJOR} of this Sightline "
                    "does not have; drop it with the old server first"
                )
    return list(names)


async def _move(
    old: EmbeddedPostgres, new: EmbeddedPostgres, name: str, path: Path, report: ReportProgress
) -> Contents:
    """Dumps and reads the old database in one snapshot, and loads the dump."""
    url = old.url_for(SUPERUSER, name)
    async with session(url) as connection, connection.transaction(isolation="repeatable_read", readonly=True):
        snapshot = await connection.fetchval("SELECT pg_export_snapshot()")
        tables = await table_count(connection)
        await dump(url, path, snapshot=snapshot, tables=tables, stage=f"Dumping {name}", report=report)
        contents = await database_contents(connection, _counting(report, f"Reading {name}", tables))
    await load(new, name, path, tables=tables, stage=f"Loading {name}", report=report)
    return contents


async def _read_all(new: EmbeddedPostgres, names: list[str], report: ReportProgress) -> Contents:
    async with session(new.url_for(SUPERUSER, SUPERUSER)) as connection:
        found = await role_contents(connection)
    for name in names:
        async with session(new.url_for(SUPERUSER, name)) as connection:
            tables = await table_count(connection)
            found.add(await database_contents(connection, _counting(report, f"Comparing {name}", tables)), name)
            await _analyze(connection)
    return found


async def _analyze(connection: asyncpg.Connection) -> None:
    """The planner has no statistics after a reload."""
    await connection.execute("ANALYZE")


def _counting(report: ReportProgress, stage: str, tables: int) -> Callable[[int], None]:
    report(StageProgress(stage, 0, tables))
    return lambda done: report(StageProgress(stage, done, tables))


def _finished(directories: UpgradeDirectories, result: UpgradeResult) -> UpgradeResult:
    shutil.rmtree(directories.programs, ignore_errors=True)
    log.info("upgrade.finished", old_major=result.old_major, new_major=MAJOR, kept=str(result.kept))
    return result


def _altered_settings(kept: Path) -> tuple[str, ...]:
    lines = (kept / "postgresql.auto.conf").read_text(errors="replace").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


@contextmanager
def _removed_after_failure(directories: UpgradeDirectories) -> Iterator[None]:
    """A half-filled directory is of no use: it is removed, unless the swap has begun."""
    try:
        yield
    except BaseException:
        if data_version(directories.data) != MAJOR and data_version(directories.data) is not None:
            directories.clean_up()
        raise
