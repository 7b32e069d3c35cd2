"""The key that signs URLs of the disk backend: from settings, or generated once and kept in the state directory."""

import json
import secrets
from pathlib import Path

from pydantic import SecretStr

from sightline.errors import ConfigurationError
from sightline.secret_file import create_secret_file
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
    content = {"key_id": "SIGHTLINE" + secrets.token_hex(6).upper(), "secret": secrets.token_urlsafe(30)}
    create_secret_file(path, json.dumps(content))
