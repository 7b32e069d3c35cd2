"""Writes what is generated below deploy/: manifests for Kubernetes, rules for Prometheus, dashboards for Grafana.

`--check` only compares, and names the files that differ.
"""

import json
import sys
from pathlib import Path

from monitoring.dashboards import DASHBOARDS
from monitoring.panels import as_json
from monitoring.rules import rules_file
from sightline.config import Settings
from sightline.fleet import fleet_plan
from sightline.fleet.kubernetes import kubernetes_files, to_yaml

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
STAGE = "prod"
_RULES_HEADING = """Rules for Prometheus, made by `make deploy-files` from scripts/monitoring/rules.py.
Annotations say what to do; the scrape job must have `sightline` in its name."""


def generated_files() -> dict[Path, str]:
    plan = fleet_plan(Settings.model_validate({"bus": {"stage": STAGE}}))
    manifests = {DEPLOY / "kubernetes" / name: text for name, text in kubernetes_files(plan).items()}
    dashboards = {
        DEPLOY / "grafana" / f"{one.uid}.json": json.dumps(as_json(one), indent=2, ensure_ascii=False) + "\n"
        for one in DASHBOARDS
    }
    rules = {DEPLOY / "prometheus" / "rules.yaml": to_yaml([rules_file()], _RULES_HEADING)}
    return manifests | dashboards | rules


def main() -> int:
    is_check = "--check" in sys.argv
    stale = []
    for path, text in generated_files().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(str(path.relative_to(DEPLOY.parent)))
        if not is_check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if is_check and stale:
        print(f"out of date: {', '.join(stale)}; run: make deploy-files", file=sys.stderr)
    return int(is_check and bool(stale))


if __name__ == "__main__":
    raise SystemExit(main())
