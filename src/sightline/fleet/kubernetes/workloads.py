"""Deployments, their accounts and disruption budgets, the Service of the API, and the migration. Pure."""

from sightline import __version__
from sightline.fleet.kubernetes.manifest import Manifest, manifest, selector_of
from sightline.fleet.kubernetes.pods import account_of, migration_pod, pod
from sightline.fleet.services import FleetService

API_SERVICE = "sightline-api"


def namespace(name: str) -> Manifest:
    made = manifest("v1", "Namespace", name)
    # Every pod meets the strictest profile, so the cluster may hold them to it.
    made["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] = "restricted"
    return made


def service_manifests(service: FleetService) -> list[Manifest]:
    return [
        manifest("v1", "ServiceAccount", account_of(service), automountServiceAccountToken=False),
        _deployment(service),
        _budget(service),
    ]


def api_service() -> Manifest:
    ports = [{"name": "http", "port": 80, "targetPort": "http"}]
    return manifest("v1", "Service", API_SERVICE, spec={"selector": selector_of("api"), "ports": ports})


def ingress(host: str) -> Manifest:
    backend = {"service": {"name": API_SERVICE, "port": {"name": "http"}}}
    made = manifest(
        "networking.k8s.io/v1",
        "Ingress",
        "sightline",
        spec={
            "tls": [{"hosts": [host], "secretName": "sightline-tls"}],
            "rules": [{"host": host, "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": backend}]}}],
        },
    )
    # Long polls and heartbeats of the live feed, and uploads by tus, pass through; the API has limits of its own.
    made["metadata"]["annotations"] = {
        "nginx.ingress.kubernetes.io/proxy-body-size": "0",
        "nginx.ingress.kubernetes.io/proxy-request-buffering": "off",
        "nginx.ingress.kubernetes.io/proxy-read-timeout": "120",
    }
    return made


def migration() -> Manifest:
    """A Job cannot be changed, so each version has one of its own name. The other pods wait for it by themselves."""
    name = f"sightline-migrate-{__version__.replace('.', '-')}"
    spec = {"backoffLimit": 10, "ttlSecondsAfterFinished": 24 * 60 * 60, "template": migration_pod()}
    return manifest("batch/v1", "Job", name, spec=spec)


def deployment_of(service: FleetService) -> str:
    return f"sightline-{service.name}"


def _deployment(service: FleetService) -> Manifest:
    # Where something else sets the number of pods, applying the manifest again must not.
    fixed = {"replicas": service.minimum} if service.scaled_by == "nothing" else {}
    spec = {
        **fixed,
        "revisionHistoryLimit": 5,
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}},
        "selector": {"matchLabels": selector_of(service.name)},
        "template": pod(service),
    }
    return manifest("apps/v1", "Deployment", deployment_of(service), spec=spec)


def _budget(service: FleetService) -> Manifest:
    """A drain of nodes takes pods one by one; those that do not work anyway never hold it up."""
    spec = {
        "maxUnavailable": 1,
        "unhealthyPodEvictionPolicy": "AlwaysAllow",
        "selector": {"matchLabels": selector_of(service.name)},
    }
    return manifest("policy/v1", "PodDisruptionBudget", deployment_of(service), spec=spec)
