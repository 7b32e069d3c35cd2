"""Running the platform: everything in one process (`up`), or one role per process for a fleet."""

import asyncio
import os
import shlex
import signal
import socket
from collections.abc import Coroutine
from importlib import import_module
from pathlib import Path
from typing import Any

import structlog
import typer
import uvloop

from sightline import api
from sightline.bootstrap import Platform, addresses, embedded_postgres, open_platform
from sightline.cli.options import DEFAULT_STATE_DIR, STATE_DIR, Host, Port, StateDir, read_settings
from sightline.cli.worker_options import Concurrency, Types, worker_choice
from sightline.config import LoadedSettings, Settings
from sightline.db import migrate, wait_until_migrated
from sightline.errors import ConfigurationError
from sightline.job_types import JOBS
from sightline.linux import hide_from_other_processes
from sightline.observability import configure_logging, configure_tracing, create_registry, shut_down_tracing
from sightline.roles import Role, services_of, services_of_every_process
from sightline.state_directory import StateDirectory
from sightline.status_publisher import StatusPublisher
from sightline.supervisor import (
    Service,
    Supervisor,
    collect_garbage_less_often,
    start_without_collecting,
)
from sightline.timing import iso_utc, utc_now
from sightline.worker_services import WorkerChoice

log = structlog.get_logger(__name__)


def register(app: typer.Typer) -> None:
    @app.command()
    def up(state_dir: StateDir = None, host: Host = None, port: Port = None) -> None:
        """Start the whole platform on this machine."""
        settings = prepare_process(read_settings(state_dir, host, port))
        _run(_up(settings))

    @app.command()
    def api(host: Host = None, port: Port = None) -> None:
        """Serve only the API and the page (needs SIGHTLINE_DATABASE_URL)."""
        settings = prepare_process(read_settings(None, host, port))
        _run(_role(settings, "api"))

    @app.command()
    def work(types: Types = None, concurrency: Concurrency = None) -> None:
        """Run only job workers (needs SIGHTLINE_DATABASE_URL)."""
        workers = worker_choice(types, concurrency, tuple(JOBS))
        _run(_role(prepare_process(read_settings()), "work", workers))

    @app.command()
    def consume() -> None:
        """Run only queue consumers (needs SIGHTLINE_DATABASE_URL)."""
        _run(_role(prepare_process(read_settings()), "consume"))

    @app.command()
    def schedule() -> None:
        """Run only periodic services and schedules (needs SIGHTLINE_DATABASE_URL)."""
        _run(_role(prepare_process(read_settings()), "schedule"))


def run_cameras() -> None:
    """The role of a process that watches cameras."""
    _run(_role(prepare_process(read_settings()), "cameras"))


def prepare_process(loaded: LoadedSettings) -> Settings:
    configure_logging(loaded.settings.observability)
    configure_tracing()
    for old, new in loaded.renamed.items():
        log.warning("settings.renamed", old=old, new=new, note="the old name stops working in the next release")
    return loaded.settings


def _run(work: Coroutine[Any, Any, None]) -> None:
    hide_from_other_processes()  # this process holds every secret of the platform
    start_without_collecting()
    try:
        uvloop.run(work)
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    finally:
        shut_down_tracing()


async def _up(settings: Settings) -> None:
    state = StateDirectory(settings.state_dir)
    started_at = iso_utc(utc_now())
    with state.held():
        # The port is bound first, so that a port in use is reported before PostgreSQL is started.
        listening = api.bind(settings.api.host, settings.api.port)
        address = _address(settings.api.host, listening)
        endpoint, settings = _bind_aws_port(settings)
        if settings.api.public_url is None:  # the port may have been chosen just now
            settings = settings.model_copy(update={"api": settings.api.model_copy(update={"public_url": address})})

        publisher = StatusPublisher(lambda services: state.publish(address, started_at, services))
        registry = create_registry()
        supervisor = Supervisor(registry=registry, changed=publisher.changed)
        _stop_on_signals(supervisor)
        # The application takes about as long to import as the database to start.
        importing = asyncio.create_task(asyncio.to_thread(import_module, "sightline.api.app"))
        try:
            if (postgres := embedded_postgres(settings)) is not None:
                await supervisor.start(postgres)
            await migrate(addresses(settings).admin)
            await importing
            async with open_platform(settings, registry=registry) as platform:
                platform.statuses = lambda: supervisor.statuses
                try:
                    for service in services_of_every_process(platform):
                        await supervisor.start(service)
                    for role in ("work", "consume", "schedule", "cameras", "api"):
                        for service in services_of(role, platform):
                            await supervisor.start(service)
                    await supervisor.start(api.HttpServer("api", api.create_app(platform), listening, *endpoint))
                    publisher.publish()
                    _print_banner(address, state, settings)
                    collect_garbage_less_often()
                    await supervisor.wait()
                finally:
                    # Services stop before the connection pool is closed, and the pool before the server.
                    await supervisor.stop(after=postgres)
        finally:
            await asyncio.wait((importing,))
            await supervisor.stop()
            publisher.close()
            for one in (listening, *endpoint):
                one.close()
    typer.echo("Sightline has stopped.")


