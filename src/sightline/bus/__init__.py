"""Owns topics, filter policies, event rules, queues, dead letters, outbox, consumers."""

from sightline.bus.build import OpenBus, open_bus
from sightline.bus.bus import Bus, DeadLetters, Queues, Sender
from sightline.bus.consumer import BatchHandler, Consumer, ConsumerOptions, Handler
from sightline.bus.delivery import ClaimLost, Delivery
from sightline.bus.envelope import event_type_of, payload_of, text_attribute, unwrap
from sightline.bus.limits import BusRefusal, MessageTooLarge
from sightline.bus.message import BusEvent, Notification, QueueCounts, QueueMessage, Received, TopicMessage
from sightline.bus.metrics import BusMetrics
from sightline.bus.names import Names
from sightline.bus.policy import Attribute
from sightline.bus.postgres.bus import PostgresBus
from sightline.bus.postgres.health import check_round_trip
from sightline.bus.postgres.housekeeping import QueueWatch, RetentionSweep
from sightline.bus.settings import BusSettings
from sightline.bus.topology import Queue, Rule, Subscription, Topology, default_topology

__all__ = [
    "Attribute",
    "BatchHandler",
    "Bus",
    "BusEvent",
    "BusMetrics",
    "BusRefusal",
    "BusSettings",
    "ClaimLost",
    "Consumer",
    "ConsumerOptions",
    "DeadLetters",
    "Delivery",
    "Handler",
    "MessageTooLarge",
    "Names",
    "Notification",
    "OpenBus",
    "PostgresBus",
    "Queue",
    "QueueCounts",
    "QueueMessage",
    "QueueWatch",
    "Queues",
    "Received",
    "RetentionSweep",
    "Rule",
    "Sender",
    "Subscription",
    "TopicMessage",
    "Topology",
    "check_round_trip",
    "default_topology",
    "event_type_of",
    "open_bus",
    "payload_of",
    "text_attribute",
    "unwrap",
]
