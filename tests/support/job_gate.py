"""What the tests of workers share: jobs that can be held, that fail on order, and waiting for their states."""

import asyncio

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


async def until_status(use, job_id, status, *, within_s=10.0):
    async def is_there():
        return await use.status(job_id) == status

    await until(is_there, within_s=within_s)


async def until_retried(use, job_id, retry_count):
    async def is_there():
        row = await use.row(job_id)
        return row["status"] == "queued" and row["retry_count"] == retry_count

    await until(is_there)
