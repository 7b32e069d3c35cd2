"""All manifests of an overlay as one list, for `kubectl apply -f -` without kustomize. Pure."""

import hashlib
import json
from copy import deepcopy
from typing import Any

from sightline.config import Settings
from sightline.errors import InvalidInput
from sightline.fleet.kubernetes.files import NAMESPACE, OVERLAYS, Overlay, base_documents, camera_documents
from sightline.fleet.kubernetes.manifest import Manifest, manifest
from sightline.fleet.kubernetes.pods import IMAGE
from sightline.fleet.kubernetes.settings import SETTINGS
from sightline.fleet.plan import FleetPlan

_CLUSTER_WIDE = ("Namespace",)
_HASH_CHARACTERS = 10


def overlay_for(name: str | None, settings: Settings) -> Overlay:
    """By its name, otherwise the one for the bus of the settings."""
    chosen = name or settings.bus.backend
    if chosen not in OVERLAYS:
        raise InvalidInput(f"there is no overlay {chosen!r}; use one of {', '.join(OVERLAYS)}")
    return OVERLAYS[chosen]


def assemble(
    plan: FleetPlan, overlay: Overlay, *, image: str, namespace: str = NAMESPACE, has_cameras: bool = False
) -> list[Manifest]:
    documents = [one for found in base_documents(plan).values() for one in found]
    documents += [one for found in overlay.more(plan).values() for one in found]
    if has_cameras:
        documents += camera_documents()
    settings = overlay.settings(plan)
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:_HASH_CHARACTERS]
    config_map = manifest("v1", "ConfigMap", f"{SETTINGS}-{digest}", data=settings)
    made = [deepcopy(one) for one in documents]
    made.insert(1, config_map)  # after the namespace
    for one in made:
        if one["kind"] in _CLUSTER_WIDE:
            one["metadata"]["name"] = namespace
        else:
            one["metadata"]["namespace"] = namespace
        for container in _containers(one):
            _fill_in(container, image, config_map["metadata"]["name"])
    return made


def _containers(one: Manifest) -> list[dict[str, Any]]:
    template = one.get("spec", {}).get("template", {})
    found: list[dict[str, Any]] = template.get("spec", {}).get("containers", [])
    return found


def _fill_in(container: dict[str, Any], image: str, config_map: str) -> None:
    if container["image"] == IMAGE:
        container["image"] = image
    for source in container.get("envFrom", []):
        if source.get("configMapRef", {}).get("name") == SETTINGS:
            source["configMapRef"]["name"] = config_map