async def _role(settings: Settings, role: Role, workers: WorkerChoice | None = None) -> None:
    """One role in this process. The database is started and migrated elsewhere."""
    registry = create_registry()
    supervisor = Supervisor(registry=registry)
    _stop_on_signals(supervisor)
    if not await wait_until_migrated(addresses(settings).service, supervisor.stop_requested):
        return
    endpoint: tuple[socket.socket, ...] = ()
    if role == "api":
        endpoint, settings = _bind_aws_port(settings)
    probe_port = settings.observability.probe_port
    async with open_platform(settings, registry=registry) as platform:
        platform.statuses = lambda: supervisor.statuses
        try:
            services = services_of(role, platform, workers)
            if not services:
                log.warning("role.nothing_to_do", role=role)
            for service in (*services_of_every_process(platform), *services):
                await supervisor.start(service)
            if role == "api":
                await supervisor.start(_api_server(platform, *endpoint))
            elif probe_port:
                listening = api.bind(settings.api.host, probe_port)
                await supervisor.start(api.HttpServer("probe", api.create_probe_app(platform), listening))
            log.info("role.started", role=role)
            collect_garbage_less_often()
            await supervisor.wait()
        finally:
            await supervisor.stop()


def _api_server(platform: Platform, *endpoint: socket.socket) -> Service:
    settings = platform.settings.api
    return api.HttpServer("api", api.create_app(platform), api.bind(settings.host, settings.port), *endpoint)


def _bind_aws_port(settings: Settings) -> tuple[tuple[socket.socket, ...], Settings]:
    """The port for AWS SDKs, if they have one of their own, and the settings with the number that was chosen for it."""
    port = settings.api.aws_port
    if settings.objects.endpoint_hosts and settings.objects.backend != "disk":
        raise ConfigurationError(
            "SIGHTLINE_OBJECTS_ENDPOINT_HOSTS is for the disk backend: with S3, clients use S3 itself"
        )
    if port is None:
        return (), settings
    if not _aws_services(settings):
        raise ConfigurationError(
            "SIGHTLINE_API_AWS_PORT has nothing to serve: bus and objects are both at AWS, and clients use AWS itself"
        )
    listening = api.bind(settings.api.host, port, chosen_by="SIGHTLINE_API_AWS_PORT")
    chosen = settings.api.model_copy(update={"aws_port": listening.getsockname()[1]})
    return (listening,), settings.model_copy(update={"api": chosen})


def _aws_services(settings: Settings) -> list[str]:
    """What AWS SDKs find here."""
    on_bus = ["SQS", "SNS", "EventBridge", "Scheduler", "STS"] if settings.bus.backend == "postgres" else []
    on_disk = [f"S3 (bucket {settings.objects.bucket})"] if settings.objects.backend == "disk" else []
    return on_bus + on_disk


def _address(host: str, listening: socket.socket) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}"


def _stop_on_signals(supervisor: Supervisor) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, supervisor.request_stop)


def _command() -> str:
    """How to call the command again: by the launcher of this checkout, or by the name that an installation has."""
    return "./sightline" if Path("sightline").is_file() and Path("Makefile").is_file() else "sightline"


def _state_option(state: StateDirectory) -> str:
    """Empty where the command finds the state directory by itself."""
    is_found = state.path == Path(DEFAULT_STATE_DIR).absolute() or STATE_DIR in os.environ
    return "" if is_found else f" --state-dir {shlex.quote(str(state.path))}"


def _aws_lines(address: str, settings: Settings) -> list[str]:
    """Where AWS SDKs find what, and with which key."""
    services = _aws_services(settings)
    if not services:
        return []
    aws_port = settings.api.aws_port
    if aws_port is None:
        if settings.bus.backend != "postgres":
            return []  # S3 alone is below a path of the API; docs/objects.md tells more
        endpoint = address
    else:
        shown = f"[{settings.api.host}]" if ":" in settings.api.host else settings.api.host
        endpoint = settings.objects.endpoint_url or f"http://{shown}:{aws_port}"
    key = "sightline keys create --json" if settings.auth.is_configured else "access key test, secret test"
    if settings.bus.backend != "postgres":
        key = "sightline s3-env"
    return [f"    AWS SDKs   {endpoint}  ({', '.join(services)})", f"    AWS key    {key}"]


def _print_banner(address: str, state: StateDirectory, settings: Settings) -> None:
    database = "embedded PostgreSQL 18" if settings.database.url is None else "the PostgreSQL of SIGHTLINE_DATABASE_URL"
    sign_in = "bearer tokens" if settings.auth.is_configured else "none; this machine only"
    lines = (
        "",
        "  Sightline is running.",
        "",
        f"    Address    {address}",
        f"    API        {address}/docs",
        f"    Health     {address}/api/health?deep=true",
        f"    State      {state.path}",
        f"    Database   {database}",
        f"    Sign-in    {sign_in}",
        *_aws_lines(address, settings),
        "",
        f"    Stop       Ctrl-C here, or: kill {os.getpid()}",
        f"    Status     {_command()} status{_state_option(state)}",
        "",
    )
    print("\n".join(lines), flush=True)
