"""Rows of the checklist: which of them each test shows, and whether it passed.

`--requirements-report FILE` writes that down; `--shows-row ROW` runs only the tests that show a row, and may be repeated.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--requirements-report", type=Path, default=None, help="Write the rows shown by each test here.")
    parser.addoption("--shows-row", type=int, action="append", default=[], help="Run only tests that show this row.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = set(config.getoption("--shows-row"))
    if wanted:
        others = [item for item in items if wanted.isdisjoint(_rows_of(item))]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in set(others)]


def _rows_of(item: pytest.Item) -> list[int]:
    return sorted({row for mark in item.iter_markers("req") for row in mark.args})


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    if rows := _rows_of(item):
        report.user_properties.append(("req", rows))
    return report


class Collected:
    """Lives in the run's own process, which hears of every worker's reports."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tests: dict[int, dict[str, str]] = defaultdict(dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        rows: Any = next((value for name, value in report.user_properties if name == "req"), [])
        if report.when == "call" or report.outcome != "passed":
            for row in rows:
                self._tests[int(row)][report.nodeid] = report.outcome

    def pytest_sessionfinish(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(json.dumps(self._tests, indent=1, sort_keys=True))


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--requirements-report")
    if path is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Collected(path.absolute()))
