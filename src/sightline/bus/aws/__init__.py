"""The AWS backend of the bus: SNS, SQS and EventBridge behind an outbox."""

from sightline.bus.aws.bus import AwsBus, open_aws_bus
from sightline.bus.aws.clients import AwsClients, open_clients
from sightline.bus.aws.errors import bus_service
from sightline.bus.aws.expected import TARGET_ID, event_buses_of, queue_attributes, queue_statements, topic_statements
from sightline.bus.aws.policies import same_json, same_policy
from sightline.bus.aws.relay import Relay
from sightline.bus.aws.send import AwsSender

__all__ = [
    "TARGET_ID",
    "AwsBus",
    "AwsClients",
    "AwsSender",
    "Relay",
    "bus_service",
    "event_buses_of",
    "open_aws_bus",
    "open_clients",
    "queue_attributes",
    "queue_statements",
    "same_json",
    "same_policy",
    "topic_statements",
]
