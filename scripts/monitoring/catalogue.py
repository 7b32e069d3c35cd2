"""Every metric of the platform with its kind, its labels and its meaning, read from where the code creates it."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src" / "sightline"
KINDS = ("Counter", "Gauge", "Histogram")
# What the client library adds to every process.
LIBRARY = {
    "process_cpu_seconds_total": "counter",
    "process_open_fds": "gauge",
    "process_max_fds": "gauge",
    "process_resident_memory_bytes": "gauge",
    "process_start_time_seconds": "gauge",
}


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    kind: str
    labels: tuple[str, ...]
    meaning: str

    @property
    def series(self) -> tuple[str, ...]:
        """The names under which Prometheus stores it."""
        match self.kind:
            case "counter":
                return (self.name if self.name.endswith("_total") else f"{self.name}_total",)
            case "histogram":
                return (f"{self.name}_bucket", f"{self.name}_sum", f"{self.name}_count")
            case _:
                return (self.name,)


@cache
def metrics() -> dict[str, Metric]:
    found: dict[str, Metric] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and (metric := _metric(node)) is not None:
                found[metric.name] = metric
    for name, kind in LIBRARY.items():
        found[name] = Metric(name, kind, (), "of the client library")
    return found


@cache
def series() -> dict[str, frozenset[str]]:
    """Name of a series → its labels, without those that Prometheus adds."""
    return {
        name: frozenset(metric.labels) | ({"le"} if name.endswith("_bucket") else set())
        for metric in metrics().values()
        for name in metric.series
    }


def _metric(call: ast.Call) -> Metric | None:
    name = (
        call.func.id
        if isinstance(call.func, ast.Name)
        else call.func.attr
        if isinstance(call.func, ast.Attribute)
        else ""
    )
    if name not in KINDS or len(call.args) < 2 or not _is_text(call.args[0]):
        return None
    labels = (
        call.args[2] if len(call.args) > 2 else next((k.value for k in call.keywords if k.arg == "labelnames"), None)
    )
    return Metric(
        ast.literal_eval(call.args[0]),
        name.lower(),
        () if labels is None else tuple(ast.literal_eval(labels)),
        ast.literal_eval(call.args[1]),
    )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
