"""What only some tests need, and `make test` installs while the first tests run."""

import os
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
EMULATORS = ROOT / ".venv" / ".emulators"
OLD_SERVER = ROOT / ".venv" / ".old-server"
SAMPLES = ROOT / ".venv" / ".samples"
MODELS = ROOT / ".venv" / ".models"
VISION = ROOT / ".venv" / ".vision-objects"
SPEECH = ROOT / ".venv" / ".speech"
MEANING = ROOT / ".venv" / ".meaning"
LANGUAGES = ROOT / ".venv" / ".languages"
FRENCH = ROOT / "src" / "sightline" / "text" / "models" / "fra.traineddata"
NODE_PACKAGES = ROOT / "web" / "node_modules" / ".installed"
PAGE = ROOT / "src" / "sightline" / "api" / "page" / "index.html"

# The process that installs; it ends when everything is there, or when something could not be installed.
_INSTALLER_VARIABLE = "SIGHTLINETEST_INSTALLER"
_LOG = ROOT / ".reports" / "test-tools.log"


def wait_for(stamp: Path) -> None:
    """Returns when the stamp is there and nobody is renewing what it stands for."""
    installer = int(os.environ.get(_INSTALLER_VARIABLE, "0"))
    while installer and _is_running(installer):
        time.sleep(0.1)
    if not stamp.exists():
        why = f"; see {_LOG}" if installer else ""
        raise RuntimeError(f"{stamp.relative_to(ROOT)} is missing: `make setup` makes it{why}")


def _is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
