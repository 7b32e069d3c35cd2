"""The CloudFormation template is one that AWS would accept, by the rules of its own linter."""

import json
import subprocess

import pytest

from sightline.config import Settings
from sightline.fleet import FleetPlan, fleet_plan, fleet_template, messaging_template
from support import installed
from support.emulators import PYTHON

LINT = "import sys; from cfnlint.runner import main; sys.exit(main())"


@pytest.mark.req(1004)
def test_the_linter_of_cloudformation_has_no_complaint(tmp_path):
    installed.wait_for(installed.EMULATORS)
    # Both templates and both kinds of event bus in one run, which costs CloudFormation's whole specification.
    templates = {"fleet": fleet_template(_plan("default")), "messaging": messaging_template(_plan("sightline"))}
    files = []
    for name, template in templates.items():
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(template))
    done = subprocess.run([PYTHON, "-c", LINT, *files], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def _plan(event_bus: str) -> FleetPlan:
    return fleet_plan(Settings.model_validate({"bus": {"stage": "prod", "event_bus": event_bus}}))
