"""The technique consumer of document 000: stores each technique once and finalizes each run once, in any order of messages."""

from collections.abc import Iterable, Sequence
from uuid import UUID

import structlog

from sightline.bus import (
    TECHNIQUE_QUEUE,
    Attribute,
    Bus,
    BusMetrics,
    Consumer,
    ConsumerOptions,
    Delivery,
    Sender,
    Topology,
    compile_filter_policy,
)
from sightline.contracts.technique_events import EVENT_DETECTED, Category
from sightline.db import Database, Transaction
from sightline.live import LiveFeed
from sightline.techniques import store
from sightline.techniques.finalize import announce_finalized
from sightline.techniques.incoming import ReceivedBatch, ReceivedEvent, latest_per_index, parse_deliveries
from sightline.techniques.runs import AnalysisRun, NamedRun, VideoRuns, is_derived_id
from sightline.timing import utc_now

BATCH_SIZE = 500
CONCURRENCY = 2

log = structlog.get_logger(__name__)

Runs = dict[UUID, VideoRuns]
Key = tuple[UUID, str | None]
"""Video and job; the job is None until a message names it."""


def technique_consumer(
    bus: Bus, database: Database, live: LiveFeed, metrics: BusMetrics | None = None, *, batch: int = BATCH_SIZE
) -> Consumer:
    handler = TechniqueBatchHandler(bus, live, sees_every_event=sees_every_event(bus.topology, TECHNIQUE_QUEUE))
    return Consumer(
        TECHNIQUE_QUEUE,
        queues=bus,
        database=database,
        batch_handler=handler,
        options=ConsumerOptions(concurrency=CONCURRENCY, batch=batch),
        metrics=metrics,
    )


def sees_every_event(topology: Topology, queue: str) -> bool:
    """Whether techniques of every category reach the queue; otherwise its count can never reach the total (row 40)."""
    policies = [
        compile_filter_policy(one.filter_policy, scope=one.scope)
        for one in topology.subscriptions
        if one.queue == queue
    ]
    samples = [
        {
            "event_type": Attribute("String", EVENT_DETECTED),
            "category": Attribute("String", category.value),
            "event_index": Attribute("Number", "1"),
            "total_events": Attribute("Number", "1"),
        }
        for category in Category
    ]
    return all(any(policy.matches(sample, "{}") for policy in policies) for sample in samples)


