"""Restoring a backup into an empty database and an empty object store.

A marker in the state directory says which backup is being restored. After a kill the same command continues: the database, which is
loaded in one transaction, is loaded again, and objects that are there already are skipped.
"""

import asyncio
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import structlog

from sightline.backup.database_dump import has_tables, load_database
from sightline.backup.files import copy_with_checksum, disk_errors
from sightline.backup.manifest import (
    BackupDamaged,
    BackupManifest,
    ObjectEntry,
    file_name,
    is_backup_id,
    manifest_name,
    object_name,
    read_manifest,
)
from sightline.backup.target import BackupTarget
from sightline.backup.verify import check_file, read_entries
from sightline.db import migrate, newest_migration
from sightline.errors import ConfigurationError, NotFound
from sightline.objects import ObjectStore
from sightline.stage_progress import ReportProgress, StageProgress

MARKER = "restore-unfinished.json"
STAGING = ".restoring"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class RestoreDestination:
    admin_url: str
    objects: ObjectStore
    state_directory: Path


async def backup_ids(target: BackupTarget) -> list[str]:
    """Complete backups, the oldest first."""
    names = await target.sizes("backups/")
    ids = {name.split("/")[1] for name in names}
    return sorted(one for one in ids if is_backup_id(one) and manifest_name(one) in names)


async def find_backup(target: BackupTarget, backup_id: str | None = None) -> BackupManifest:
    """The backup of that id, or the newest."""
    ids = await backup_ids(target)
    if not ids:
        raise ConfigurationError("there is no complete backup here; make one with `sightline backup`")
    chosen = ids[-1] if backup_id is None else backup_id
    if chosen not in ids:
        raise ConfigurationError(f"there is no backup {chosen} here; there are {', '.join(ids)}")
    async with target.local(manifest_name(chosen)) as path:
        return read_manifest(path.read_bytes())


def check_version(manifest: BackupManifest) -> None:
    """Before anything is written: an older version cannot read a newer database."""
    if manifest.migration > (newest := newest_migration()):
        raise ConfigurationError(
            f"backup {manifest.backup_id} was made by Sightline {manifest.sightline_version} at migration "
            f"{manifest.migration}, and this version knows only {newest}; use that version or a newer one"
        )


async def restore_backup(
    target: BackupTarget, manifest: BackupManifest, destination: RestoreDestination, report: ReportProgress
) -> None:
    await _begin(manifest, destination)
    staging = destination.state_directory / STAGING
    await asyncio.to_thread(_make_empty, staging)
    report(StageProgress("Loading the database"))
    if not await has_tables(destination.admin_url):
        await check_file(target, manifest.database)
        async with target.local(manifest.database.name) as path:
            await load_database(destination.admin_url, path)
    with disk_errors(destination.state_directory):
        await _restore_objects(target, manifest, destination.objects, staging, report)
        await _restore_state_files(target, manifest, destination.state_directory)
    await _finish_database(destination.admin_url)
    await asyncio.to_thread(shutil.rmtree, staging)
    (destination.state_directory / MARKER).unlink()
    log.info("backup.restored", backup_id=manifest.backup_id, objects=manifest.object_count)


async def _begin(manifest: BackupManifest, destination: RestoreDestination) -> None:
    """Refuses to mix a backup with anything else. A restore of the same backup that was interrupted is continued."""
    marker = destination.state_directory / MARKER
    try:
        unfinished = json.loads(marker.read_text())["backup_id"]
    except FileNotFoundError:
        unfinished = None
    if unfinished is not None and unfinished != manifest.backup_id:
        raise ConfigurationError(
            f"a restore of backup {unfinished} was interrupted here; continue it with --backup {unfinished}, "
            "or choose an empty state directory"
        )
    if unfinished is None:
        if await has_tables(destination.admin_url):
            raise ConfigurationError(
                "the database is not empty; restore into a new state directory or an empty database"
            )
        async for stored in destination.objects.find(""):
            raise ConfigurationError(f"the object store is not empty ({stored.key}); restore into an empty one")
        marker.write_text(json.dumps({"backup_id": manifest.backup_id}))


async def _restore_objects(
    target: BackupTarget, manifest: BackupManifest, objects: ObjectStore, staging: Path, report: ReportProgress
) -> None:
    entries = await read_entries(target, manifest)
    for number, entry in enumerate(entries):
        report(StageProgress("Restoring objects", number, len(entries)))
        present = await objects.head(entry.key)
        if present is None or (present.size, present.etag) != (entry.size, entry.etag):
            await _restore_object(target, entry, objects, staging / "object")
    report(StageProgress("Restoring objects", len(entries), len(entries)))


async def _restore_object(target: BackupTarget, entry: ObjectEntry, objects: ObjectStore, copy: Path) -> None:
    try:
        async with target.local(object_name(entry.sha256)) as source:
            # Checked on the very bytes that are stored. The target is only read: it may be mounted that way.
            found = await copy_with_checksum(source, copy, is_replacing=True)
            if found != (entry.sha256, entry.size):
                raise BackupDamaged(f"the copy of {entry.key} is damaged: its checksum is not the one of the manifest")
            await objects.put_file(entry.key, copy, content_type=entry.content_type, etag=entry.etag)
    except NotFound as error:
        raise BackupDamaged(f"the copy of {entry.key} is missing from the backup") from error


def _make_empty(directory: Path) -> None:
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(mode=0o700)


async def _restore_state_files(target: BackupTarget, manifest: BackupManifest, directory: Path) -> None:
    for file in manifest.state_files:
        await check_file(target, file)
        name = file.name.removeprefix(file_name(manifest.backup_id, "state/"))
        if "/" in name or name in {"", ".", "..", MARKER}:
            raise BackupDamaged(f"{file.name} is no file of a state directory")
        fresh = directory / f".{name}.restored"
        async with target.local(file.name) as path:
            fresh.unlink(missing_ok=True)
            fresh.touch(mode=0o600)
            fresh.write_bytes(path.read_bytes())
        os.replace(fresh, directory / name)


async def _finish_database(admin_url: str) -> None:
    """Migrations newer than the backup, statistics, and live clients that know later numbers."""
    await migrate(admin_url)
    connection = await asyncpg.connect(admin_url)
    try:
        await connection.execute("SELECT sightline.renew_live_epochs()")
        await connection.execute("ANALYZE")
    finally:
        await connection.close()
