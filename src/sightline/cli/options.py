"""Options that several commands share, and the settings read with them."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from sightline.errors import InvalidInput
from sightline.state_directory import StateDirectory

if TYPE_CHECKING:  # imports every part of the platform
    from sightline.config import LoadedSettings

StateDir = Annotated[Path | None, typer.Option("--state-dir", help="State directory (SIGHTLINE_STATE_DIR).")]
Host = Annotated[str | None, typer.Option("--host", help="Address to listen on (SIGHTLINE_API_HOST).")]
Port = Annotated[int | None, typer.Option("--port", help="Port to listen on (SIGHTLINE_API_PORT).")]
AsJson = Annotated[bool, typer.Option("--json", help="Output JSON.")]

STATE_DIR = "SIGHTLINE_STATE_DIR"
DEFAULT_STATE_DIR = ".sightline"
# Names outside of SIGHTLINE_ that set something.
DOCUMENT_NAMES = frozenset(
    {
        "DATABASE_URL",
        "S3_ENDPOINT",
        "S3_BUCKET",
        "S3_ACCESS_KEY_ID",
        "S3_SECRET_ACCESS_KEY",
        "SUPABASE_URL",
        "SUPABASE_SERVICE_ROLE_KEY",
    }
)
_NEEDS_NO_CHECK = frozenset({STATE_DIR, "SIGHTLINE_TOKEN"})


def read_settings(state_dir: Path | None = None, host: str | None = None, port: int | None = None) -> "LoadedSettings":
    from sightline.config import load_settings

    overrides: dict[tuple[str | None, str], Any] = {
        (None, "state_dir"): state_dir,
        ("api", "host"): host,
        ("api", "port"): port,
    }
    return load_settings(overrides=overrides)


def state_directory(state_dir: Path | None) -> StateDirectory:
    """The state directory of the settings. Reads them all only when another one is given that could be wrong."""
    found = _read_env_file() | dict(os.environ)
    others = [name for name in found if name.startswith("SIGHTLINE_") or name in DOCUMENT_NAMES]
    if not _NEEDS_NO_CHECK.issuperset(others):
        return StateDirectory(read_settings(state_dir).settings.state_dir)
    return StateDirectory(state_dir if state_dir is not None else Path(found.get(STATE_DIR, DEFAULT_STATE_DIR)))


def running_address(state_dir: Path | None) -> str:
    """Address of the platform on the state directory; if none is running, the one in the settings."""
    holder = state_directory(state_dir).holder()
    if holder is not None and holder.address:
        return holder.address
    api = read_settings(state_dir).settings.api
    return api.public_url or f"http://{api.host}:{api.port}"


def as_id(text: str, what: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidInput(f"{text!r} is not a {what} id") from None


def _read_env_file() -> dict[str, str]:
    file = Path(".env")
    if not file.is_file():
        return {}
    from dotenv import dotenv_values

    return {name: value for name, value in dotenv_values(file).items() if value is not None}
