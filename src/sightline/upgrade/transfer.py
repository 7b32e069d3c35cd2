"""Roles and databases from one running server into another, by dump and reload."""

import asyncio
import os
import re
from pathlib import Path

from sightline.db import SUPERUSER, EmbeddedPostgres, run_client
from sightline.stage_progress import ReportProgress, StageProgress

PRESENT_EVERYWHERE = frozenset({"postgres", "template1"})
"""Databases that initdb makes, so they are filled and not created."""
_MAX_JOBS = 4
_DUMPED = "dumping contents of table"
_LOADED = "processing data for table"
_BUILT = re.compile(r"creating (INDEX|CONSTRAINT|FK CONSTRAINT)")
_OWN_ROLE = f"CREATE ROLE {SUPERUSER};"


async def copy_roles(old: EmbeddedPostgres, new: EmbeddedPostgres, file: Path) -> None:
    """With their passwords, memberships and settings."""
    url = old.url_for(SUPERUSER, SUPERUSER)
    await run_client("pg_dumpall", "--globals-only", f"--file={file}", url=url)
    await asyncio.to_thread(_leave_out_own_role, file)
    await run_client(
        *("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--file={file}"),
        url=new.url_for(SUPERUSER, SUPERUSER),
    )


def _leave_out_own_role(file: Path) -> None:
    """The one role that every server has already."""
    file.write_text("".join(line for line in file.read_text().splitlines(True) if line.strip() != _OWN_ROLE))


async def dump(url: str, path: Path, *, snapshot: str, tables: int, stage: str, report: ReportProgress) -> None:
    done = 0

    def on_line(line: str) -> None:
        nonlocal done
        if _DUMPED in line:
            done += 1
            report(StageProgress(stage, min(done, tables), tables))

    report(StageProgress(stage, 0, tables))
    await run_client(
        *("pg_dump", "--format=directory", "--compress=gzip:1", "--create", "--verbose", f"--jobs={_jobs()}"),
        *(f"--snapshot={snapshot}", f"--file={path}"),
        url=url,
        on_line=on_line,
    )


async def load(
    new: EmbeddedPostgres, database: str, path: Path, *, tables: int, stage: str, report: ReportProgress
) -> None:
    """Creates the database unless every server has it. All or nothing is up to the caller, who removes the whole server."""
    loaded = built = 0

    def on_line(line: str) -> None:
        nonlocal loaded, built
        if _LOADED in line:
            loaded += 1
            report(StageProgress(stage, min(loaded, tables), tables))
        elif loaded >= tables and _BUILT.search(line):
            built += 1
            report(StageProgress("Building indexes and constraints", built, 0))

    report(StageProgress(stage, 0, tables))
    is_present = database in PRESENT_EVERYWHERE
    await run_client(
        *("pg_restore", "--exit-on-error", "--verbose", f"--jobs={_jobs()}"),
        *(() if is_present else ("--create",)),
        str(path),
        url=new.url_for(SUPERUSER, database if is_present else SUPERUSER),
        on_line=on_line,
    )


def _jobs() -> int:
    return min(_MAX_JOBS, os.cpu_count() or 1)
