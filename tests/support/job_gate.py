"""Helpers for tests of workers: jobs that can be held, jobs that fail, and waiting for states."""

import asyncio
from contextlib import suppress

from sightline.errors import BackendUnavailable
from support.waiting import until


class Gate:
    """Holds jobs at a point until the test opens it."""

    def __init__(self) -> None:
        self.entered = 0
        self.cancelled = 0
        self.opened = asyncio.Event()

    async def __call__(self, _payload, _context) -> None:
        self.entered += 1
        try:
            await self.opened.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


def raising(*errors):
    """Work that raises these one after another, and then succeeds."""
    left = list(errors)

    async def work(_payload, _context):
        if left:
            raise left.pop(0)

    return work


async def until_status(use, job_id, status):
    async def is_there():
        with suppress(BackendUnavailable):  # tests that cut connections may cut this one too
            return await use.status(job_id) == status
        return False

    await until(is_there)


async def until_heartbeats(use, job_id, number):
    """Waits until this many heartbeats have extended the lease of the job."""
    for _ in range(number):
        before = (await use.row(job_id))["locked_until"]

        async def is_extended(before=before):
            return (await use.row(job_id))["locked_until"] > before

        await until(is_extended)


async def until_retried(use, job_id, retry_count):
    async def is_there():
        row = await use.row(job_id)
        return row["status"] == "queued" and row["retry_count"] == retry_count

    await until(is_there)
