"""The Prometheus registry of a process."""

from prometheus_client import CollectorRegistry, Gauge, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from sightline import __version__

__all__ = ["CONTENT_TYPE_LATEST", "create_registry", "render"]


def create_registry() -> CollectorRegistry:
    """A registry of its own rather than the library's global one, so that one process can hold two platforms."""
    registry = CollectorRegistry(auto_describe=True)
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    Gauge("sightline_info", "The running version.", ["version"], registry=registry).labels(__version__).set(1)
    return registry


def render(registry: CollectorRegistry) -> bytes:
    return generate_latest(registry)
