"""How many pods: by CPU for the API, by KEDA for consumers and workers, which may go down to none. Pure."""

from pathlib import Path
from typing import Any

from sightline.db import load_queries
from sightline.fleet.kubernetes.manifest import Manifest, manifest
from sightline.fleet.kubernetes.settings import SCALER_KEY, SCALER_SECRET
from sightline.fleet.kubernetes.workloads import deployment_of
from sightline.fleet.plan import FleetPlan
from sightline.fleet.services import FleetService
from sightline.fleet.template.scaling import IDLE_MINUTES, MESSAGES_PER_CONSUMER

_sql = load_queries(Path(__file__).with_name("queries.sql"))

API_CPU_PERCENT = 60
JOBS_PER_POD = {"work-media": 1, "work-text": 2, "work-analysis": 1, "work-security": 8}
"""What a pod of this size works on at once."""

DATABASE_ACCESS = "sightline-database"
AWS_ACCESS = "sightline-aws"


def cpu_autoscaler(service: FleetService) -> Manifest:
    target = {"type": "Utilization", "averageUtilization": API_CPU_PERCENT}
    spec = {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": deployment_of(service)},
        "minReplicas": service.minimum,
        "maxReplicas": service.maximum,
        "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": target}}],
        "behavior": {"scaleDown": {"stabilizationWindowSeconds": 300}},
    }
    return manifest("autoscaling/v2", "HorizontalPodAutoscaler", deployment_of(service), spec=spec)


def database_access() -> Manifest:
    reference = {"parameter": SCALER_KEY, "name": SCALER_SECRET, "key": SCALER_KEY}
    return manifest("keda.sh/v1alpha1", "TriggerAuthentication", DATABASE_ACCESS, spec={"secretTargetRef": [reference]})


def aws_access() -> Manifest:
    """KEDA's own identity reads the depth of the queues; pods' identities are not lent to it."""
    return manifest("keda.sh/v1alpha1", "TriggerAuthentication", AWS_ACCESS, spec={"podIdentity": {"provider": "aws"}})


def scaled_by_jobs(service: FleetService) -> Manifest:
    query = jobs_query(service.job_types)
    return _scaled(service, [_postgresql_trigger(query, JOBS_PER_POD[service.name])])


def scaled_by_database_queues(service: FleetService) -> Manifest:
    return _scaled(service, [_postgresql_trigger(messages_query(), MESSAGES_PER_CONSUMER)])


def scaled_by_sqs(service: FleetService, plan: FleetPlan) -> Manifest:
    """One trigger for each queue; the longest decides."""
    return _scaled(
        service,
        [
            {
                "type": "aws-sqs-queue",
                "metadata": {
                    "queueURL": queue.name,  # the name is enough, and is the same in every account
                    "queueLength": str(MESSAGES_PER_CONSUMER),
                    "awsRegion": plan.region,
                    "scaleOnInFlight": "false",
                },
                "authenticationRef": {"name": AWS_ACCESS},
            }
            for queue in plan.topology.queues
        ],
    )


def jobs_query(job_types: tuple[str, ...]) -> str:
    return _sql["jobs_for_workers"].sql.replace("$1", f"'{{{','.join(job_types)}}}'")


def messages_query() -> str:
    return _sql["messages_for_consumers"].sql


def _postgresql_trigger(query: str, target: int) -> dict[str, Any]:
    return {
        "type": "postgresql",
        "metadata": {"query": query, "targetQueryValue": str(target)},
        "authenticationRef": {"name": DATABASE_ACCESS},
    }


def _scaled(service: FleetService, triggers: list[dict[str, Any]]) -> Manifest:
    shrinking = {
        "stabilizationWindowSeconds": IDLE_MINUTES * 60,
        "policies": [{"type": "Pods", "value": 1, "periodSeconds": 120}],
    }
    spec = {
        "scaleTargetRef": {"name": deployment_of(service)},
        "pollingInterval": 15,
        "cooldownPeriod": IDLE_MINUTES * 60,
        "minReplicaCount": service.minimum,
        "maxReplicaCount": service.maximum,
        # KEDA cannot ask: some work goes on.
        "fallback": {"failureThreshold": 4, "replicas": max(1, service.minimum)},
        "advanced": {"horizontalPodAutoscalerConfig": {"behavior": {"scaleDown": shrinking}}},
        "triggers": triggers,
    }
    return manifest("keda.sh/v1alpha1", "ScaledObject", deployment_of(service), spec=spec)
