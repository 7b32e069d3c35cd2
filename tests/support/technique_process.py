"""A technique worker or consumer in its own process, which kills itself half-way (see `forks`)."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from sightline.bus import (
    TECHNIQUE_QUEUE,
    TECHNIQUE_TOPIC,
    Consumer,
    ConsumerOptions,
    Names,
    PostgresBus,
    Queue,
    Subscription,
    Topology,
)
from sightline.db import Listener, open_database
from sightline.jobs import JobsSettings, Worker
from sightline.live import LiveFeed
from sightline.objects import ObjectsSettings, OpenObjectStore, open_object_store
from sightline.observability import create_registry
from sightline.supervisor import Service
from sightline.techniques import AnalyzeJob, AnalyzerParts, TechniqueBatchHandler, TechniquesSettings, build_analyzer
from sightline.techniques import publish as publish_module
from support.postgres import patient_settings

WITNESS = "witness"
BATCH = 7
TOPOLOGY = Topology(
    topics=(TECHNIQUE_TOPIC,),
    queues=(
        Queue(TECHNIQUE_QUEUE, visibility_s=3600, max_receives=1000),
        Queue(WITNESS, visibility_s=3600, max_receives=None),
    ),
    subscriptions=(Subscription(TECHNIQUE_TOPIC, TECHNIQUE_QUEUE), Subscription(TECHNIQUE_TOPIC, WITNESS)),
)


async def _never(_: object) -> None:
    return None


def objects_in(directory: Path) -> AbstractAsyncContextManager[OpenObjectStore]:
    return open_object_store(
        ObjectsSettings(minimum_free_bytes=0, bucket="videos"),
        state_directory=directory,
        public_url="http://localhost",
        announce=_never,
        registry=create_registry(),
    )


async def main(role: str, url: str, directory: str, last_step: str, _say: Callable[[str], None]) -> None:
    """Publishes or consumes; the process dies in the last step, before its batch is committed. Step 0 never comes."""
    database = await open_database(patient_settings(pool_min=1), url)
    listener = Listener(url)
    bus = PostgresBus(database, listener, TOPOLOGY, Names())
    await bus.create()
    never = asyncio.Event()
    async with objects_in(Path(directory)) as stored:
        if role == "work":
            parts = AnalyzerParts(TechniquesSettings(), stored.store)
            bus.publish = _dying(bus.publish, int(last_step))  # type: ignore[method-assign]
            job = AnalyzeJob(database, stored.store, bus, choose=lambda name: build_analyzer(name, parts))
            job._publisher = publish_module.Publisher(database, bus, batch=BATCH)
            service: Service = Worker(job, database=database, listener=listener, settings=JobsSettings(poll_s=0.1))
        else:
            service = Consumer(
                TECHNIQUE_QUEUE,
                queues=bus,
                database=database,
                batch_handler=_dying(TechniqueBatchHandler(bus, LiveFeed()), int(last_step)),
                options=ConsumerOptions(concurrency=2, batch=BATCH),
            )
        await asyncio.gather(listener.run(never, lambda: None), service.run(never, lambda: None))


def _dying(step: Callable[..., Awaitable[Any]], last_step: int) -> Callable[..., Coroutine[Any, Any, Any]]:
    taken = 0

    async def take(*arguments: Any) -> Any:
        nonlocal taken
        taken += 1
        number = taken
        result = await step(*arguments)
        if number == last_step:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    return take
