"""Backups of database and objects together, into a directory or a bucket, and their restore."""

from sightline.backup.backup import BackupSource, make_backup
from sightline.backup.database_dump import dump_database
from sightline.backup.manifest import BackupManifest
from sightline.backup.restore import RestoreDestination, backup_ids, check_version, find_backup, restore_backup
from sightline.backup.target import BackupTarget, check_apart, open_target
from sightline.backup.verify import verify_backup

__all__ = [
    "BackupManifest",
    "BackupSource",
    "BackupTarget",
    "RestoreDestination",
    "backup_ids",
    "check_apart",
    "check_version",
    "dump_database",
    "find_backup",
    "make_backup",
    "open_target",
    "restore_backup",
    "verify_backup",
]
