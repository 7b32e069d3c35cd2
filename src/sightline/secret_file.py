"""Secrets of an installation that are generated once and kept as files in the state directory."""

import os
import secrets
from pathlib import Path


def read_or_create_secret(path: Path) -> bytes:
    """The secret in the file, which is created with a random one if it does not exist."""
    if not path.exists():
        _create(path)
    return path.read_bytes().strip()


def _create(path: Path) -> None:
    """Creates the file atomically, and the first process wins: all processes must use the same secret."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(fresh, path)
        except FileExistsError:
            return
    finally:
        fresh.unlink()
