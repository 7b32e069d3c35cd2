"""Secrets of an installation: from settings, or generated once and kept as files in the state directory."""

import os
import secrets
from pathlib import Path

from pydantic import SecretStr

from sightline.errors import ConfigurationError


def installation_secret(given: SecretStr | None, path: Path, *, setting: str) -> bytes:
    """The given secret, otherwise that of the file, which is created with a random one if it does not exist."""
    if given is not None:
        return given.get_secret_value().encode()
    try:
        if not path.exists():
            create_secret_file(path, secrets.token_urlsafe(32) + "\n")
        return path.read_bytes().strip()
    except OSError as error:
        raise ConfigurationError(f"cannot store the secret {path}: {error}; set {setting} instead") from error


def create_secret_file(path: Path, content: str) -> None:
    """Creates the file atomically, and the first process wins: all processes must use the same secret."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(fresh, path)
        except FileExistsError:
            return
    finally:
        fresh.unlink()
