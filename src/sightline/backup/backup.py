"""Making a backup while the platform runs.

Order: objects, database, objects again. The dump is one moment of the database. An object that the dump names was there before
the first pass and is copied in it, or came later and is copied in the second. One that was deleted in between is kept from the
first.
"""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path

import structlog

from sightline.backup.database_dump import dump_database, server_version
from sightline.backup.files import copy_with_checksum, describe
from sightline.backup.manifest import (
    ID_FORM,
    BackupManifest,
    FileEntry,
    ObjectEntry,
    belongs_to_backup,
    file_name,
    is_object_name,
    manifest_name,
    object_name,
    read_objects,
)
from sightline.backup.object_copies import ObjectCopies, store_lines
from sightline.backup.restore import backup_ids
from sightline.backup.target import BackupTarget
from sightline.db import applied_migration
from sightline.objects import ObjectStore
from sightline.stage_progress import ReportProgress, StageProgress

NOT_SAVED = frozenset({"lock", "status.json"})

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class BackupSource:
    admin_url: str
    objects: ObjectStore
    state_directory: Path


async def make_backup(
    source: BackupSource, target: BackupTarget, *, now: datetime, keep: int, report: ReportProgress
) -> BackupManifest:
    """Interrupted, it leaves earlier backups as they were, and the next one continues with what was copied."""
    with target.written():
        return await _make(source, target, now=now, keep=keep, report=report)


async def _make(
    source: BackupSource, target: BackupTarget, *, now: datetime, keep: int, report: ReportProgress
) -> BackupManifest:
    backup_id = _free_id(now, await backup_ids(target))
    copies = ObjectCopies(source.objects, target, report)
    await copies.load()
    first = await copies.copy_all("Copying objects")
    report(StageProgress("Dumping the database"))
    database = await _dump(source, target, backup_id)
    entries = first | await copies.copy_all("Copying new objects")
    objects = await _store_list(target, backup_id, entries)
    manifest = BackupManifest(
        backup_id=backup_id,
        created_at=now,
        sightline_version=version("sightline"),
        server_version=await server_version(source.admin_url),
        migration=await applied_migration(source.admin_url),
        database=database,
        objects=objects,
        object_count=len(entries),
        object_bytes=sum(entry.size for entry in entries.values()),
        state_files=await _store_state_files(source.state_directory, target, backup_id),
    )
    await _store_bytes(target, manifest_name(backup_id), manifest.model_dump_json(indent=2).encode())
    await _remove_old(target, keep)
    log.info("backup.made", backup_id=backup_id, objects=len(entries), copied=copies.copied_count)
    return manifest


async def _dump(source: BackupSource, target: BackupTarget, backup_id: str) -> FileEntry:
    name = file_name(backup_id, "database.dump")
    async with target.staging() as staged:
        await dump_database(source.admin_url, staged)
        entry = await describe(name, staged)
        await target.store(name, staged)
    return entry


async def _store_list(target: BackupTarget, backup_id: str, entries: dict[str, ObjectEntry]) -> FileEntry:
    name = file_name(backup_id, "objects.jsonl")
    await store_lines(target, name, (entries[key] for key in sorted(entries)))
    async with target.local(name) as path:
        return await describe(name, path)


async def _store_state_files(directory: Path, target: BackupTarget, backup_id: str) -> tuple[FileEntry, ...]:
    """Keys and secrets that were generated beside the database: without them links and signatures of before are invalid."""
    stored = []
    for path in await asyncio.to_thread(_state_files, directory):
        name = file_name(backup_id, f"state/{path.name}")
        async with target.staging() as staged:
            sha256, size = await copy_with_checksum(path, staged)
            await target.store(name, staged)
        stored.append(FileEntry(name=name, size=size, sha256=sha256))
    return tuple(stored)


def _state_files(directory: Path) -> list[Path]:
    found = sorted(directory.iterdir()) if directory.is_dir() else ()
    return [
        path
        for path in found
        if path.is_file() and not path.is_symlink() and path.name not in NOT_SAVED and not path.name.startswith(".")
    ]


async def _store_bytes(target: BackupTarget, name: str, content: bytes) -> None:
    async with target.staging() as staged:
        staged.write_bytes(content)
        await target.store(name, staged)


async def _remove_old(target: BackupTarget, keep: int) -> None:
    """All but the newest backups, what unfinished ones left, and objects that no backup names any more."""
    ids = await backup_ids(target)
    kept, wanted = set(ids[-keep:]), set()
    for backup_id in kept:
        async with target.local(file_name(backup_id, "objects.jsonl")) as path:
            wanted |= {object_name(entry.sha256) for entry in read_objects(path.read_bytes())}
    for name in await target.sizes("backups/"):
        if (owner := belongs_to_backup(name)) is not None and owner not in kept:
            await target.delete(name)
    for name in (await target.sizes("objects/")).keys() - wanted:
        if is_object_name(name):  # whatever else is there was not written by a backup
            await target.delete(name)


def _free_id(now: datetime, taken: Collection[str]) -> str:
    """A backup is named after its second, or the next one that has no backup yet."""
    while (backup_id := now.strftime(ID_FORM)) in taken:
        now += timedelta(seconds=1)
    return backup_id
