"""Queues, topics, subscriptions and rules of the bus as people see them, and trying policies."""

from sightline.api.bus.topology import read_topology

__all__ = ["read_topology"]
