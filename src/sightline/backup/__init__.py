"""Backups of database and objects together, into a directory or a bucket, and their restore."""

from sightline.backup.backup import BackupSource, make_backup
from sightline.backup.database_dump import dump_database
from sightline.backup.manifest import BackupManifest
from sightline.backup.restore import RestoreDestination, find_backup, restore_backup
from sightline.backup.target import BackupTarget, open_target
from sightline.backup.verify import verify_backup

__all__ = [
    "BackupManifest",
    "BackupSource",
    "BackupTarget",
    "RestoreDestination",
    "dump_database",
    "find_backup",
    "make_backup",
    "open_target",
    "restore_backup",
    "verify_backup",
]
