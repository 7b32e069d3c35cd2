"""WorkerSlots: a bounded number of tasks that jobs run on, one after the other in each.

A task per job costs more than a short job itself. A lane takes the next job as soon as its last one has ended; another lane is
opened only when a job has to wait for something while others stand in line.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from uuid import UUID

from sightline.jobs.record import ClaimedJob

TO_STOP_S = 2.0  # for a job that was stopped, to clear up
BREATHE_EVERY = 50  # jobs that never wait must not keep everything else from running


class WorkerSlots:
    def __init__(self, most: int, work: Callable[[ClaimedJob], Awaitable[None]]) -> None:
        self._most = most
        self._work = work
        self._waiting: deque[ClaimedJob] = deque()
        self._running: dict[UUID, tuple[ClaimedJob, asyncio.Task[None]]] = {}
        self._open: set[asyncio.Task[None]] = set()
        self._is_opening = False
        self._is_closed = False

    def __len__(self) -> int:
        """Jobs that run or stand in line."""
        return len(self._running) + len(self._waiting)

    @property
    def ids(self) -> list[UUID]:
        return [*self._running, *(job.id for job in self._waiting)]

    def get(self, job_id: UUID) -> ClaimedJob | None:
        if (found := self._running.get(job_id)) is not None:
            return found[0]
        return next((job for job in self._waiting if job.id == job_id), None)

    def put(self, jobs: Iterable[ClaimedJob]) -> None:
        self._waiting.extend(jobs)
        self._open_another()

    def drop(self, job_id: UUID) -> None:
        """Stops a job that is no longer ours, wherever it stands."""
        if (found := self._running.get(job_id)) is not None:
            found[1].cancel()
        else:
            self._waiting = deque(job for job in self._waiting if job.id != job_id)

    async def close(self, *, grace_s: float) -> list[ClaimedJob]:
        """What runs may end in time; returns what had to be stopped, and what never began."""
        self._is_closed = True
        left = list(self._waiting)
        self._waiting.clear()
        if self._open:
            await asyncio.wait(self._open, timeout=grace_s)
        left += [job for job, _ in self._running.values()]
        late = list(self._open)
        for lane in late:
            lane.cancel()
        if late:
            await asyncio.wait(late, timeout=TO_STOP_S)
        return left

    def _open_another(self) -> None:
        if self._waiting and len(self._open) < self._most and not self._is_closed:
            lane = asyncio.create_task(self._run_lane())
            self._open.add(lane)
            lane.add_done_callback(self._open.discard)

    def _open_another_soon(self) -> None:
        """Once the job at hand has to wait: until then this lane is all that is needed."""
        if not self._is_opening:
            self._is_opening = True
            asyncio.get_running_loop().call_soon(self._opened)

    def _opened(self) -> None:
        self._is_opening = False
        self._open_another()

    async def _run_lane(self) -> None:
        lane = asyncio.current_task()
        assert lane is not None
        done = 0
        while self._waiting:
            job = self._waiting.popleft()
            if self._waiting:
                self._open_another_soon()
            self._running[job.id] = (job, lane)
            try:
                await self._work(job)
            except asyncio.CancelledError:
                if self._is_closed:
                    raise
                # The job was dropped; the lane goes on.
            finally:
                self._running.pop(job.id, None)
            # What stopped this job, or tried to and was ignored, must not look to the next one as if it were meant.
            while lane.cancelling():
                lane.uncancel()
            done += 1
            if done % BREATHE_EVERY == 0:
                await asyncio.sleep(0)
