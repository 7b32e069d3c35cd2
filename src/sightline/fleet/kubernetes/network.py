"""Who reaches whom in the cluster: everything is closed, then opened by role. Pure."""

from typing import Any

from sightline.fleet.kubernetes.manifest import PART_OF, Manifest, manifest

INGRESS_NAMESPACE, MONITORING_NAMESPACE = "ingress-nginx", "monitoring"
_NAMESPACE_NAME = "kubernetes.io/metadata.name"
_COMPONENT = "app.kubernetes.io/component"
_LINK_LOCAL, _METADATA_V6 = "169.254.0.0/16", "fd00:ec2::254/128"
"""Where clouds hand out the credentials of the node."""
_POD_IDENTITY = "169.254.170.23/32"

HTTPS, HTTP = 443, 80
DATABASE_PORTS = (5432, 6432, 6543)
"""PostgreSQL, PgBouncer, and the pooler of Supabase."""
MAIL_PORTS = (465, 587)


def network_policies() -> list[Manifest]:
    return [
        _policy("sightline-closed", {}, policyTypes=["Ingress", "Egress"]),
        _policy("sightline-names", {}, egress=[{"to": [_namespace("kube-system")], "ports": _ports(53, "UDP", "TCP")}]),
        _policy("sightline-database", {}, egress=[_anywhere(*DATABASE_PORTS)]),
        # Objects, queues, keys of the issuer, models.
        _policy("sightline-backends", _not("migrate"), egress=[_anywhere(HTTPS)]),
        _policy("sightline-notifications", _only("consume"), egress=[_anywhere(HTTP, *MAIL_PORTS)]),
        _policy(
            "sightline-page",
            _only("api"),
            ingress=[{"from": [_namespace(INGRESS_NAMESPACE)], "ports": [{"port": "http"}]}],
        ),
        _policy(
            "sightline-metrics",
            _not("migrate"),
            ingress=[{"from": [_namespace(MONITORING_NAMESPACE)], "ports": [{"port": "http"}, {"port": "probe"}]}],
        ),
    ]


def camera_policy() -> Manifest:
    """Cameras are on any port of any network; what a camera's process may reach is bound inside the pod (ADR 0061)."""
    return _policy("sightline-cameras", _only("cameras"), egress=[{"to": _everywhere()}])


def pod_identity_policy() -> Manifest:
    """Where EKS hands out the credentials of a pod."""
    destination = {"to": [{"ipBlock": {"cidr": _POD_IDENTITY}}], "ports": _ports(HTTP, "TCP")}
    return _policy("sightline-pod-identity", _not("migrate"), egress=[destination])


def _policy(name: str, more: dict[str, Any], **rules: Any) -> Manifest:
    types = [kind for kind in ("ingress", "egress") if kind in rules]
    spec = {
        "podSelector": {"matchLabels": dict(PART_OF), **more},
        "policyTypes": [kind.capitalize() for kind in types],
        **rules,
    }
    return manifest("networking.k8s.io/v1", "NetworkPolicy", name, spec=spec)


def _only(component: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": _COMPONENT, "operator": "In", "values": [component]}]}


def _not(component: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": _COMPONENT, "operator": "NotIn", "values": [component]}]}


def _namespace(name: str) -> dict[str, Any]:
    return {"namespaceSelector": {"matchLabels": {_NAMESPACE_NAME: name}}}


def _everywhere() -> list[dict[str, Any]]:
    return [
        {"ipBlock": {"cidr": "0.0.0.0/0", "except": [_LINK_LOCAL]}},
        {"ipBlock": {"cidr": "::/0", "except": [_METADATA_V6]}},
    ]


def _anywhere(*ports: int) -> dict[str, Any]:
    return {"to": _everywhere(), "ports": [{"port": port, "protocol": "TCP"} for port in ports]}


def _ports(port: int, *protocols: str) -> list[dict[str, Any]]:
    return [{"port": port, "protocol": protocol} for protocol in protocols]
