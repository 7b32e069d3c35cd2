"""The directory for kustomize: a base that is the same for everybody, an overlay per kind of backend, a component for cameras.

No overlay patches anything: the base has what does not depend on backends, an overlay adds the rest. Pure.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sightline import __version__
from sightline.fleet.kubernetes.manifest import Manifest, to_yaml
from sightline.fleet.kubernetes.network import camera_policy, network_policies, pod_identity_policy
from sightline.fleet.kubernetes.pods import IMAGE
from sightline.fleet.kubernetes.scaling import (
    aws_access,
    cpu_autoscaler,
    database_access,
    scaled_by_database_queues,
    scaled_by_jobs,
    scaled_by_sqs,
)
from sightline.fleet.kubernetes.settings import SETTINGS, aws_settings, env_file, postgres_settings
from sightline.fleet.kubernetes.workloads import api_service, ingress, migration, namespace, service_manifests
from sightline.fleet.plan import FleetPlan
from sightline.fleet.services import FleetService, camera_service

NAMESPACE = "sightline"
_MADE = "Written by `sightline kubernetes files` from the plan of the fleet. Change an overlay of your own rather than this."
_SETTINGS_HEADING = (
    "Settings of every pod. Change the values to yours; what stands below is what Sightline needs to know at least."
)


@dataclass(frozen=True, slots=True)
class Overlay:
    name: str
    settings: Callable[[FleetPlan], dict[str, str]]
    more: Callable[[FleetPlan], dict[str, list[Manifest]]]
    """File name → what this overlay adds to the base."""


def base_documents(plan: FleetPlan) -> dict[str, list[Manifest]]:
    """File name → its manifests, in the order in which they are applied."""
    services = {f"{service.name}.yaml": _documents_of(service) for service in plan.services}
    return {
        "namespace.yaml": [namespace(NAMESPACE)],
        "network.yaml": network_policies(),
        "migrate.yaml": [migration()],
        "database-access.yaml": [database_access()],
        **services,
    }


def _documents_of(service: FleetService) -> list[Manifest]:
    found = service_manifests(service)
    match service.scaled_by:
        case "requests":
            return [*found, api_service(), cpu_autoscaler(service)]
        case "jobs":
            return [*found, scaled_by_jobs(service)]
        case _:
            return found  # consumers are scaled by the overlay, which knows where the queues are


def _by_queues(plan: FleetPlan) -> FleetService:
    [found] = [service for service in plan.services if service.scaled_by == "queues"]
    return found


def _address(plan: FleetPlan) -> list[Manifest]:
    public_url = postgres_settings(plan)["SIGHTLINE_API_PUBLIC_URL"]
    return [ingress(urlsplit(public_url).hostname or "video.example.com")]


def _postgres_documents(plan: FleetPlan) -> dict[str, list[Manifest]]:
    return {"consume-scaling.yaml": [scaled_by_database_queues(_by_queues(plan))], "ingress.yaml": _address(plan)}


def _aws_documents(plan: FleetPlan) -> dict[str, list[Manifest]]:
    return {
        "consume-scaling.yaml": [aws_access(), scaled_by_sqs(_by_queues(plan), plan)],
        "ingress.yaml": _address(plan),
        "pod-identity.yaml": [pod_identity_policy()],
    }


OVERLAYS = {
    "postgres": Overlay("postgres", postgres_settings, _postgres_documents),
    "aws": Overlay("aws", aws_settings, _aws_documents),
}


def camera_documents() -> list[Manifest]:
    return [*service_manifests(camera_service()), camera_policy()]


def kubernetes_files(plan: FleetPlan) -> dict[str, str]:
    """Path → text of the whole directory."""
    base = base_documents(plan)
    files = _yaml_files("base", base, {"resources": list(base)}, "Kustomization")
    for overlay in OVERLAYS.values():
        documents = overlay.more(plan)
        settings = {
            "namespace": NAMESPACE,
            "resources": ["../../base", *documents],
            "configMapGenerator": [{"name": SETTINGS, "envs": ["settings.env"]}],
            "images": [{"name": IMAGE, "newName": "registry.example.com/sightline", "newTag": __version__}],
        }
        files |= _yaml_files(f"overlays/{overlay.name}", documents, settings, "Kustomization")
        files[f"overlays/{overlay.name}/settings.env"] = env_file(overlay.settings(plan), _SETTINGS_HEADING)
    cameras = {"cameras.yaml": camera_documents()}
    return files | _yaml_files("components/cameras", cameras, {"resources": list(cameras)}, "Component")


def _yaml_files(
    folder: str, documents: Mapping[str, list[Manifest]], content: Mapping[str, Any], kind: str
) -> dict[str, str]:
    version = "v1beta1" if kind == "Kustomization" else "v1alpha1"
    kustomization = {"apiVersion": f"kustomize.config.k8s.io/{version}", "kind": kind, **content}
    files = {f"{folder}/{name}": to_yaml(found, _MADE) for name, found in documents.items()}
    return {f"{folder}/kustomization.yaml": to_yaml([kustomization], _MADE), **files}
