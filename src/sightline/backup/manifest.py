"""The manifest of a backup: what belongs to it, with a checksum of everything. Pure."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sightline.errors import PermanentFailure

FORMAT = 1
ID_FORM = "%Y%m%dT%H%M%SZ"
_OBJECT = re.compile(r"^objects/([0-9a-f]{2})/\1[0-9a-f]{62}$")
_ID = re.compile(r"^\d{8}T\d{6}Z$")


class BackupDamaged(PermanentFailure):
    """A file of the backup is missing or is not what the manifest says."""


class FileEntry(BaseModel):
    model_config = ConfigDict(frozen=True)

    name: str
    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class ObjectEntry(BaseModel):
    """An object of the store; its bytes are at `object_name(sha256)`, shared by all backups of a target."""

    model_config = ConfigDict(frozen=True)

    key: str
    size: int = Field(ge=0)
    etag: str
    modified_at: datetime
    content_type: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")

    def is_same(self, other: "ObjectEntry") -> bool:
        """Whether the stored object has not changed, as far as the store shows without reading it."""
        return (self.key, self.size, self.etag, self.modified_at) == (
            other.key,
            other.size,
            other.etag,
            other.modified_at,
        )


class BackupManifest(BaseModel):
    """Written last: a backup without one is unfinished, and nothing is restored from it."""

    model_config = ConfigDict(frozen=True)

    format: int = FORMAT
    backup_id: str
    created_at: datetime
    sightline_version: str
    server_version: str
    migration: int = 0
    """The newest one that the database has; 0 in manifests of before."""
    database: FileEntry
    objects: FileEntry
    """The list of objects, a line each."""
    object_count: int = Field(ge=0)
    object_bytes: int = Field(ge=0)
    state_files: tuple[FileEntry, ...] = ()


def is_backup_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def file_name(backup_id: str, name: str) -> str:
    return f"backups/{backup_id}/{name}"


def manifest_name(backup_id: str) -> str:
    return file_name(backup_id, "manifest.json")


def belongs_to_backup(name: str) -> str | None:
    """The id of the backup that a file of this name belongs to; None for files of others."""
    parts = name.split("/")
    return parts[1] if len(parts) > 2 and parts[0] == "backups" and is_backup_id(parts[1]) else None


def is_object_name(name: str) -> bool:
    return _OBJECT.fullmatch(name) is not None


def object_name(sha256: str) -> str:
    return f"objects/{sha256[:2]}/{sha256}"


def read_manifest(content: bytes) -> BackupManifest:
    try:
        found = BackupManifest.model_validate_json(content)
    except ValidationError as error:
        raise BackupDamaged(f"the manifest cannot be read: {error.error_count()} invalid fields") from error
    if found.format != FORMAT:
        raise BackupDamaged(f"the backup has format {found.format}, this version of Sightline reads {FORMAT}")
    return found


def write_objects(entries: Iterable[ObjectEntry]) -> Iterator[bytes]:
    for entry in entries:
        yield entry.model_dump_json().encode() + b"\n"


def read_objects(content: bytes) -> list[ObjectEntry]:
    try:
        return [ObjectEntry.model_validate_json(line) for line in content.splitlines()]
    except ValidationError as error:
        raise BackupDamaged("the list of objects cannot be read") from error
