"""The secret that signs webhook calls: from settings, or created once in the state directory."""

import os
import secrets
from pathlib import Path

from pydantic import SecretStr

from sightline.errors import ConfigurationError

FILE = "webhook-secret"


def webhook_secret(given: SecretStr | None, state_directory: Path) -> bytes:
    if given is not None:
        return given.get_secret_value().encode()
    path = state_directory / FILE
    try:
        if not path.exists():
            _make(path)
        return path.read_bytes().strip()
    except OSError as error:
        raise ConfigurationError(
            f"cannot store the webhook secret in {path}: {error}; set SIGHTLINE_PUSH_WEBHOOK_SECRET instead"
        ) from error


def _make(path: Path) -> None:
    """Creates the file atomically, and the first process wins: all processes must use the same secret."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{FILE}.{secrets.token_hex(6)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
        try:
            os.link(fresh, path)
        except FileExistsError:
            return
    finally:
        fresh.unlink()
