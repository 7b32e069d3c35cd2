"""Panels and dashboards as data, and the JSON that Grafana reads, laid out by machine."""

from dataclasses import dataclass
from typing import Any

SCHEMA_VERSION = 39
COLUMNS = 24
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
SELECTED = 'instance=~"$instance"'


@dataclass(frozen=True, slots=True)
class Panel:
    title: str
    meaning: str
    """What it is for, and when to worry."""
    queries: tuple[tuple[str, str], ...]
    """Expression and legend."""
    unit: str = "short"
    kind: str = "timeseries"
    width: int = 12
    height: int = 8
    warn_at: float | None = None


@dataclass(frozen=True, slots=True)
class Dashboard:
    uid: str
    title: str
    rows: tuple[tuple[str, tuple[Panel, ...]], ...]


def chart(
    title: str, meaning: str, *queries: tuple[str, str], unit: str = "short", warn_at: float | None = None
) -> Panel:
    return Panel(title, meaning, queries, unit, warn_at=warn_at)


def figure(title: str, meaning: str, expr: str, unit: str = "short", warn_at: float | None = None) -> Panel:
    return Panel(title, meaning, ((expr, ""),), unit, "stat", width=4, height=4, warn_at=warn_at)


def p95(metric: str, by: str) -> str:
    return f"histogram_quantile(0.95, sum by (le, {by}) (rate({metric}_bucket{{{SELECTED}}}[$__rate_interval])))"


def rate_by(metric: str, by: str, matchers: str = "") -> str:
    inside = ", ".join(filter(None, (SELECTED, matchers)))
    return f"sum by ({by}) (rate({metric}{{{inside}}}[$__rate_interval]))"


def as_json(dashboard: Dashboard) -> dict[str, Any]:
    return {
        "uid": dashboard.uid,
        "title": dashboard.title,
        "tags": ["sightline"],
        "schemaVersion": SCHEMA_VERSION,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": [_datasource_variable(), _instance_variable()]},
        "links": [{"type": "dashboards", "tags": ["sightline"], "title": "Sightline", "asDropdown": True}],
        "panels": _panels(dashboard),
    }


def _panels(dashboard: Dashboard) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    top = 0
    for title, panels in dashboard.rows:
        made.append(
            {"id": len(made) + 1, "type": "row", "title": title, "gridPos": _place(0, top, COLUMNS, 1), "panels": []}
        )
        top, left, height = top + 1, 0, 0
        for panel in panels:
            if left + panel.width > COLUMNS:
                top, left = top + height, 0
            height = panel.height
            made.append(_panel(panel, len(made) + 1, _place(left, top, panel.width, panel.height)))
            left += panel.width
        top += height
    return made


def _panel(panel: Panel, number: int, place: dict[str, int]) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    if panel.warn_at is not None:
        steps.append({"color": "red", "value": panel.warn_at})
    custom = {"custom": {"thresholdsStyle": {"mode": "line"}}} if panel.warn_at and panel.kind == "timeseries" else {}
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.meaning,
        "datasource": DATASOURCE,
        "gridPos": place,
        "fieldConfig": {
            "defaults": {"unit": panel.unit, "min": 0, "thresholds": {"mode": "absolute", "steps": steps}, **custom},
            "overrides": [],
        },
        "targets": [
            {"refId": chr(ord("A") + index), "datasource": DATASOURCE, "expr": expr, "legendFormat": legend or "__auto"}
            for index, (expr, legend) in enumerate(panel.queries)
        ],
    }


def _place(x: int, y: int, width: int, height: int) -> dict[str, int]:
    return {"x": x, "y": y, "w": width, "h": height}


def _datasource_variable() -> dict[str, Any]:
    return {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus"}


def _instance_variable() -> dict[str, Any]:
    return {
        "name": "instance",
        "label": "Process",
        "type": "query",
        "datasource": DATASOURCE,
        "query": {"query": "label_values(sightline_info, instance)", "refId": "instance"},
        "refresh": 2,
        "includeAll": True,
        "multi": True,
        "allValue": ".*",
        "current": {"text": "All", "value": "$__all"},
    }
