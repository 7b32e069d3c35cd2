"""The version before this one, as its files: the latest tag, or the commit that tests/soak/previous_release.txt names."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / "tests" / "soak" / "previous_release.txt"


def previous_revision() -> str:
    """SIGHTLINETEST_PREVIOUS_RELEASE names any other revision."""
    if chosen := os.environ.get("SIGHTLINETEST_PREVIOUS_RELEASE"):
        return chosen
    tags = _git("tag", "--merged", "HEAD", "--sort=-creatordate").split()
    return tags[0] if tags else RECORDED.read_text().strip()


def unpack(revision: str, directory: Path) -> Path:
    """Writes the files of that revision below the directory; returns where its code is, with what a build adds to it."""
    directory.mkdir(parents=True)
    archive = subprocess.run(
        ["git", "archive", "--format=tar", revision, "src"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    subprocess.run(["tar", "-x", "-C", directory], input=archive, check=True)
    for name in _git("ls-files", "--others", "--ignored", "--exclude-standard", "--", "src").splitlines():
        made = ROOT / name
        if made.suffix != ".pyc" and not (directory / name).exists():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(made, directory / name)
    return directory / "src"


def migrations_of(source: Path) -> set[str]:
    return {path.stem for path in (source / "sightline" / "db" / "migrations").glob("*.sql")}


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout
