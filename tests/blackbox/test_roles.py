"""Roles as processes of their own: the job types of `sightline work`, and a start before the database is migrated."""

import asyncio
import json
import signal
from pathlib import Path

import pytest

from support.command_server import CommandProcess
from support.platform_process import ask, sightline
from support.postgres import DatabaseAddresses
from support.waiting import soon

ROLES = ("api", "work", "consume", "schedule", "cameras")


async def line_with(process: CommandProcess, event: str) -> list[str]:
    """What the process has logged up to this event."""
    seen: list[str] = []
    while event not in seen:
        line = await soon(process.stderr.readline(), within_s=60)
        assert line, f"ended without {event}: {seen}"
        if line.startswith(b"{"):
            seen.append(json.loads(line)["event"])
    return seen


async def start(role: str, database: DatabaseAddresses, state: Path, *arguments: str) -> CommandProcess:
    return await sightline(
        *(role, *arguments),
        SIGHTLINE_DATABASE_URL=database.admin_url,
        SIGHTLINE_STATE_DIR=str(state / role),
        SIGHTLINE_API_PORT="0",
        SIGHTLINE_OBSERVABILITY_LOG_LEVEL="info",
        SIGHTLINE_OBSERVABILITY_LOG_FORMAT="json",
    )


async def stop(process: CommandProcess) -> int:
    process.send_signal(signal.SIGTERM)
    code = await soon(process.wait())
    process.close()
    return code


@pytest.mark.req(417)
async def test_roles_wait_for_the_migration_and_continue_by_themselves(
    empty_database: DatabaseAddresses, tmp_path: Path
):
    processes = {role: await start(role, empty_database, tmp_path) for role in ROLES}
    for role, process in processes.items():
        assert await line_with(process, "database.not_migrated") == ["database.not_migrated"], role
    code, _, err = await ask("migrate", SIGHTLINE_DATABASE_URL=empty_database.admin_url)
    assert code == 0, err
    for role, process in processes.items():
        seen = await line_with(process, "role.started")
        assert seen[0] == "database.ready", role
    assert await asyncio.gather(*map(stop, processes.values())) == [0] * len(ROLES)


@pytest.mark.req(417)
async def test_a_role_that_waits_stops_when_it_is_asked_to(empty_database: DatabaseAddresses, tmp_path: Path):
    process = await start("work", empty_database, tmp_path)
    await line_with(process, "database.not_migrated")
    assert await stop(process) == 0


@pytest.mark.req(416)
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--types", "transcode,thumbnail"), "'thumbnail' is not a job type; use one of transcode, sample"),
        (("--types", ","), "names no job type"),
        (("--concurrency", "ocr"), "'ocr' is not of the form TYPE=N"),
        (("--concurrency", "ocr=0"), "'0' is not a whole number from 1"),
        (("--concurrency", "ocr=many"), "'many' is not a whole number"),
        (("--types", "sample", "--concurrency", "ocr=2"), "'ocr' is not one of the job types of this process: sample"),
    ],
)
async def test_a_wrong_choice_of_job_types_is_refused_in_words(arguments: tuple[str, ...], reason: str):
    code, _, err = await ask("work", *arguments)
    assert code == 2
    assert reason in " ".join(err.replace("│", " ").split())


@pytest.mark.req(416)
async def test_a_process_runs_the_chosen_job_types_and_no_other(fresh_database: DatabaseAddresses, tmp_path: Path):
    process = await start("work", fresh_database, tmp_path, "--types", "ocr, segment_index", "--concurrency", "ocr=4")
    assert "role.started" in await line_with(process, "role.started")
    code, out, err = await ask("work", "--help")
    assert (code, "--types" in out, "--concurrency" in out) == (0, True, True), err
    assert await stop(process) == 0
