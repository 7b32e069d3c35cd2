"""Verification of a backup: every file is read and compared with its checksum."""

from sightline.backup.files import checksum
from sightline.backup.manifest import (
    BackupDamaged,
    BackupManifest,
    FileEntry,
    ObjectEntry,
    object_name,
    read_objects,
)
from sightline.backup.target import BackupTarget
from sightline.errors import NotFound
from sightline.stage_progress import ReportProgress, StageProgress


async def verify_backup(target: BackupTarget, manifest: BackupManifest, report: ReportProgress) -> None:
    """Raises `BackupDamaged` that names the first file that is missing or different."""
    for file in (manifest.database, manifest.objects, *manifest.state_files):
        await check_file(target, file)
    entries = await read_entries(target, manifest)
    checked: set[str] = set()
    for number, entry in enumerate(entries):
        report(StageProgress("Verifying objects", number, len(entries)))
        if entry.sha256 not in checked:
            await check_file(target, FileEntry(name=object_name(entry.sha256), size=entry.size, sha256=entry.sha256))
            checked.add(entry.sha256)
    report(StageProgress("Verifying objects", len(entries), len(entries)))


async def read_entries(target: BackupTarget, manifest: BackupManifest) -> list[ObjectEntry]:
    await check_file(target, manifest.objects)
    async with target.local(manifest.objects.name) as path:
        entries = read_objects(path.read_bytes())
    if len(entries) != manifest.object_count:
        raise BackupDamaged(f"the list has {len(entries)} objects, the manifest says {manifest.object_count}")
    return entries


async def check_file(target: BackupTarget, file: FileEntry) -> None:
    try:
        async with target.local(file.name) as path:
            sha256, size = await checksum(path)
    except NotFound as error:
        raise BackupDamaged(f"{file.name} is missing from the backup") from error
    except OSError as error:
        raise BackupDamaged(f"{file.name} cannot be read: {error.strerror or error}") from error
    if (sha256, size) != (file.sha256, file.size):
        raise BackupDamaged(f"{file.name} is damaged: its checksum is not the one of the manifest")
