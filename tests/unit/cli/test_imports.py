"""What commands import: a command waits only for the libraries it works with."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from sightline.cli import COMMANDS, app
from sightline.cli.options import DEFAULT_STATE_DIR, DOCUMENT_NAMES, STATE_DIR, state_directory
from sightline.config import DOCUMENT_NAMES as NAMES_THAT_SETTINGS_KNOW
from sightline.config import Settings
from sightline.errors import ConfigurationError

# Runs the command as `python -m sightline` does, then adds the names of all imported modules as a last line.
RUN = """
import json, runpy, sys
try:
    runpy.run_module("sightline", run_name="__main__", alter_sys=True)
finally:
    print()
    print(json.dumps(sorted(sys.modules)))
"""
SERVING = {"fastapi", "starlette", "uvicorn", "uvloop"}
WORKING = {"av", "cv2", "numpy", "tesserocr", "PIL", "aiobotocore", "botocore", "redis", "aiosmtplib", "opentelemetry"}
PLATFORM = {"asyncpg", "structlog", "prometheus_client", "jinja2", "psutil"}


def imported_by(directory: Path, *arguments: str) -> set[str]:
    """Top-level names of what a process has imported when the command has ended."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments], cwd=directory, env=kept, capture_output=True, check=False
    )
    names: list[str] = json.loads(done.stdout.splitlines()[-1])
    return {name.partition(".")[0] for name in names} | {name for name in names if name.startswith("sightline.")}


@pytest.mark.parametrize("arguments", [("version",), ("status",), ("--help",)])
def test_the_small_commands_import_no_part_of_the_platform(tmp_path: Path, arguments: tuple[str, ...]):
    imported = imported_by(tmp_path, *arguments)
    assert not imported & (SERVING | WORKING | PLATFORM | {"httpx", "websockets", "sightline.config"})


def test_a_client_of_a_platform_imports_no_part_of_it(tmp_path: Path):
    (tmp_path / "film.mp4").write_bytes(b"")
    imported = imported_by(tmp_path, "upload", "film.mp4", "--server", "http://127.0.0.1:9")
    assert "httpx" in imported
    assert not imported & (SERVING | WORKING | PLATFORM | {"sightline.config"})


def test_a_command_that_looks_at_the_database_imports_neither_what_serves_nor_what_works(tmp_path: Path):
    imported = imported_by(tmp_path, "jobs", "list")
    assert "asyncpg" in imported
    assert not imported & (SERVING | WORKING)


def test_the_list_says_of_each_command_what_the_command_says_of_itself():
    group = typer.main.get_command(app)
    context = group.make_context("sightline", ["version"])
    for name, (_, text) in COMMANDS.items():
        listed = group.get_command(context, name)  # type: ignore[attr-defined]
        command = listed.make_context(name, [], parent=context, resilient_parsing=True).command
        assert " ".join(command.help.partition("\n\n")[0].split()) == text, name
        assert CliRunner().invoke(app, [name, "--help"]).exit_code == 0


def test_an_unknown_command_is_refused_with_the_nearest_that_there_is():
    answer = CliRunner().invoke(app, ["statsu"])
    assert answer.exit_code == 2
    assert "Did you mean 'status'" in answer.output


def test_where_nothing_else_is_set_the_state_directory_is_found_as_settings_find_it(
    clean_environment: Path, monkeypatch: pytest.MonkeyPatch
):
    assert set(NAMES_THAT_SETTINGS_KNOW) == DOCUMENT_NAMES
    assert Path(DEFAULT_STATE_DIR) == Settings().state_dir
    assert state_directory(None).path == clean_environment / ".sightline"
    (clean_environment / ".env").write_text(f"{STATE_DIR}=from file\n")
    assert state_directory(None).path == clean_environment / "from file"
    monkeypatch.setenv(STATE_DIR, "from environment")
    assert state_directory(None).path == clean_environment / "from environment"
    assert state_directory(Path("from command line")).path == clean_environment / "from command line"


@pytest.mark.parametrize(
    ("name", "value"), [("SIGHTLINE_STATE_DRI", "x"), ("SIGHTLINE_API_PORT", "many"), ("S3_ACCESS_KEY_ID", "alone")]
)
def test_a_setting_that_is_wrong_is_refused_by_small_commands_too(
    clean_environment: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
):
    (clean_environment / ".env").write_text(f"{name}={value}\n")
    with pytest.raises(ConfigurationError):
        state_directory(None)
