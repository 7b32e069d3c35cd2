"""The manifests are ones that Kubernetes and KEDA would accept, by their own schemas."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field

from sightline.config import Settings
from sightline.fleet import fleet_plan
from sightline.fleet.kubernetes import OVERLAYS, assemble
from support import installed
from support.emulators import PYTHON

SCHEMAS = Path(__file__).parents[2] / "support" / "manifest_schemas.py"


def everything() -> list[dict[str, Any]]:
    plan = fleet_plan(Settings.model_validate({"bus": {"stage": "prod"}}))
    made = [
        one for overlay in OVERLAYS.values() for one in assemble(plan, overlay, image="sightline:1", has_cameras=True)
    ]
    return list({json.dumps(one): one for one in made}.values())


def complaints(documents: list[dict[str, Any]]) -> list[str]:
    installed.wait_for(installed.EMULATORS)
    done = subprocess.run([PYTHON, SCHEMAS], input=json.dumps(documents), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.req(1018)
def test_the_schemas_have_no_complaint_and_notice_a_mistake_of_each_kind():
    documents = everything()
    deployment = json.loads(json.dumps(next(one for one in documents if one["kind"] == "Deployment")))
    deployment["metadata"]["name"] = "wrong"
    deployment["spec"]["template"]["spec"]["containers"][0]["securityContxt"] = {}
    scaled = json.loads(json.dumps(next(one for one in documents if one["kind"] == "ScaledObject")))
    scaled["metadata"]["name"] = "wrong"
    scaled["spec"] |= {"maxReplicas": 3, "minReplicaCount": "none"}
    other = {**scaled, "spec": {**scaled["spec"], "minReplicaCount": 0}}
    found = complaints([*documents, deployment, scaled, other])
    assert [one for one in found if "wrong" not in one] == []
    assert len([one for one in found if one.startswith("Deployment wrong: 1.")]) == 2
    assert any(one.startswith("ScaledObject wrong: spec.minReplicaCount: Input should be") for one in found)
    assert "ScaledObject wrong: no such field .spec.maxReplicas" in found


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class PostgresqlMetadata(_Strict):
    """Fields of KEDA's PostgreSQL scaler; the rest of the connection comes with its authentication."""

    query: str = Field(pattern=r"(?s)^SELECT count\(\*\) FROM .*[^;]$")
    targetQueryValue: str = Field(pattern=r"^\d+$")  # noqa: N815 - KEDA's name
    activationTargetQueryValue: str | None = None  # noqa: N815


class SqsMetadata(_Strict):
    """Fields of KEDA's scaler for SQS queues."""

    queueURL: str = Field(pattern=r"^[\w-]+$")  # noqa: N815
    queueLength: str = Field(pattern=r"^\d+$")  # noqa: N815
    awsRegion: str  # noqa: N815
    scaleOnInFlight: str = Field(pattern="^(true|false)$")  # noqa: N815


@pytest.mark.req(1018)
def test_triggers_have_the_fields_of_their_scaler_and_no_others():
    """KEDA's schema takes any text here, so its scalers would be the first to complain."""
    kinds: dict[str, type[_Strict]] = {"postgresql": PostgresqlMetadata, "aws-sqs-queue": SqsMetadata}
    triggers = [trigger for one in everything() if one["kind"] == "ScaledObject" for trigger in one["spec"]["triggers"]]
    assert {one["type"] for one in triggers} == kinds.keys()
    for trigger in triggers:
        kinds[trigger["type"]].model_validate(trigger["metadata"])
