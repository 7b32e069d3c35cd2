"""Lowest bounds of the dependencies: installs each of them into a throw-away environment and runs the unit tests there."""

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = ("otel", "aws", "redis")
DEFAULT_TESTS = ("tests/unit",)
NOT_NEEDED = (
    "asyncpg-stubs",
    "import-linter",
    "mypy",
    "playwright",
    "ruff",
    "types-",
)  # tools that no unit test uses


def install(environment: Path) -> Path:
    """Our direct dependencies at their lowest versions, theirs at the newest; the test tools as they are locked."""
    python = environment / "bin" / "python"
    uv = [sys.executable, "-m", "uv", "--quiet"]
    subprocess.run([*uv, "venv", "--python", sys.executable, str(environment)], check=True)
    extras = [option for extra in EXTRAS for option in ("--extra", extra)]
    command = [*uv, "pip", "compile", "pyproject.toml", *extras, "--no-annotate", "--no-header"]
    command += ["--resolution", "lowest-direct", "--python", str(python)]
    lowest = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    ours = {line.partition("==")[0] for line in lowest.splitlines()}
    pins = re.findall(r"^[a-z0-9._-]+==[^ ;\n]+", (ROOT / "requirements-dev.lock").read_text(), re.MULTILINE)
    tools = "\n".join(pin for pin in pins if pin.partition("==")[0] not in ours)
    for name, content in (("lowest.txt", lowest), ("tools.txt", tools)):
        (environment / name).write_text(content)
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    needed = [tool for tool in (*groups["build"], *groups["dev"]) if not tool.startswith(NOT_NEEDED)]
    given = ["-r", str(environment / "lowest.txt"), "-c", str(environment / "tools.txt"), *needed]
    subprocess.run([*uv, "pip", "install", "--python", str(python), *given], cwd=ROOT, check=True)
    # As an editable install would do it, without building the page: processes that tests start find the package, too.
    (site_packages,) = environment.glob("lib/python*/site-packages")
    (site_packages / "sightline.pth").write_text(str(ROOT / "src"))
    return python


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="sightline-lowest-") as directory:
        python = install(Path(directory) / "venv")
        given = sys.argv[1:]
        tests = given if any(not one.startswith("-") for one in given) else (*DEFAULT_TESTS, *given)
        options = [
            "-q",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:anyio",
            "--override-ini",
            "pythonpath=tests src",
        ]
        command = [str(python), "-m", "pytest", *tests, *options]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
