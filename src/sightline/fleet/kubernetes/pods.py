"""What runs in a pod: the container, its environment, its probes, and how little it may do. Pure."""

from typing import Any

from sightline.fleet.kubernetes.manifest import component_labels
from sightline.fleet.kubernetes.settings import API_PORT, DATABASE_URL, PROBE_PORT, SECRETS, SETTINGS, STATE_DIRECTORY
from sightline.fleet.services import FleetService

IMAGE = "sightline"
USER_ID = 10001
STOP_S = 30
"""Workers release their jobs within five seconds of a SIGTERM; the rest is for a slow database."""
STARTING_S = 600
"""A process waits for the migration before it listens, and is not killed for it."""


def pod(service: FleetService) -> dict[str, Any]:
    """The template of a Deployment's pods."""
    return {
        "metadata": {"labels": component_labels(service.name)},
        "spec": {
            "serviceAccountName": account_of(service),
            **_closed_pod(),
            "terminationGracePeriodSeconds": STOP_S,
            "topologySpreadConstraints": [_spread(service, "topology.kubernetes.io/zone")],
            "containers": [_container(service)],
            "volumes": _volumes(service.scratch_gb),
        },
    }


def migration_pod() -> dict[str, Any]:
    """It needs the database alone, and so neither the settings nor a service account with rights."""
    container = {
        "name": "sightline",
        "image": IMAGE,
        "args": ["migrate"],
        "env": [
            {
                "name": DATABASE_URL,
                "valueFrom": {"secretKeyRef": {"name": SECRETS, "key": DATABASE_URL}},
            },
            {
                "name": "SIGHTLINE_DATABASE_ADMIN_URL",
                "valueFrom": {
                    "secretKeyRef": {"name": SECRETS, "key": "SIGHTLINE_DATABASE_ADMIN_URL", "optional": True}
                },
            },
            {"name": "SIGHTLINE_STATE_DIR", "value": STATE_DIRECTORY},
        ],
        "resources": _resources(250, 512, 1),
        "securityContext": _closed_container(),
        "volumeMounts": _mounts(),
    }
    return {
        "metadata": {"labels": component_labels("migrate")},
        "spec": {
            **_closed_pod(),
            "restartPolicy": "OnFailure",
            "containers": [container],
            "volumes": _volumes(1),
        },
    }


def account_of(service: FleetService) -> str:
    return f"sightline-{service.name}"


def _closed_pod() -> dict[str, Any]:
    """The restricted profile of the Pod Security Standards."""
    return {
        # Without this, a Service named sightline-api sets SIGHTLINE_API_PORT=tcp://… in every pod.
        "enableServiceLinks": False,
        "automountServiceAccountToken": False,
        # The pause container is process 1 then, and takes care of processes whose parent is gone.
        "shareProcessNamespace": True,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER_ID,
            "runAsGroup": USER_ID,
            "fsGroup": USER_ID,
            "fsGroupChangePolicy": "OnRootMismatch",
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }


def _closed_container() -> dict[str, Any]:
    return {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def _container(service: FleetService) -> dict[str, Any]:
    port_name, port = ("http", API_PORT) if service.serves_http else ("probe", PROBE_PORT)
    return {
        "name": "sightline",
        "image": IMAGE,
        "args": list(service.command),
        "envFrom": [{"configMapRef": {"name": SETTINGS}}, {"secretRef": {"name": SECRETS}}],
        "env": [
            {"name": "SIGHTLINE_STATE_DIR", "value": STATE_DIRECTORY},
            {"name": "SIGHTLINE_API_HOST", "value": "0.0.0.0"},
            {"name": "SIGHTLINE_API_PORT", "value": str(API_PORT)},
            {"name": "SIGHTLINE_OBSERVABILITY_PROBE_PORT", "value": str(PROBE_PORT)},
        ],
        "ports": [{"name": port_name, "containerPort": port}],
        "startupProbe": {**_lives(port_name), "periodSeconds": 5, "failureThreshold": STARTING_S // 5},
        "livenessProbe": {**_lives(port_name), "periodSeconds": 10, "timeoutSeconds": 5, "failureThreshold": 6},
        "readinessProbe": _ready(service, port_name, port),
        "resources": _resources(service.cpu * 1000 // 1024, service.memory_mb, service.scratch_gb),
        "securityContext": _closed_container(),
        "volumeMounts": _mounts(),
    }


def _lives(port_name: str) -> dict[str, Any]:
    return {"httpGet": {"path": "/api/health", "port": port_name}}


def _ready(service: FleetService, port_name: str, port: int) -> dict[str, Any]:
    """The API stays in its Service while the database restarts: it answers better than a load balancer without backends.

    The others take no requests. Their readiness holds up a rollout whose pods cannot work, as where the sandbox has no Landlock.
    """
    if service.serves_http:
        return {**_lives(port_name), "periodSeconds": 5, "timeoutSeconds": 3, "failureThreshold": 2}
    command = ["python", "-m", "sightline.probe", "--deep", str(port)]
    return {"exec": {"command": command}, "periodSeconds": 30, "timeoutSeconds": 15, "failureThreshold": 3}


def _resources(cpu_m: int, memory_mb: int, scratch_gb: int) -> dict[str, Any]:
    """Memory is bounded, CPU is not: a throttled encoder only takes longer, on a node that would be idle."""
    return {
        "requests": {"cpu": f"{cpu_m}m", "memory": f"{memory_mb}Mi", "ephemeral-storage": "1Gi"},
        "limits": {"memory": f"{memory_mb}Mi", "ephemeral-storage": f"{scratch_gb + 1}Gi"},
    }


def _volumes(scratch_gb: int) -> list[dict[str, Any]]:
    return [
        {"name": "state", "emptyDir": {"sizeLimit": f"{scratch_gb}Gi"}},
        {"name": "tmp", "emptyDir": {"sizeLimit": "1Gi"}},
    ]


def _mounts() -> list[dict[str, Any]]:
    return [{"name": "state", "mountPath": STATE_DIRECTORY}, {"name": "tmp", "mountPath": "/tmp"}]  # noqa: S108 -- of the pod alone


def _spread(service: FleetService, topology: str) -> dict[str, Any]:
    return {
        "maxSkew": 1,
        "topologyKey": topology,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"app.kubernetes.io/component": service.name}},
    }
