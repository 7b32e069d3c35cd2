"""Backup and restore of database and objects together."""

import asyncio
import shlex
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from sightline.backup import (
    BackupManifest,
    BackupSource,
    RestoreDestination,
    backup_ids,
    check_apart,
    check_version,
    find_backup,
    make_backup,
    open_target,
    restore_backup,
    verify_backup,
)
from sightline.bootstrap import public_url
from sightline.byte_sizes import bytes_text
from sightline.cli.maintenance.embedded_server import running_database
from sightline.cli.options import StateDir, read_settings
from sightline.cli.output.stages import StageLines
from sightline.config import Settings
from sightline.errors import ConfigurationError, PermanentFailure
from sightline.objects import ObjectStore, open_object_store
from sightline.observability import configure_logging
from sightline.state_directory import StateDirectory
from sightline.timing import utc_now

DEFAULT_KEEP = 7


def register(app: typer.Typer) -> None:
    @app.command()
    def backup(
        target: Annotated[str, typer.Argument(help="A directory, or s3://bucket/prefix.")],
        state_dir: StateDir = None,
        keep: Annotated[int, typer.Option("--keep", min=1, help="How many backups to keep there.")] = DEFAULT_KEEP,
        verify: Annotated[
            bool, typer.Option("--verify", help="Then read everything back and compare checksums.")
        ] = False,
    ) -> None:
        """Back up database and objects together, into a directory or s3://bucket/prefix.

        Works while the platform runs or without it. Only objects that are not there yet are copied.
        Interrupted, repeat the command to continue.
        """
        settings = _settings(state_dir)
        made = asyncio.run(_backup(settings, target, keep=keep, is_verified=verify))
        size = bytes_text(made.object_bytes + made.database.size)
        typer.echo(
            f"Backup {made.backup_id}: {made.object_count} objects and the database, {size}" + " (verified)" * verify
        )

    @app.command()
    def restore(
        source: Annotated[
            str, typer.Argument(help="Where `sightline backup` wrote: a directory, or s3://bucket/prefix.")
        ],
        state_dir: StateDir = None,
        backup_id: Annotated[str | None, typer.Option("--backup", help="Which backup; the newest by default.")] = None,
        verify: Annotated[
            bool, typer.Option("--verify", help="Only check that the backup is whole; restore nothing.")
        ] = False,
        is_list: Annotated[bool, typer.Option("--list", help="Only list the backups there, the oldest first.")] = False,
    ) -> None:
        """Restore a backup into a new state directory, or check one with --verify.

        Database and object store must be empty. Interrupted, repeat the command to continue.
        """
        settings = _settings(state_dir)
        if is_list:
            for one in asyncio.run(_list(settings, source)):
                size = bytes_text(one.object_bytes + one.database.size)
                typer.echo(
                    f"{one.backup_id}  {one.object_count} objects and the database, {size}, Sightline {one.sightline_version}"
                )
            return
        found = asyncio.run(_restore(settings, source, backup_id, is_check=verify))
        start = f"sightline up --state-dir {shlex.quote(str(settings.state_dir))}"
        done = "is whole" if verify else f"is restored; start it with `{start}`"
        typer.echo(f"Backup {found.backup_id} of {found.created_at:%Y-%m-%d %H:%M} UTC {done}")


def _settings(state_dir: Path | None) -> Settings:
    settings = read_settings(state_dir).settings
    configure_logging(settings.observability.model_copy(update={"log_level": "warning"}))
    return settings


async def _backup(settings: Settings, address: str, *, keep: int, is_verified: bool) -> BackupManifest:
    state = settings.state_dir.absolute()
    if settings.database.url is None and not (state / "postgres" / "data").is_dir():
        raise ConfigurationError(f"there is no platform in {state}; name its directory with --state-dir")
    check_apart(address, settings.objects, state)
    with StageLines() as report:
        async with (
            open_target(address, settings.objects, is_new_allowed=True) as target,
            running_database(settings) as admin_url,
            _objects(settings) as objects,
        ):
            source = BackupSource(admin_url, objects, state)
            made = await make_backup(source, target, now=utc_now(), keep=keep, report=report)
            if is_verified:
                await verify_backup(target, made, report)
    return made


async def _list(settings: Settings, address: str) -> list[BackupManifest]:
    async with open_target(address, settings.objects, is_new_allowed=False) as target:
        return [await find_backup(target, one) for one in await backup_ids(target)]


async def _restore(settings: Settings, address: str, backup_id: str | None, *, is_check: bool) -> BackupManifest:
    with StageLines() as report:
        async with open_target(address, settings.objects, is_new_allowed=False) as target:
            found = await find_backup(target, backup_id)
            if is_check:
                await verify_backup(target, found, report)
                return found
            check_version(found)
            if (holder := StateDirectory(settings.state_dir).holder()) is not None:
                raise ConfigurationError(
                    f"a platform is running on {settings.state_dir} (pid {holder.pid}); "
                    "restore into another directory with --state-dir"
                )
            if not (settings.state_dir / "postgres").exists():
                _check_space(settings, found)
            async with running_database(settings) as admin_url, _objects(settings) as objects:
                destination = RestoreDestination(admin_url, objects, settings.state_dir.absolute())
                await restore_backup(target, found, destination, report)
    return found


@asynccontextmanager
async def _objects(settings: Settings) -> AsyncIterator[ObjectStore]:
    async with open_object_store(
        settings.objects,
        state_directory=settings.state_dir.absolute(),
        public_url=public_url(settings),
        announce=_not_announced,
    ) as opened:
        yield opened.store


async def _not_announced(*_: Any) -> None:
    raise AssertionError("a backup stores no object that is announced")


def _check_space(settings: Settings, manifest: BackupManifest) -> None:
    """Before hours of copying."""
    if settings.objects.backend != "disk":
        return
    place = (settings.objects.directory or settings.state_dir).absolute()
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    if free < manifest.object_bytes:
        raise PermanentFailure(
            f"not enough space: the objects of backup {manifest.backup_id} have {bytes_text(manifest.object_bytes)}, "
            f"and {bytes_text(free)} are free in {place}"
        )
