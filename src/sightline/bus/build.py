"""Builds the bus that settings ask for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prometheus_client import CollectorRegistry

from sightline.bus.bus import Bus
from sightline.bus.metrics import BusMetrics
from sightline.bus.names import Names
from sightline.bus.postgres_bus import PostgresBus
from sightline.bus.settings import BusSettings
from sightline.bus.topology import Topology
from sightline.db import Database, Listener


@asynccontextmanager
async def open_bus(
    settings: BusSettings, topology: Topology, database: Database, listener: Listener, registry: CollectorRegistry
) -> AsyncIterator[tuple[Bus, BusMetrics]]:
    """Everything the topology names exists when this opens."""
    names = Names(settings.region, settings.account_id)
    metrics = BusMetrics(registry)
    match settings.keeper:
        case "postgres":
            bus = PostgresBus(database, listener, topology, names, metrics=metrics)
            await bus.create()
            yield bus, metrics
        case "aws":
            from sightline.bus.aws_bus import open_aws_bus

            async with open_aws_bus(settings, topology, database, metrics=metrics) as aws_bus:
                await aws_bus.create()
                yield aws_bus, metrics
