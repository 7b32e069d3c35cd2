"""The AWS backend of the bus: SNS, SQS and EventBridge behind an outbox."""

from sightline.bus.aws.bus import AwsBus, open_aws_bus
from sightline.bus.aws.clients import AwsClients, open_clients
from sightline.bus.aws.errors import bus_service
from sightline.bus.aws.relay import Relay
from sightline.bus.aws.send import AwsSender

__all__ = ["AwsBus", "AwsClients", "AwsSender", "Relay", "bus_service", "open_aws_bus", "open_clients"]
