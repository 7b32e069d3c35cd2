"""The secret that signs webhook calls: from settings, or created once in the state directory."""

from pathlib import Path

from pydantic import SecretStr

from sightline.errors import ConfigurationError
from sightline.secret_file import read_or_create_secret

FILE = "webhook-secret"


def webhook_secret(given: SecretStr | None, state_directory: Path) -> bytes:
    if given is not None:
        return given.get_secret_value().encode()
    path = state_directory / FILE
    try:
        return read_or_create_secret(path)
    except OSError as error:
        raise ConfigurationError(
            f"cannot store the webhook secret in {path}: {error}; set SIGHTLINE_PUSH_WEBHOOK_SECRET instead"
        ) from error
