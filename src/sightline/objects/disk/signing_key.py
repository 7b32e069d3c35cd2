"""The key that signs URLs of the disk backend: from settings, or generated once and kept in the state directory."""

import json
import os
import secrets
from pathlib import Path

from pydantic import SecretStr

from sightline.errors import ConfigurationError
from sightline.sigv4 import SigningKey

KEY_FILE = "objects-key.json"


def load_signing_key(key_id: str | None, secret: SecretStr | None, state_directory: Path) -> SigningKey:
    if key_id and secret:
        return SigningKey(key_id, secret.get_secret_value())
    path = state_directory / KEY_FILE
    try:
        if not path.exists():
            _generate(path)
        found = json.loads(path.read_text())
        return SigningKey(found["key_id"], found["secret"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(
            f"cannot use the key that signs URLs, {path}: {error}; "
            "remove the file to generate a new key, or set SIGHTLINE_OBJECTS_SIGNING_KEY_ID and _SIGNING_SECRET"
        ) from error


def _generate(path: Path) -> None:
    """Atomic, and the first process wins: all processes must sign with the same key."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    content = {"key_id": "SIGHTLINE" + secrets.token_hex(6).upper(), "secret": secrets.token_urlsafe(30)}
    fresh = path.with_name(f".{KEY_FILE}.{secrets.token_hex(6)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(fresh, path)
        except FileExistsError:
            return
    finally:
        fresh.unlink()
