"""The conformance files, and the runner that reads them."""

import json
from pathlib import Path
from typing import Any

import pytest

from sightline.bus.policy import format_vector_report, run_vector, run_vectors

VECTORS = Path(__file__).parents[3] / "vectors"
FILES = ("filter_policies.json", "policy_validation.json")
ROWS = [row for name in FILES for row in json.loads((VECTORS / name).read_text(encoding="utf-8"))]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_the_engine_agrees_with_the_row(row: dict[str, Any]) -> None:
    assert run_vector(row) is None


def test_the_report_counts_all_files_and_ends_with_the_total() -> None:
    report = run_vectors(VECTORS / name for name in FILES)
    assert format_vector_report(report) == f"{len(ROWS)} of {len(ROWS)} agree"


def test_a_wrong_row_is_reported_with_what_was_expected_and_what_came(tmp_path: Path) -> None:
    rows = [
        {"id": "lies", "scope": "MessageBody", "policy": {"a": ["x"]}, "body": {"a": "x"}, "expected": False},
        {"id": "ok", "scope": "MessageBody", "policy": {"a": ["x"]}, "body": {"a": "y"}, "expected": False},
        {"id": "text", "scope": "EventBridge", "policy": {}, "valid": False, "error_contains": "other"},
        {"id": "accepts", "scope": "EventBridge", "policy": {"a": ["x"]}, "valid": False},
        {"id": "refuses", "scope": "EventBridge", "policy": {}, "valid": True},
        {"id": "bad", "scope": "MessageBody", "policy": {"a": []}, "body": {}, "expected": False},
    ]
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(rows))
    report = run_vectors([path])
    assert [off.row for off in report.disagreements] == ["lies", "text", "accepts", "refuses", "bad"]
    lines = format_vector_report(report).splitlines()
    assert "lies: expected no match, got match" in lines[0]
    assert lines[-1] == "1 of 6 agree"


@pytest.mark.parametrize("row", [{}, {"id": "x", "expected": True}, {"valid": True, "scope": "MessageBody"}])
def test_a_row_of_another_form_is_a_disagreement_not_a_crash(row: dict[str, Any]) -> None:
    assert run_vector(row) is not None


def test_an_ellipsis_in_an_expected_text_stands_for_the_position() -> None:
    row = {
        "scope": "MessageAttributes",
        "policy": {"n": [{"numeric": [">", 2, "<", 1]}]},
        "valid": False,
        "error_contains": "Attributes Reason: FilterPolicy: Bottom must be less than top\n at ...",
    }
    assert run_vector(row) is None
    assert run_vector({**row, "error_contains": "Bottom must be ... bottom"}) is not None


def test_a_file_without_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text("{}")
    with pytest.raises(ValueError, match="no list of rows"):
        run_vectors([path])
