"""Options that several commands share, and reading settings with them."""

from pathlib import Path
from typing import Annotated, Any

import typer

from sightline.config import LoadedSettings, load_settings

StateDir = Annotated[
    Path | None, typer.Option("--state-dir", help="Directory that holds everything (SIGHTLINE_STATE_DIR).")
]
Host = Annotated[str | None, typer.Option("--host", help="Address to listen on (SIGHTLINE_API_HOST).")]
Port = Annotated[int | None, typer.Option("--port", help="Port to listen on (SIGHTLINE_API_PORT).")]


def read_settings(state_dir: Path | None = None, host: str | None = None, port: int | None = None) -> LoadedSettings:
    overrides: dict[tuple[str | None, str], Any] = {
        (None, "state_dir"): state_dir,
        ("api", "host"): host,
        ("api", "port"): port,
    }
    return load_settings(overrides=overrides)
