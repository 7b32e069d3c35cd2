"""Checksums of files, in threads."""

import asyncio
import hashlib
from pathlib import Path

from sightline.backup.manifest import FileEntry

CHUNK_BYTES = 1024 * 1024


async def checksum(path: Path) -> tuple[str, int]:
    """SHA-256 and size."""
    return await asyncio.to_thread(_copy, path, None)


async def copy_with_checksum(source: Path, destination: Path) -> tuple[str, int]:
    return await asyncio.to_thread(_copy, source, destination)


async def describe(name: str, path: Path) -> FileEntry:
    sha256, size = await checksum(path)
    return FileEntry(name=name, size=size, sha256=sha256)


def _copy(source: Path, destination: Path | None) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    with source.open("rb") as reader:
        writer = None if destination is None else destination.open("xb")
        try:
            while chunk := reader.read(CHUNK_BYTES):
                digest.update(chunk)
                size += len(chunk)
                if writer is not None:
                    writer.write(chunk)
        finally:
            if writer is not None:
                writer.close()
    return digest.hexdigest(), size
