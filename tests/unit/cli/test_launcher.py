"""`./sightline`, the launcher beside the Makefile."""

import shutil
import subprocess
from pathlib import Path

import sightline

ROOT = Path(__file__).resolve().parents[3]


def _checkout(path: Path, *, installed: bool = True) -> Path:
    """A copy of the launcher with an interpreter that prints how it was called."""
    (path / ".venv/bin").mkdir(parents=True)
    shutil.copy(ROOT / "sightline", path / "sightline")
    interpreter = path / ".venv/bin/python"
    interpreter.write_text('#!/bin/sh\necho "$SIGHTLINE_STATE_DIR|$*"\n')
    interpreter.chmod(0o755)
    if installed:
        (path / ".venv/.runtime").touch()
    return path / "sightline"


def _run(launcher: Path | str, *arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    bare = {"PATH": "/usr/bin:/bin", **environment}
    return subprocess.run([launcher, *arguments], cwd=cwd, env=bare, capture_output=True, text=True, check=False)


def test_the_launcher_of_this_checkout_runs_the_command_from_any_directory(tmp_path: Path):
    result = _run(ROOT / "sightline", "version", cwd=tmp_path)
    assert (result.stdout, result.stderr) == (f"{sightline.__version__}\n", "")


def test_it_passes_its_arguments_on_as_they_are(tmp_path: Path):
    launcher = _checkout(tmp_path / "a checkout")
    assert (
        _run(launcher, "search", "two words", cwd=tmp_path / "a checkout").stdout == "|-m sightline search two words\n"
    )


def test_from_another_directory_it_uses_the_state_of_its_checkout(tmp_path: Path):
    launcher = _checkout(tmp_path / "checkout")
    state = tmp_path / "checkout/.sightline"
    assert _run(launcher, "status", cwd=tmp_path).stdout == f"{state}|-m sightline status\n"
    (tmp_path / "link").symlink_to(launcher)
    assert _run(tmp_path / "link", "status", cwd=tmp_path).stdout == f"{state}|-m sightline status\n"
    given = _run(launcher, "status", cwd=tmp_path, SIGHTLINE_STATE_DIR="/elsewhere")
    assert given.stdout == "/elsewhere|-m sightline status\n"


def test_without_an_environment_it_says_what_to_do_first(tmp_path: Path):
    result = _run(_checkout(tmp_path / "checkout", installed=False), "status", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr == f"sightline: not installed yet; run `make run` in {tmp_path / 'checkout'} first\n"
