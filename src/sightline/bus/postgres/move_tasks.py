"""Message move tasks: dead letters move back to their queues, or to another, at a limited rate."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import structlog

from sightline.bus.limits import BusRefusal
from sightline.bus.postgres.bus import PostgresBus
from sightline.bus.registry import Account
from sightline.bus.sqs.moves import MAX_LISTED, MAX_MOVES_PER_SECOND, MoveTask, check_move, queue_by_arn, read_handle
from sightline.db import Database, Listener, load_queries
from sightline.supervisor import Every

CHANNEL = "sightline_bus_moves"
LOOK_EVERY_S = 15.0
LEASE_S = 30.0
NO_QUEUE = "AWS.SimpleQueueService.NonExistentQueue"
NO_SOURCE = "CouldNotDetermineMessageSource"

_sql = load_queries(Path(__file__).with_name("move_tasks.sql"))

log = structlog.get_logger(__name__)

Sleep = Callable[[float], Awaitable[object]]


class MoveTasks:
    def __init__(self, bus: PostgresBus, database: Database, *, sleep: Sleep = asyncio.sleep) -> None:
        self._bus = bus
        self._database = database
        self._sleep = sleep

    def service(self, listener: Listener) -> "MoveTaskRunner":
        """Works off the tasks; may run in several processes."""
        return MoveTaskRunner(self, listener)

    async def start(
        self, account: Account, source_arn: str, destination_arn: str | None, max_per_second: int | None
    ) -> MoveTask:
        registry = self._bus.registry
        await registry.refresh()
        snapshot, names = registry.snapshot, registry.names
        source = queue_by_arn(snapshot, names, account, source_arn, "SourceArn")
        check_move(source, snapshot.queues.values(), max_per_second)
        if destination_arn is not None:
            queue_by_arn(snapshot, names, account, destination_arn, "DestinationArn")
        async with self._database.transaction() as tx:
            task_id = await _sql["start"].value(
                tx,
                task_id=uuid4(),
                account_id=account.account_id,
                source_arn=source_arn,
                destination_arn=destination_arn,
                max_per_second=max_per_second,
                queue_id=source.id,
            )
            if task_id is None:
                raise BusRefusal(
                    "There is already a task running. Only one active task is allowed for a source queue arn at a given time."
                )
            await _sql["notify"].value(tx)
            (row,) = await _sql["newest"].rows(tx, source_arn=source_arn, account_id=account.account_id, limit=1)
        return _task(row)

    async def list_tasks(self, account: Account, source_arn: str, limit: int | None) -> list[MoveTask]:
        """The newest first."""
        limit = 1 if limit is None else limit
        if not 1 <= limit <= MAX_LISTED:
            raise BusRefusal(
                f"Value {limit} for parameter MaxResults is invalid. Reason: It must be between 1 and {MAX_LISTED}."
            )
        registry = self._bus.registry
        queue_by_arn(registry.snapshot, registry.names, account, source_arn, "SourceArn")
        async with self._database.transaction() as tx:
            rows = await _sql["newest"].rows(tx, source_arn=source_arn, account_id=account.account_id, limit=limit)
        return [_task(row) for row in rows]

    async def cancel(self, account: Account, handle: str) -> int:
        """Ends a running task; returns how many messages it has moved."""
        task_id, source_arn = read_handle(handle)
        registry = self._bus.registry
        queue_by_arn(registry.snapshot, registry.names, account, source_arn, "SourceArn")
        async with self._database.transaction() as tx:
            moved: int | None = await _sql["cancel"].value(tx, task_id=task_id, account_id=account.account_id)
            if moved is not None:
                return moved
            if not await _sql["exists"].value(tx, task_id=task_id, account_id=account.account_id):
                raise BusRefusal("Task does not exist.", "ResourceNotFoundException")
        raise BusRefusal("Only active tasks can be cancelled.", "AWS.SimpleQueueService.UnsupportedOperation")

    async def claim(self) -> list[MoveTask]:
        """The tasks that run and that no process works on are this one's from now on."""
        async with self._database.transaction() as tx:
            await _sql["forget"].run(tx)
            return [_task(row) for row in await _sql["claim"].rows(tx, lease_s=LEASE_S)]

    async def run(self, task: MoveTask) -> None:
        """Moves a batch, then pauses as long as the rate demands, until nothing is left."""
        per_second = task.max_per_second or MAX_MOVES_PER_SECOND
        batch = max(1, min(per_second, 100))
        while True:
            moved, reason = await self._move(task, batch)
            async with self._database.transaction() as tx:
                status = await _sql["progress"].value(tx, task_id=task.id, moved=moved, lease_s=LEASE_S)
                if reason is not None or not moved:
                    ended = "FAILED" if reason is not None else "COMPLETED"
                    await _sql["finish"].run(tx, task_id=task.id, status=ended, reason=reason)
                    return
            if status != "RUNNING":
                return
            await self._sleep(moved / per_second)

    async def _move(self, task: MoveTask, limit: int) -> tuple[int, str | None]:
        """How many messages were moved, and why no more can be."""
        snapshot, names = self._bus.registry.snapshot, self._bus.registry.names
        source = snapshot.queues.get(names.local_name_of(task.source_arn))
        destination = task.destination_arn and snapshot.queues.get(names.local_name_of(task.destination_arn))
        if source is None or (task.destination_arn is not None and not destination):
            return 0, NO_QUEUE
        destination_id = destination.id if destination else None
        async with self._database.transaction(by_index=True) as tx:
            rows = await _sql["move"].rows(tx, queue_id=source.id, destination_id=destination_id, limit=limit)
            received = Counter(snapshot.queue_names.get(row["queue_id"]) for row in rows)
            await self._bus.notify(tx, *filter(None, received))
            if not rows and destination_id is None and await _sql["has_sourceless"].value(tx, queue_id=source.id):
                return 0, NO_SOURCE
        return len(rows), None


class MoveTaskRunner:
    name = "bus-move-tasks"

    def __init__(self, tasks: MoveTasks, listener: Listener) -> None:
        self._tasks = tasks
        self._listener = listener
        self._running: set[asyncio.Task[None]] = set()

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        look = Every(
            self.name,
            LOOK_EVERY_S,
            self._begin,
            wake_on=lambda wake: self._listener.subscribe(CHANNEL, lambda _: wake()),
        )
        try:
            await look.run(stop, ready)
        finally:
            # What is left of a task is for the next process; each batch is a transaction of its own.
            for running in self._running:
                running.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)

    async def _begin(self) -> None:
        for task in await self._tasks.claim():
            running = asyncio.create_task(self._run(task))
            self._running.add(running)
            running.add_done_callback(self._running.discard)

    async def _run(self, task: MoveTask) -> None:
        try:
            await self._tasks.run(task)
        except Exception as error:  # the task is claimed again when its lease has ended
            log.warning("bus.move_interrupted", task_id=str(task.id), error=str(error) or type(error).__name__)


def _task(row: asyncpg.Record) -> MoveTask:
    return MoveTask(
        id=UUID(str(row["task_id"])),
        source_arn=row["source_arn"],
        destination_arn=row["destination_arn"],
        max_per_second=row["max_per_second"],
        status=row["status"],
        moved=row["moved"],
        to_move=row["to_move"],
        failure_reason=row["failure_reason"],
        started_at=row["started_at"],
    )
