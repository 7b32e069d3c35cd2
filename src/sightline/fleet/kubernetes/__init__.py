"""Manifests for Kubernetes, made of the plan that CloudFormation is made of."""

from sightline.fleet.kubernetes.assembly import assemble, overlay_for
from sightline.fleet.kubernetes.files import OVERLAYS, Overlay, kubernetes_files
from sightline.fleet.kubernetes.manifest import to_yaml

__all__ = ["OVERLAYS", "Overlay", "assemble", "kubernetes_files", "overlay_for", "to_yaml"]
