"""The secret that signs webhook calls: from settings, or created once in the state directory."""

from pathlib import Path

from pydantic import SecretStr

from sightline.secret_file import installation_secret

FILE = "webhook-secret"


def webhook_secret(given: SecretStr | None, state_directory: Path) -> bytes:
    return installation_secret(given, state_directory / FILE, setting="SIGHTLINE_PUSH_WEBHOOK_SECRET")
