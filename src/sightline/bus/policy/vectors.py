"""Runner of conformance files in the form of `vectors/*.json`; reports where this engine disagrees."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from sightline.bus.policy.errors import PolicyInvalid
from sightline.bus.policy.flatten import Attribute
from sightline.bus.policy.policy import EventPattern, FilterPolicy, compile_event_pattern, compile_filter_policy
from sightline.bus.policy.sns_rules import Scope

__all__ = ["Disagreement", "VectorReport", "attributes_of", "format_vector_report", "run_vector", "run_vectors"]

ELLIPSIS = "..."
SUBSCRIBE = "Attributes Reason: "


@dataclass(frozen=True, slots=True)
class Disagreement:
    file: str
    row: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class VectorReport:
    total: int
    disagreements: tuple[Disagreement, ...]

    @property
    def agreed(self) -> int:
        return self.total - len(self.disagreements)


def run_vectors(paths: Iterable[str | Path]) -> VectorReport:
    """Raise OSError for a file that cannot be read and ValueError for one that holds no list of rows."""
    total, disagreements = 0, []
    for path in map(Path, paths):
        rows = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(rows, list):
            raise ValueError(f"{path} holds no list of rows")
        for number, row in enumerate(rows):
            total += 1
            outcome = run_vector(row) if isinstance(row, dict) else ("a row", "something else")
            if outcome is not None:
                name = str(row.get("id", number)) if isinstance(row, dict) else str(number)
                disagreements.append(Disagreement(str(path), name, *outcome))
    return VectorReport(total, tuple(disagreements))


def format_vector_report(report: VectorReport) -> str:
    lines = [f"{off.file}: {off.row}: expected {off.expected}, got {off.got}" for off in report.disagreements]
    return "\n".join([*lines, f"{report.agreed} of {report.total} agree"])


def run_vector(row: Mapping[str, Any]) -> tuple[str, str] | None:
    """None if the row agrees, otherwise what it expects and what came out."""
    try:
        if "valid" in row:
            return _run_validation(row)
        if "expected" in row:
            return _run_matching(row)
    except (KeyError, TypeError, AttributeError) as error:
        return "a row of the known form", f"{type(error).__name__}: {error}"
    return 'a row with "expected" or "valid"', "neither"


def _compile(row: Mapping[str, Any], *, on_subscribe: bool = False) -> FilterPolicy | EventPattern:
    policy = row["policy_text"] if "policy_text" in row else _as_sent(row["policy"])
    if row["scope"] == "EventBridge":
        return compile_event_pattern(policy)
    return compile_filter_policy(policy, scope=cast(Scope, row["scope"]), on_subscribe=on_subscribe)


def _as_sent(policy: object) -> str:
    return policy if isinstance(policy, str) else json.dumps(policy, ensure_ascii=False)


def _run_validation(row: Mapping[str, Any]) -> tuple[str, str] | None:
    expected_text = str(row.get("error_contains", ""))
    expected = "valid" if row["valid"] else f"invalid: {expected_text}" if expected_text else "invalid"
    try:
        _compile(row, on_subscribe=SUBSCRIBE in expected_text)
    except PolicyInvalid as error:
        agrees = not row["valid"] and _contains(error.message, expected_text)
        return None if agrees else (expected, f"invalid: {error.message}")
    return None if row["valid"] else (expected, "valid")


def _contains(message: str, expected_text: str) -> bool:
    """An ellipsis in the expected_text text stands for anything, as in "…\\n at ..."."""
    at = 0
    for piece in expected_text.split(ELLIPSIS):
        found = message.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _run_matching(row: Mapping[str, Any]) -> tuple[str, str] | None:
    expected = "match" if row["expected"] else "no match"
    try:
        policy = _compile(row)
    except PolicyInvalid as error:
        return expected, f"invalid: {error.message}"
    got = "match" if _matches(policy, row) else "no match"
    return None if got == expected else (expected, got)


def _matches(policy: FilterPolicy | EventPattern, row: Mapping[str, Any]) -> bool:
    body = row["body_text"] if "body_text" in row else json.dumps(row.get("body", {}), ensure_ascii=False)
    if isinstance(policy, FilterPolicy):
        return policy.matches(attributes_of(row.get("message_attributes") or {}), body)
    return policy.matches_text(body)


def attributes_of(message_attributes: Mapping[str, Mapping[str, str]]) -> dict[str, Attribute]:
    """Message attributes as the SNS API spells them."""
    return {
        name: Attribute(given["DataType"], given.get("StringValue", b"")) for name, given in message_attributes.items()
    }
