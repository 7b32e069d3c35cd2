"""Waiting for migrations: a role that starts before the database is migrated waits instead of failing."""

import asyncio

import asyncpg
import structlog

from sightline.db.migrate import pending
from sightline.db.pool import connect_errors
from sightline.timing import is_set_within

POLL_S = 2.0

log = structlog.get_logger(__name__)


async def wait_until_migrated(url: str, stop: asyncio.Event, *, poll_s: float = POLL_S) -> bool:
    """True once no migration is pending; False if `stop` was set before. Says in one line what it waits for."""
    is_waiting = False
    while not stop.is_set():
        missing = await _pending(url)
        if not missing:
            if is_waiting:
                log.info("database.ready")
            return True
        if not is_waiting:
            is_waiting = True
            log.warning(
                "database.not_migrated",
                pending=len(missing),
                first=missing[0],
                note="run `sightline migrate`; this process continues by itself afterwards",
            )
        await is_set_within(stop, poll_s)
    return False


async def _pending(url: str) -> list[str]:
    try:
        with connect_errors():
            return [migration.name for migration in await pending(url)]
    except asyncpg.InsufficientPrivilegeError:
        return ["0035_api_roles"]  # which lets the role of this process read what was applied
