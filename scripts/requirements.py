"""The checklist against the tests: which row is shown by which test, and which by none.

scripts/requirements.py --write               writes docs/requirements.md
scripts/requirements.py --check               fails if docs/requirements.md is not what --write would write
scripts/requirements.py --report FILE         prints the rows that no passing test of that run shows;
                                              fails if the document counts one of them as shown

A test that may be skipped (for want of the network, of a kernel feature or of a program) does not make a row count as shown.
Marks are refused that can hardly be true: on a test that checks nothing, twice on one test, or for many rows at once.
"""

import argparse
import ast
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECKLIST = ROOT / "docs" / "checklist.md"
DOCUMENT = ROOT / "docs" / "requirements.md"

MAX_ROWS_PER_TEST = 9
"""A test of one behaviour shows a few rows; a longer list is a guess."""

_ROW = re.compile(r"^\| (\d+) \| (\w) \| (.*) \|$")
_HEADING = re.compile(r"^## (.*)$")


@dataclass(frozen=True, slots=True)
class Row:
    number: int
    kind: str
    text: str
    section: str


def read_rows() -> list[Row]:
    rows = []
    section = ""
    for line in CHECKLIST.read_text(encoding="utf-8").splitlines():
        if heading := _HEADING.match(line):
            section = heading[1]
        elif row := _ROW.match(line):
            rows.append(Row(int(row[1]), row[2], row[3], section))
    return rows


@dataclass(frozen=True, slots=True)
class Showing:
    """A test that shows a row."""

    test: str
    may_be_skipped: bool


def tests_by_row() -> dict[int, list[Showing]]:
    """Read off the source, so that the document needs no run."""
    found: dict[int, list[Showing]] = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        may_be_skipped = any(
            isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark" and _skips(node)
            for node in tree.body
        )
        for name, marks, skips in _marked(tree, (), may_be_skipped=may_be_skipped):
            for row in marks:
                found[row].append(Showing(f"{path.relative_to(ROOT).as_posix()}::{name}", skips))
    return found


def _marked(
    tree: ast.AST, outer: tuple[int, ...], *, may_be_skipped: bool
) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            marks = outer + tuple(row for decorator in node.decorator_list for row in _rows_of(decorator))
            if isinstance(node, ast.ClassDef):
                skips = may_be_skipped or any(_skips(decorator) for decorator in node.decorator_list)
                yield from _marked(node, marks, may_be_skipped=skips)
            elif marks and node.name.startswith("test"):
                yield node.name, tuple(sorted(set(marks))), may_be_skipped or _skips(node)


def _skips(node: ast.AST) -> bool:
    return bool(re.search(r"pytest\.(mark\.)?(skip|xfail|importorskip)|\bNEEDS_\w+", ast.unparse(node)))


def _rows_of(decorator: ast.expr) -> list[int]:
    """Of a mark on the test, or on one of its parameters."""
    return [
        argument.value
        for call in ast.walk(decorator)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.req"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, int)
    ]


def refused_marks(tests: Path = ROOT / "tests") -> list[str]:
    """Marks that can hardly be true, each with the reason."""
    refused = []
    for path in sorted(tests.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test"):
                continue
            marks = [one for one in node.decorator_list if ast.unparse(one).startswith("pytest.mark.req(")]
            rows = [row for decorator in node.decorator_list for row in _rows_of(decorator)]
            name = f"{path.relative_to(tests).as_posix()}::{node.name}"
            if rows and not _checks_something(node):
                refused.append(f"{name} checks nothing")
            if len(marks) > 1:
                refused.append(f"{name} has {len(marks)} marks; name all rows in one")
            if len(set(rows)) > MAX_ROWS_PER_TEST:
                refused.append(f"{name} names {len(set(rows))} rows; split the test")
    return refused


def _checks_something(test: ast.AST) -> bool:
    """Whether a test can fail by itself: an assertion, an expected error, or a condition that it waits for."""
    return any(
        isinstance(node, ast.Assert)
        or (
            isinstance(node, ast.Call)
            and re.search(
                r"(^|[._])(raises|expect|until|soon|limited|run_state_machine_as_test|is_error|check\w*|refused?\w*|assert\w*)$",
                ast.unparse(node.func),
            )
        )
        for node in ast.walk(test)
    )


def render() -> str:
    rows = read_rows()  # before the tests, which take seconds to read
    if doubled := sorted(number for number, count in Counter(row.number for row in rows).items() if count > 1):
        raise SystemExit(f"the checklist has these numbers more than once: {doubled}")
    if refused := refused_marks():
        raise SystemExit("marks that cannot be right:\n" + "\n".join(refused))
    tests = tests_by_row()
    unknown = sorted(set(tests) - {row.number for row in rows})
    if unknown:
        raise SystemExit(f"tests name rows that the checklist does not have: {unknown}")
    shown = shown_rows(tests)
    lines = [
        "# Requirements and their tests",
        "",
        "Made by `make requirements-doc` from [checklist.md](checklist.md) and the marks on the tests; do not edit.",
        "",
        f"{len(shown)} of {len(rows)} rows have a test that runs everywhere. `make check` fails when none of a row's tests passes.",
        "Tests that need a feature of the machine are in parentheses: they may be skipped, so they alone do not count.",
    ]
    section = ""
    for row in rows:
        if row.section != section:
            section = row.section
            lines += ["", f"## {section}", "", "| # | behaviour | shown by |", "|--:|---|---|"]
        where = "<br>".join(_as_text(showing) for showing in tests.get(row.number, ())) or "–"
        lines.append(f"| {row.number} | {row.text} | {where} |")
    return "\n".join(lines) + "\n"


def _as_text(showing: Showing) -> str:
    name = f"`{showing.test.removeprefix('tests/')}`"
    return f"({name})" if showing.may_be_skipped else name


def shown_rows(tests: dict[int, list[Showing]]) -> set[int]:
    return {row for row, showings in tests.items() if not all(showing.may_be_skipped for showing in showings)}


def report(path: Path) -> int:
    results: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    rows = read_rows()
    missing = [row for row in rows if "passed" not in results.get(str(row.number), {}).values()]
    counted = shown_rows(tests_by_row())
    for row in missing:
        outcomes = sorted(set(results.get(str(row.number), {}).values())) or ["not run"]
        print(f"{row.number:4} {row.kind} {row.text} ({', '.join(outcomes)})")
    print(f"{len(rows) - len(missing)} of {len(rows)} rows are shown by a passing test of this run")
    return 1 if counted & {row.number for row in missing} else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--write", action="store_true")
    choice.add_argument("--check", action="store_true")
    choice.add_argument("--report", type=Path)
    chosen = parser.parse_args()
    if chosen.report:
        return report(chosen.report)
    text = render()
    if chosen.write:
        DOCUMENT.write_text(text, encoding="utf-8")
    elif not DOCUMENT.exists() or DOCUMENT.read_text(encoding="utf-8") != text:
        print("docs/requirements.md is out of date; run: make requirements-doc", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
