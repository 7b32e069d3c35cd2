"""Worker slots: a bounded number of asyncio tasks, each of which runs one job after another.

A task per job costs more than a short job itself. A slot takes the next job as soon as its job has ended; another slot is
opened only when a job waits for something while other jobs are queued in the worker.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from uuid import UUID

from sightline.jobs.record import ClaimedJob

CANCEL_TIMEOUT_S = 2.0  # for the clean-up of a cancelled job
YIELD_EVERY_JOBS = 50  # jobs that never wait must not block the event loop


class WorkerSlots:
    def __init__(self, max_slots: int, work: Callable[[ClaimedJob], Awaitable[None]]) -> None:
        self._max_slots = max_slots
        self._work = work
        self._waiting: OrderedDict[UUID, ClaimedJob] = OrderedDict()
        self._running: dict[UUID, tuple[ClaimedJob, asyncio.Task[None]]] = {}
        self._open: set[asyncio.Task[None]] = set()
        self._is_opening = False
        self._is_closed = False

    def __len__(self) -> int:
        """Jobs that run or wait for a slot."""
        return len(self._running) + len(self._waiting)

    @property
    def ids(self) -> list[UUID]:
        return [*self._running, *self._waiting]

    def get(self, job_id: UUID) -> ClaimedJob | None:
        if (found := self._running.get(job_id)) is not None:
            return found[0]
        return self._waiting.get(job_id)

    def put(self, jobs: Iterable[ClaimedJob]) -> None:
        self._waiting.update((job.id, job) for job in jobs)
        self._open_another()

    def drop(self, job_id: UUID) -> None:
        """Cancels a job whose lease was lost, or removes it from the waiting jobs."""
        if (found := self._running.get(job_id)) is not None:
            found[1].cancel()
        else:
            self._waiting.pop(job_id, None)

    async def close(self, *, grace_s: float) -> list[ClaimedJob]:
        """Lets running jobs end within the grace time; returns the cancelled jobs and those that never started."""
        self._is_closed = True
        left = list(self._waiting.values())
        self._waiting.clear()
        if self._open:
            await asyncio.wait(self._open, timeout=grace_s)
        left += [job for job, _ in self._running.values()]
        late = list(self._open)
        for slot in late:
            slot.cancel()
        if late:
            await asyncio.wait(late, timeout=CANCEL_TIMEOUT_S)
        return left

    def _open_another(self) -> None:
        if self._waiting and len(self._open) < self._max_slots and not self._is_closed:
            slot = asyncio.create_task(self._run_slot())
            self._open.add(slot)
            slot.add_done_callback(self._open.discard)

    def _open_another_soon(self) -> None:
        """Opens another slot once the running job waits; until then this slot is enough."""
        if not self._is_opening:
            self._is_opening = True
            asyncio.get_running_loop().call_soon(self._opened)

    def _opened(self) -> None:
        self._is_opening = False
        self._open_another()

    async def _run_slot(self) -> None:
        slot = asyncio.current_task()
        assert slot is not None
        done = 0
        while self._waiting:
            _, job = self._waiting.popitem(last=False)
            if self._waiting:
                self._open_another_soon()
            self._running[job.id] = (job, slot)
            try:
                await self._work(job)
            except asyncio.CancelledError:
                if self._is_closed:
                    raise
                # The job was dropped; the slot takes the next one.
            finally:
                self._running.pop(job.id, None)
            # A cancellation of this job must not reach the next one.
            while slot.cancelling():
                slot.uncancel()
            done += 1
            if done % YIELD_EVERY_JOBS == 0:
                await asyncio.sleep(0)
