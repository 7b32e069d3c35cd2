"""Workers to be killed: forked off a process that has imported everything, since that takes longer than their work.

forked_workers.py DATABASE_URL LEASE_S: forks a worker for each line of its input, a name and the number of runs after which
the worker hangs in each job, or 0. Each run of a job is a line of output: the name of the worker, its process id and the job's
id. The job's effect is a row with its clip's id.
"""

import asyncio
import os
import signal
import sys
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO
from uuid import UUID

import psutil

from sightline.contracts.jobs import ClipGenerate
from sightline.db import Listener, open_database
from sightline.jobs import Job, JobContext, JobLimits, JobsSettings, Worker
from support import TESTS
from support.postgres import patient_settings
from support.waiting import until


@dataclass
class ForkedWorkers:
    """The forks, from the side of the test."""

    _process: asyncio.subprocess.Process
    _pids: dict[str, int] = field(default_factory=dict)
    _runs: dict[str, "asyncio.Queue[UUID]"] = field(default_factory=lambda: defaultdict(asyncio.Queue))

    def start(self, name: str, *, hangs_after: int = 0) -> None:
        """A worker that is to be killed after some runs hangs then: it must not do all the work while its test is slow."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{name} {hangs_after}\n".encode())

    async def next_run(self, name: str) -> UUID:
        """The job that the worker runs next."""
        return await self._runs[name].get()

    async def kill(self, name: str) -> None:
        """It has to have run a job. Returns when it is gone."""
        pid = self._pids[name]
        os.kill(pid, signal.SIGKILL)
        await until(lambda: not psutil.pid_exists(pid))

    async def read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            name, pid, job_id = line.decode().split()
            self._pids[name] = int(pid)
            self._runs[name].put_nowait(UUID(job_id))


@asynccontextmanager
async def forked_workers(url: str, *, lease_s: float) -> AsyncIterator[ForkedWorkers]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "support.forked_workers", url, str(lease_s)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
        cwd=TESTS,
    )
    workers = ForkedWorkers(process)
    reading = asyncio.create_task(workers.read())
    try:
        yield workers
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        await reading


class Effect(Job[ClipGenerate]):
    payload = ClipGenerate
    limits = JobLimits(concurrency=4)

    def __init__(self, name: str, hangs_after: int, output: TextIO) -> None:
        self._name = name
        self._hangs_after = hangs_after
        self._output = output
        self._runs = 0

    async def run(self, payload: ClipGenerate, context: JobContext) -> None:
        self._runs += 1
        if 0 < self._hangs_after < self._runs:
            await asyncio.Event().wait()
        print(self._name, os.getpid(), context.job_id, file=self._output, flush=True)
        result: dict[str, Any] = {"clip": payload.clip_id}
        async with context.finishing(result=result) as tx:
            await tx.execute("INSERT INTO effects VALUES ($1)", payload.clip_id)


async def _work(url: str, lease_s: float, kind: Effect, name: str) -> None:
    database = await open_database(patient_settings(), url)
    listener = Listener(url)
    settings = JobsSettings(lease_s=lease_s, heartbeat_s=lease_s / 4, poll_s=0.1)
    worker = Worker(kind, database=database, listener=listener, settings=settings, name=name)
    never = asyncio.Event()
    await asyncio.gather(listener.run(never, lambda: None), worker.run(never, lambda: None))


def main(url: str, lease_s: str) -> None:
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # log lines go elsewhere
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those that were killed are nobody's
    while line := sys.stdin.readline().split():
        if os.fork() == 0:
            name, hangs_after = line
            asyncio.run(_work(url, float(lease_s), Effect(name, int(hangs_after), output), name))


if __name__ == "__main__":
    main(*sys.argv[1:])
