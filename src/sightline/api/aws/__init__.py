"""The AWS endpoint: SQS, SNS, EventBridge, Scheduler and STS on the embedded bus, for SDKs of AWS."""

from sightline.api.aws.base_url import base_url
from sightline.api.aws.endpoint import AwsEndpoint

__all__ = ["AwsEndpoint", "base_url"]