class TechniqueBatchHandler:
    """Stores a batch of messages in one transaction, which also acknowledges them."""

    def __init__(self, sender: Sender, live: LiveFeed, *, sees_every_event: bool = True) -> None:
        self._sender = sender
        self._live = live
        self._sees_every_event = sees_every_event

    async def __call__(self, tx: Transaction, deliveries: Sequence[Delivery]) -> None:
        received = parse_deliveries(deliveries)
        runs = await store.runs_of(tx, sorted(received.video_ids))
        touched = await self._complete(tx, runs, received)
        touched |= await self._store(tx, runs, received)
        finalized = await store.finalize(tx, sorted(touched), sees_every_event=self._sees_every_event)
        await announce_finalized(tx, finalized, sender=self._sender, live=self._live)

    async def _complete(self, tx: Transaction, runs: Runs, received: ReceivedBatch) -> set[int]:
        """Completions come first, because they name the runs that events of the same batch may belong to."""
        completions = received.completions
        if not completions:
            return set()
        to_open: dict[Key, int] = {}
        for one in completions:
            run = runs[one.video_id].named.get(one.job_id)
            if run is None or run.run_id is None:
                to_open[one.video_id, one.job_id] = one.total_event_count
        opened = await self._open(tx, runs, to_open)
        for video_id, job_id in opened:
            of_video = runs[video_id]
            if of_video.unnamed is not None and job_id is not None:
                run = of_video.named[job_id]
                named = NamedRun(
                    job_id,
                    to_open[video_id, job_id],
                    run.is_published_here,
                    is_first=not of_video.has_finalized,
                    arriving_at=utc_now() if received.has_foreign_events(video_id) else None,
                )
                strays = await store.claim_waiting(tx, of_video.unnamed, run.run_id, named)
                for stray, reason in strays.items():
                    log.warning("techniques.stray_event", video_id=str(video_id), event_id=str(stray), reason=reason)
        if opened:
            await self._reload(tx, runs)
        known = [
            (run.run_id, one)
            for one in completions
            if (run := runs[one.video_id].named.get(one.job_id)) is not None and run.run_id is not None
        ]
        await store.complete_runs(tx, known)
        for one in completions:
            if (run := runs[one.video_id].named.get(one.job_id)) is not None:
                run.completion_received = True
        return {run_id for run_id, _ in known}

    async def _store(self, tx: Transaction, runs: Runs, received: ReceivedBatch) -> set[int]:
        events = await self._without_strays(tx, received.events)
        if not events:
            return set()
        keys = await self._keys(tx, runs, events)
        of_events = [_run(runs, key) for key in keys]
        totals: dict[Key, int] = {}
        for event, key, run in zip(events, keys, of_events, strict=True):
            if run.run_id is None:
                totals[key] = max(totals.get(key, 0), event.total)
        await self._open(tx, runs, totals)
        assigned: list[store.AssignedEvent] = []
        for event, run in zip(events, of_events, strict=True):
            if run.run_id is not None:  # otherwise the video was removed
                is_waiting = run.job_id is None and is_derived_id(event.id)
                assigned.append((event, run.run_id, event.id if is_waiting else None))
        counts = await store.put_events(tx, latest_per_index(assigned)) if assigned else {}
        await store.count_received(tx, counts)
        return set(counts)

    async def _without_strays(self, tx: Transaction, events: Sequence[ReceivedEvent]) -> list[ReceivedEvent]:
        """A stray that is delivered again stays one."""
        foreign = [event.id for event in events if not is_derived_id(event.id)]
        strays = await store.known_strays(tx, foreign) if foreign else set()
        return [event for event in events if event.id not in strays]

    async def _keys(self, tx: Transaction, runs: Runs, events: Sequence[ReceivedEvent]) -> list[Key]:
        """The run of each event by its id; for other producers, the run that has the event already or the run in progress."""
        keys: list[Key] = []
        foreign: list[int] = []
        for position, event in enumerate(events):
            job = runs[event.body.video_id].job_of(event.id, event.index)
            keys.append((event.body.video_id, job))
            if job is None and not is_derived_id(event.id):
                foreign.append(position)
        if foreign:
            stored = await store.jobs_of_stored(tx, [events[position].id for position in foreign])
            for position in foreign:
                video_id, event = keys[position][0], events[position]
                job = stored.get(event.id) or runs[video_id].in_progress()
                keys[position] = (video_id, job)
                if job is None and runs[video_id].has_finalized:
                    log.warning(
                        "techniques.stray_event",
                        video_id=str(video_id),
                        event_id=str(event.id),
                        reason="no analysis of the video is in progress; it waits for the next completion",
                    )
        return keys

    async def _open(self, tx: Transaction, runs: Runs, totals: dict[Key, int]) -> list[Key]:
        opened = await store.open_runs(tx, totals)
        for key, run_id in opened.items():
            _run(runs, key).run_id = run_id
        _log_removed(set(totals) - set(opened))
        return list(opened)

    async def _reload(self, tx: Transaction, runs: Runs) -> None:
        """The row of events without a run may have been deleted."""
        fresh = await store.runs_of(tx, sorted(runs))
        for video_id, found in fresh.items():
            runs[video_id] = found


def _run(runs: Runs, key: Key) -> AnalysisRun:
    of_video, job_id = runs[key[0]], key[1]
    found = of_video.unnamed if job_id is None else of_video.named.get(job_id)
    if found is None:
        found = AnalysisRun(None, job_id, is_published_here=False)
        of_video.add(found)
    return found


def _log_removed(keys: Iterable[Key]) -> None:
    for video_id, job_id in keys:
        log.info("techniques.skipped", video_id=str(video_id), analysis_job_id=job_id)
