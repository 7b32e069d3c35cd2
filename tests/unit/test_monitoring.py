"""Rules for Prometheus and dashboards for Grafana: parsed as Prometheus does, on metrics and labels that are really exported."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client import CollectorRegistry

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import deploy_files  # noqa: E402
from monitoring import catalogue, dashboards, panels, rules  # noqa: E402

RECORDED = {name: frozenset(("le", "route")) - {"le"} for name in rules.RECORDED}
OF_PROMETHEUS = {"up": frozenset[str]()}
TARGET_LABELS = {"instance", "job"}
"""Added by Prometheus to all that it scrapes."""
TELEMETRY = (ROOT / "docs" / "telemetry.md").read_text()


def expressions() -> dict[str, str]:
    found = {f"record {name}": expr for name, expr in rules.RECORDED.items()}
    found |= {f"alert {one.name}": one.expr for alerts in rules.ALERTS.values() for one in alerts}
    for board in dashboards.DASHBOARDS:
        for _, row in board.rows:
            for panel in row:
                for number, (expr, _) in enumerate(panel.queries):
                    found[f"{board.uid} {panel.title} {number}"] = expr
    return found


def in_prometheus(expr: str) -> str:
    """As Grafana sends it, with its variables filled in."""
    return expr.replace("$__rate_interval", "5m").replace("$instance", ".*")


def nodes(node: Any) -> Iterator[Any]:
    """Every node of an expression."""
    yield node
    for name in ("expr", "lhs", "rhs", "param", "vector_selector", "args"):
        below = getattr(node, name, None)
        for one in below if isinstance(below, list) else [below]:
            if one is not None and type(one).__module__ == type(node).__module__:
                yield from nodes(one)


def selectors(expr: str) -> list[Any]:
    return [
        one for one in nodes(promql_parser.parse(in_prometheus(expr))) if isinstance(one, promql_parser.VectorSelector)
    ]


def problems(expr: str) -> list[str]:
    """What an expression names that is not there."""
    known = catalogue.series() | RECORDED | OF_PROMETHEUS
    found, labels = [], set[str]()
    for selector in selectors(expr):
        if selector.name not in known:
            found.append(f"no series {selector.name}")
            continue
        labels |= known[selector.name] | TARGET_LABELS
        for matcher in selector.matchers.matchers:
            if matcher.name not in known[selector.name] | TARGET_LABELS:
                found.append(f"{selector.name} has no label {matcher.name}")
            elif matcher.name not in TARGET_LABELS and not _is_known_value(selector.name, matcher):
                found.append(f"{selector.name} is never {matcher.name}={matcher.value}")
    for node in nodes(promql_parser.parse(in_prometheus(expr))):
        if isinstance(node, promql_parser.AggregateExpr) and node.modifier is not None:
            found += [f"nothing has the label {one}" for one in node.modifier.labels if one not in labels]
    return found


def _is_known_value(series: str, matcher: Any) -> bool:
    """Values of few kinds are listed in the documents or are names in the code."""
    if matcher.name == "status" and series.startswith("sightline_http"):
        return bool(re.fullmatch(r"[1-5]\.\.", matcher.value))
    prefix = matcher.value.removesuffix(".*")
    name = series.removesuffix("_bucket").removesuffix("_count").removesuffix("_sum")
    row = next((line for line in TELEMETRY.splitlines() if f"| `{name}`" in line), "")
    return prefix in row or f'"{prefix}"' in SOURCE


SOURCE = "\n".join(path.read_text() for path in sorted((ROOT / "src" / "sightline").rglob("*.py")))


@pytest.mark.req(1020)
@pytest.mark.parametrize("where", expressions())
def test_an_expression_is_valid_and_names_only_what_is_exported(where: str):
    assert problems(expressions()[where]) == []


@pytest.mark.req(1020)
@pytest.mark.parametrize(
    ("expr", "problem"),
    [
        ("sightline_job_depht", "no series sightline_job_depht"),
        ('sightline_job_depth{state="queued"}', "sightline_job_depth has no label state"),
        ('sightline_job_depth{status="sleeping"}', "sightline_job_depth is never status=sleeping"),
        ("sum by (queue) (sightline_job_depth)", "nothing has the label queue"),
        ("histogram_quantile(0.9, rate(sightline_http_requests_total_bucket[5m]))", "no series"),
    ],
)
def test_a_mistake_in_an_expression_is_noticed(expr: str, problem: str):
    assert any(problem in one for one in problems(expr))


@pytest.mark.req(1020)
def test_the_catalogue_has_the_names_and_labels_that_the_code_registers():
    """By creating some of them for real, with labels; the rest of the catalogue is read from the same calls."""
    from sightline.jobs.metrics import JobMetrics
    from sightline.observability import create_registry
    from sightline.supervisor import Supervisor

    registry: CollectorRegistry = create_registry()
    JobMetrics(registry)
    Supervisor(registry=registry)
    known = catalogue.series()
    registered = {
        name: frozenset(getattr(collector, "_labelnames", ()))
        for name, collector in registry._names_to_collectors.items()
        if name.startswith("sightline_") and not name.endswith("_created")
    }
    found = {name: labels for name, labels in registered.items() if name in known}
    assert len(found) > 10
    assert {name: known[name] - {"le"} for name in found} == found


@pytest.mark.req(1020)
def test_every_metric_of_the_catalogue_is_documented():
    assert [
        name for name in catalogue.metrics() if f"`{name}`" not in TELEMETRY and name not in catalogue.LIBRARY
    ] == []


@pytest.mark.req(1021)
def test_every_alert_says_what_happened_what_to_do_and_where_to_read_on():
    from sightline.cli import COMMANDS
    from sightline.config import load_settings

    settings = {setting.name for setting in load_settings({}, env_file=None).explain()}
    for alerts in rules.ALERTS.values():
        for alert in alerts:
            assert alert.severity in ("critical", "warning")
            assert alert.summary.endswith(".")
            assert alert.action.endswith(".")
            assert (ROOT / alert.runbook).exists()
            for command in re.findall(r"`sightline ([a-z-]+)", alert.action):
                assert command in COMMANDS, alert.name
            for name in re.findall(r"SIGHTLINE_[A-Z_]+", alert.action):
                assert any(one.startswith(name) for one in settings), alert.name
            labels = set(re.findall(r"\$labels\.(\w+)", alert.summary + alert.action))
            assert labels <= _labels_of_result(alert.expr), alert.name


def _labels_of_result(expr: str) -> set[str]:
    """The labels that are left of an expression, for which an alert is raised one by one."""
    top = promql_parser.parse(expr)
    while isinstance(top, promql_parser.BinaryExpr):
        top = top.lhs
    if isinstance(top, promql_parser.AggregateExpr):
        return set(top.modifier.labels) if top.modifier is not None else set()
    known = catalogue.series() | RECORDED | OF_PROMETHEUS
    [selector] = [one for one in nodes(top) if isinstance(one, promql_parser.VectorSelector)]
    return set(known[str(selector.name)]) | TARGET_LABELS


@pytest.mark.req(1021)
def test_alerts_and_cloudwatch_alarms_have_the_same_thresholds():
    from sightline.fleet.template.alarms import FAILED_REQUESTS_PERCENT, OLDEST_JOB_S, OLDEST_MESSAGE_S

    by_name = {alert.name: alert.expr for alerts in rules.ALERTS.values() for alert in alerts}
    assert by_name["JobsWait"].endswith(f"> {OLDEST_JOB_S}")
    assert by_name["MessagesWait"].endswith(f"> {OLDEST_MESSAGE_S}")
    assert by_name["RequestsFail"].endswith(f"> {FAILED_REQUESTS_PERCENT / 100}")


@pytest.mark.req(1022)
def test_panels_lie_beside_each_other_and_have_a_title_a_meaning_and_a_source():
    for board in dashboards.DASHBOARDS:
        made = panels.as_json(board)
        taken: set[tuple[int, int]] = set()
        for panel in made["panels"]:
            place = panel["gridPos"]
            cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
            assert max(x for x, _ in cells) < panels.COLUMNS
            assert not taken & cells, panel["title"]
            taken |= cells
            if panel["type"] != "row":
                assert panel["title"]
                assert panel["description"].endswith(".")
                assert all(target["datasource"] == panels.DATASOURCE for target in panel["targets"])
        assert len({panel["id"] for panel in made["panels"]}) == len(made["panels"])


@pytest.mark.req(1022)
def test_the_stored_files_are_those_that_are_generated():
    files = deploy_files.generated_files()
    assert len(files) > 25
    assert [str(path) for path, text in files.items() if not path.exists() or path.read_text() != text] == []
    folders = {path.parent for path in files}
    stray = {path for folder in folders for path in folder.glob("*.*")} - files.keys()
    assert {path.suffix for path in stray} <= {".sql"} | {".md"}
    assert yaml.safe_load(files[ROOT / "deploy" / "prometheus" / "rules.yaml"]) == rules.rules_file()
    assert json.loads(files[ROOT / "deploy" / "grafana" / "sightline-api.json"])["uid"] == "sightline-api"
