"""Owns topics, filter policies, event rules, queues, dead letters, outbox, consumers."""

from sightline.bus.health import check_round_trip

__all__ = ["check_round_trip"]
