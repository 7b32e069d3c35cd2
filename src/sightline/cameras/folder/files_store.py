"""Reads and writes which files of a watched folder were looked at."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from uuid import UUID

from sightline.cameras.folder.folder import FolderFile
from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("files.sql"))


async def unhandled_files(tx: Transaction, camera_key: UUID, files: Sequence[FolderFile]) -> list[FolderFile]:
    rows = await _sql["unhandled"].rows(
        tx,
        camera_key=camera_key,
        names=[file.name for file in files],
        sizes=[file.size_bytes for file in files],
        times=[file.modified_ns for file in files],
    )
    names = {row["name"] for row in rows}
    return [file for file in files if file.name in names]


async def record_file(
    tx: Transaction, camera_key: UUID, file: FolderFile, *, reason: str | None = None, sightings: int = 0
) -> None:
    """With a reason: the file is set aside."""
    await _sql["record_file"].run(
        tx,
        camera_key=camera_key,
        name=file.name,
        size_bytes=file.size_bytes,
        modified_ns=file.modified_ns,
        outcome="looked" if reason is None else "unreadable",
        reason=reason,
        sightings=sightings,
    )


async def old_files(tx: Transaction, camera_key: UUID, *, before: datetime, after: str, limit: int) -> list[FolderFile]:
    rows = await _sql["old_files"].rows(tx, camera_key=camera_key, before=before, after=after, limit=limit)
    return [FolderFile(**row) for row in rows]


async def forget_files(tx: Transaction, camera_key: UUID, names: Sequence[str]) -> None:
    await _sql["forget_files"].run(tx, camera_key=camera_key, names=list(names))
