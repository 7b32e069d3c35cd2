"""The wiring on one page: settings → platform."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from prometheus_client import CollectorRegistry

from sightline.bus import Bus, OpenBus, check_round_trip, default_topology, open_bus
from sightline.config import Settings
from sightline.db import Database, EmbeddedPostgres, Listener, open_database
from sightline.errors import BackendUnavailable, ConfigurationError
from sightline.jobs import JobMetrics, JobQueue
from sightline.live import BroadcastRetryMetrics, LiveFeed, LiveHub, LiveMetrics
from sightline.objects import check_disk
from sightline.observability import Health, create_registry
from sightline.supervisor import ServiceStatus


@dataclass(frozen=True, slots=True)
class Addresses:
    """The ways to the database that a process uses."""

    service: str
    admin: str
    direct: str


@dataclass(slots=True)
class Platform:
    """Everything that a role of the platform works with."""

    settings: Settings
    database: Database
    listener: Listener
    open_bus: OpenBus
    jobs: JobQueue
    job_metrics: JobMetrics
    health: Health
    registry: CollectorRegistry
    live: LiveFeed
    live_hub: LiveHub
    statuses: Callable[[], list[ServiceStatus]] = list

    @property
    def bus(self) -> Bus:
        return self.open_bus.bus


def embedded_postgres(settings: Settings) -> EmbeddedPostgres | None:
    """The server to start, or None when settings name another."""
    if settings.database.url is not None:
        return None
    return EmbeddedPostgres(settings.state_dir.absolute() / "postgres", run_as=settings.database.embedded_user)


def addresses(settings: Settings) -> Addresses:
    database = settings.database
    if database.url is None:
        embedded = EmbeddedPostgres(settings.state_dir.absolute() / "postgres", run_as=database.embedded_user)
        return Addresses(embedded.url, embedded.admin_url, embedded.url)
    service = database.url.get_secret_value()
    return Addresses(
        service=service,
        admin=database.admin_url.get_secret_value() if database.admin_url else service,
        direct=database.direct_url.get_secret_value() if database.direct_url else service,
    )


def objects_directory(settings: Settings) -> Path:
    return settings.objects.directory or settings.state_dir.absolute() / "objects"


@asynccontextmanager
async def open_platform(settings: Settings, *, registry: CollectorRegistry | None = None) -> AsyncIterator[Platform]:
    """Connects the parts, top of the page to bottom, and closes them the other way round."""
    where = addresses(settings)
    async with AsyncExitStack() as stack:
        database = await open_database(settings.database, where.service)
        stack.callback(database.terminate)
        listener = Listener(where.direct)
        health = Health()
        registry = registry or create_registry()
        topology = default_topology(stage=settings.bus.stage, bucket=settings.objects.bucket)
        opened = await stack.enter_async_context(open_bus(settings.bus, topology, database, listener, registry))
        job_metrics = JobMetrics(registry, alert_rate=settings.jobs.failure_alert_rate)
        live_hub = LiveHub(database, listener, settings.live, LiveMetrics(registry), BroadcastRetryMetrics(registry))
        platform = Platform(
            settings,
            database,
            listener,
            opened,
            JobQueue(database),
            job_metrics,
            health,
            registry,
            live=LiveFeed(),
            live_hub=live_hub,
        )
        health.add("database", partial(_check_database, database))
        directory = objects_directory(settings)
        _make_directory(directory)
        health.add("objects", partial(check_disk, directory, settings.objects.minimum_free_bytes))
        health.add("bus", partial(_check_bus, opened.bus, database, listener))
        yield platform


async def _check_database(database: Database) -> None:
    async with database.transaction() as tx:
        if await tx.fetchval("SELECT to_regclass('schema_migrations')") is None:
            raise BackendUnavailable("database", "the database has no tables yet; run `sightline migrate`")


async def _check_bus(bus: Bus, database: Database, listener: Listener) -> None:
    await bus.check()
    await check_round_trip(database, listener)


def _make_directory(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ConfigurationError(f"cannot make the directory {directory}: {error.strerror or error}") from error
