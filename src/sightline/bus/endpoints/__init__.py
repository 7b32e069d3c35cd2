"""Deliveries to endpoints that are not queues."""

from sightline.bus.endpoints.failure import TargetFailure
from sightline.bus.endpoints.record import EndpointDelivery
from sightline.bus.endpoints.worker import EndpointSender, EndpointSenders, EndpointWorker

__all__ = ["EndpointDelivery", "EndpointSender", "EndpointSenders", "EndpointWorker", "TargetFailure"]
