"""Lowest bounds of the dependencies: installs each of them into a throw-away environment and runs the unit tests there."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = ("otel", "aws", "redis")
DEFAULT_TESTS = ("tests/unit",)


def install(environment: Path) -> Path:
    """Our direct dependencies at their lowest versions, what they need at the newest; test tools as they are locked."""
    python = environment / "bin" / "python"
    uv = [sys.executable, "-m", "uv", "--quiet"]
    subprocess.run([*uv, "venv", "--python", sys.executable, str(environment)], check=True)
    # Test tools are not what is tried here: they come from the lock, without what is ours.
    extras = [option for extra in EXTRAS for option in ("--extra", extra)]
    direct = subprocess.run(
        [*uv, "pip", "compile", "pyproject.toml", *extras, "--resolution", "lowest-direct", "--python", str(python)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    lowest = environment / "lowest.txt"
    lowest.write_text(direct)
    into = ["--python", str(python)]
    subprocess.run(
        [*uv, "pip", "install", *into, "-r", str(lowest), "--group", "dev", "-c", str(lowest)], cwd=ROOT, check=True
    )
    return python


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="sightline-lowest-") as directory:
        python = install(Path(directory) / "venv")
        tests = sys.argv[1:] or DEFAULT_TESTS
        command = [
            str(python),
            "-m",
            "pytest",
            *tests,
            "-q",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            "--override-ini",
            "pythonpath=tests src",
        ]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
