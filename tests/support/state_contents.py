"""What an operator can see of a state directory: rows, objects, and how commands end."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import asyncpg

from support.embedded_server import running_server
from support.platform_process import ask, sightline
from support.waiting import soon, until

TABLES = """
SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
WHERE schemaname !~ '^pg_' AND schemaname <> 'information_schema' ORDER BY 1"""
# Written by the running platform itself, at any moment.
MOVING = {
    *("public.live_streams", "sightline.bus_messages", "public.live_messages", "public.service_heartbeats"),
    "public.storage_usage",
}


def put_objects(state: Path, count: int, *, content: bytes = b"frame ") -> None:
    """As a person may copy files into the store by hand."""
    for number in range(count):
        path = state / "objects" / "frames" / "by-hand" / f"{number:05d}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content + str(number).encode() * 100)


def objects_of(state: Path) -> dict[str, bytes]:
    root = state / "objects"
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not str(path.relative_to(root)).startswith(".")
    }


async def rows_of(url: str) -> dict[str, list[str]]:
    """The rows of every table, as text."""
    connection = await asyncpg.connect(url)
    try:
        tables = [row["format"] for row in await connection.fetch(TABLES)]
        return {
            table: sorted(row["text"] for row in await connection.fetch(f"SELECT t::text AS text FROM {table} AS t"))
            for table in tables
            if table not in MOVING
        }
    finally:
        await connection.close()


async def rows_at_rest(state: Path) -> dict[str, list[str]]:
    """The same of a state directory that no platform runs on."""
    async with running_server(state / "postgres") as postgres:
        return await rows_of(postgres.admin_url)


async def succeeds(*arguments: str, **more: str) -> str:
    """What the command printed."""
    code, out, err = await ask(*arguments, within_s=300, **more)
    assert code == 0, err
    return out


async def fails(*arguments: str, **more: str) -> str:
    """What the command said, in one line and without a traceback."""
    code, _, err = await ask(*arguments, within_s=300, **more)
    assert code == 1, (code, err)
    lines = [line for line in err.splitlines() if not line.endswith("…")]  # stages
    assert len(lines) == 1, err
    assert lines[0].startswith("sightline: "), err
    return lines[0]


async def killed_at(stage: str, *arguments: str, **more: str) -> bool:
    """Kills the command when it says that this stage begins. False if it ended before."""
    process = await sightline(*arguments, **more)
    assert process.stderr is not None
    reached = False
    while not reached and (line := await soon(process.stderr.readline(), within_s=120)):
        reached = line.decode().startswith(stage)
    if reached:
        process.kill()
    await soon(process.wait())
    process.close()
    return reached


async def killed_when(condition: Callable[[], bool], *arguments: str, **more: str) -> bool:
    """Kills the command once the condition holds. False if it ended before."""
    process = await sightline(*arguments, **more)
    await until(lambda: condition() or process.returncode is not None)
    is_running = process.returncode is None
    if is_running:
        os.kill(process.pid, signal.SIGKILL)
    await soon(process.wait())
    process.close()
    return is_running
