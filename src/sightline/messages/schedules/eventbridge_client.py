"""The EventBridge Scheduler client, with the keys and the region of the bus."""

from contextlib import AbstractAsyncContextManager
from typing import Any

from sightline.aws import AwsAccount, open_client
from sightline.bus import BusSettings


def open_eventbridge_scheduler(bus: BusSettings) -> AbstractAsyncContextManager[Any]:
    account = AwsAccount(bus.region, bus.aws_endpoint, bus.aws_access_key_id, bus.aws_secret_access_key)
    return open_client("scheduler", account, required_by="SIGHTLINE_MESSAGES_CLOCK is eventbridge")
