"""Opening the bus on the backend that the settings name."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry

from sightline.bus.bus import Bus
from sightline.bus.endpoints import EndpointSenders
from sightline.bus.events.replays import ArchiveSweep, Replayer
from sightline.bus.events.senders import TargetSender
from sightline.bus.housekeeping import QueueWatch, RetentionSweep
from sightline.bus.metrics import BusMetrics
from sightline.bus.names import Names
from sightline.bus.postgres import ClientQueues, ClientTopics, PostgresBus
from sightline.bus.registry import Registry
from sightline.bus.scheduler.clock import BusClock
from sightline.bus.settings import BusSettings
from sightline.bus.topology import Topology, with_deliveries
from sightline.db import Database, Listener
from sightline.supervisor import Service


@dataclass(frozen=True, slots=True)
class OpenBus:
    bus: Bus
    metrics: BusMetrics
    services: tuple[Service, ...]
    """What has to run beside the bus: measuring, and the retention sweep or the outbox relay."""
    registry: Registry | None = None
    """Queues, topics and rules of clients; None on AWS, which keeps its own."""
    client_queues: ClientQueues | None = None
    """What the SQS interface works on; None on AWS, where clients talk to SQS itself."""
    client_topics: ClientTopics | None = None
    """What the SNS interface publishes through; None on AWS."""
    senders: EndpointSenders = field(default_factory=EndpointSenders)
    """Who delivers to the endpoints of clients; services of the bus add theirs here."""


@asynccontextmanager
async def open_bus(
    settings: BusSettings, topology: Topology, database: Database, listener: Listener, registry: CollectorRegistry
) -> AsyncIterator[OpenBus]:
    """Creates everything the topology names before it yields."""
    metrics = BusMetrics(registry)
    match settings.backend:
        case "postgres":
            names = Names(settings.region, settings.account_id)
            resources = Registry(database, names, settings.quotas())
            bus = PostgresBus(database, listener, with_deliveries(topology), names, metrics=metrics, registry=resources)
            await bus.create()
            senders = EndpointSenders()
            TargetSender(bus, database, resources).add_to(senders)
            clients = ClientQueues(bus, database, settings)
            services = (
                clients.moves.service(listener),
                Replayer(bus, database, metrics=metrics).service(listener),
                ArchiveSweep(database).service(),
                BusClock(bus, database, resources, metrics=metrics).service(listener),
                QueueWatch(bus, metrics).service(),
                RetentionSweep(bus.sweep).service(),
            )
            yield OpenBus(
                bus,
                metrics,
                services,
                resources,
                client_queues=clients,
                client_topics=ClientTopics(bus, database),
                senders=senders,
            )
        case "aws":
            # Imported here, so that an installation without AWS needs no boto.
            from sightline.bus.aws import open_aws_bus

            async with open_aws_bus(settings, topology, database, metrics=metrics) as aws_bus:
                if settings.create_resources:
                    await aws_bus.create()
                yield OpenBus(
                    aws_bus,
                    metrics,
                    (
                        QueueWatch(aws_bus, metrics).service(),
                        aws_bus.relay(listener, registry).service(),
                        RetentionSweep(aws_bus.sweep).service(),
                    ),
                )
