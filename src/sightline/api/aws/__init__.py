"""The AWS endpoint: SQS, SNS, EventBridge, Scheduler and STS on the embedded bus, for SDKs of AWS."""

from sightline.api.aws.base_url import base_url
from sightline.api.aws.endpoint import AwsEndpoint
from sightline.api.aws.own_port import AwsPort

__all__ = ["AwsEndpoint", "AwsPort", "base_url"]
