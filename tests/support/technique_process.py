"""A worker or a consumer of techniques as a process of its own, to be killed: technique_process.py ROLE DATABASE_URL DIRECTORY."""

import asyncio
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from sightline.bus import Consumer, ConsumerOptions, Names, PostgresBus, Queue, Subscription, Topology
from sightline.bus.topology import TECHNIQUE_QUEUE, TECHNIQUE_TOPIC
from sightline.db import DatabaseSettings, Listener, open_database
from sightline.jobs import JobsSettings, Worker
from sightline.live import LiveFeed
from sightline.objects import ObjectsSettings, OpenObjects, open_objects
from sightline.observability import create_registry
from sightline.supervisor import Service
from sightline.techniques import AnalyzeJob, Intake
from sightline.techniques import publish as publish_module
from sightline.techniques.analyzers import AnalyzerParts, build_analyzer
from sightline.techniques.settings import TechniquesSettings

WITNESS = "witness"
BATCH = 7
TOPOLOGY = Topology(
    topics=(TECHNIQUE_TOPIC,),
    queues=(Queue(TECHNIQUE_QUEUE, visibility_s=1, max_receives=1000), Queue(WITNESS, max_receives=None)),
    subscriptions=(Subscription(TECHNIQUE_TOPIC, TECHNIQUE_QUEUE), Subscription(TECHNIQUE_TOPIC, WITNESS)),
)


async def _never(_: object) -> None:
    return None


def objects_in(directory: Path) -> AbstractAsyncContextManager[OpenObjects]:
    return open_objects(
        ObjectsSettings(minimum_free_bytes=0, bucket="videos"),
        state_directory=directory,
        public_url="http://localhost",
        announce=_never,
        registry=create_registry(),
    )


async def main(role: str, url: str, directory: str) -> None:
    database = await open_database(DatabaseSettings(pool_min=1), url)
    listener = Listener(url)
    bus = PostgresBus(database, listener, TOPOLOGY, Names())
    await bus.create()
    never = asyncio.Event()
    async with objects_in(Path(directory)) as stored:
        if role == "work":
            parts = AnalyzerParts(TechniquesSettings(), stored.objects)
            job = AnalyzeJob(database, stored.objects, bus, choose=lambda name: build_analyzer(name, parts))
            job._publisher = publish_module.Publisher(database, bus, batch=BATCH)
            jobs = JobsSettings(lease_s=0.5, heartbeat_s=0.15, poll_s=0.1)
            service: Service = Worker(job, database=database, listener=listener, settings=jobs)
        else:
            service = Consumer(
                TECHNIQUE_QUEUE,
                queues=bus,
                database=database,
                batch_handler=Intake(bus, LiveFeed()),
                options=ConsumerOptions(concurrency=2, batch=BATCH),
            )
        await asyncio.gather(listener.run(never, lambda: None), service.run(never, lambda: print("ready", flush=True)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
