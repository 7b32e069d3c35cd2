"""Rules of the house that no linter knows."""

import ast
import re
import subprocess
from pathlib import Path
from statistics import median

import pytest

import sightline
from sightline.config import known_fields, load_settings

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path(sightline.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_module_opens_with_what_it_is_for(path: Path):
    assert ast.get_docstring(ast.parse(path.read_text())), f"{path} has no docstring"


def test_no_file_is_longer_than_400_lines_and_the_median_is_below_150():
    lengths = {
        path: len(path.read_text().splitlines())
        for folder in ("src", "tests", "scripts")
        for path in (ROOT / folder).rglob("*.py")
    }
    assert {path: length for path, length in lengths.items() if length > 400} == {}
    assert median(lengths.values()) < 150


def test_every_setting_is_documented():
    text = (ROOT / "docs" / "operations.md").read_text()
    names = [setting.name for setting in load_settings({}, env_file=None).explain()]
    assert len(names) == len(known_fields())
    assert [name for name in names if f"`{name}`" not in text] == []


def test_every_log_event_and_metric_is_documented():
    text = (ROOT / "docs" / "telemetry.md").read_text()
    source = "\n".join(path.read_text() for path in FILES)
    events = set(re.findall(r"log\.(?:debug|info|warning|error)\(\s*\"([a-z_.]+)\"", source))
    events |= set(re.findall(r"getattr\(log, level\)\(\s*\"([a-z_.]+)\"", source))
    metrics = set(re.findall(r"(?:Counter|Gauge|Histogram)\(\s*\"([a-z_]+)\"", source))
    assert events
    assert metrics
    assert sorted(name for name in events | metrics if f"`{name}`" not in text) == []


def test_every_decision_has_a_number_of_its_own():
    numbers = [int(path.name[:4]) for path in (ROOT / "docs" / "adr").glob("[0-9]*.md")]
    assert len(set(numbers)) == len(numbers)


def test_links_between_documents_lead_somewhere():
    broken = []
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text()):
            if "://" not in target and not (document.parent / target).exists():
                broken.append(f"{document.relative_to(ROOT)} -> {target}")
    assert broken == []


def test_the_changelog_knows_the_present_version():
    text = (ROOT / "CHANGELOG.md").read_text()
    assert "## [Unreleased]" in text or f"## [{sightline.__version__}]" in text


def test_sql_is_named_and_lives_in_files():
    """Only stores, keepers and the db folder run SQL; anywhere else it would hide."""
    allowed = re.compile(r"(^|/)(\w*store|postgres_\w+|health)\.py$|^db/|^bootstrap\.py$")
    statement = re.compile(r"\b(SELECT .* FROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b")
    found = [
        str(path.relative_to(SOURCE))
        for path in FILES
        if statement.search(path.read_text()) and not allowed.search(str(path.relative_to(SOURCE)))
    ]
    assert found == []


def test_the_version_of_the_command_is_the_packages():
    answer = subprocess.run([*_sightline(), "version"], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == sightline.__version__


def _sightline() -> list[str]:
    import sys

    return [sys.executable, "-m", "sightline"]
