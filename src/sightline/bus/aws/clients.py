"""Clients of SNS, SQS and EventBridge: the one place that sets endpoint, keys and timeouts."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from sightline.aws import AwsAccount, open_client, translate_errors
from sightline.bus.aws.errors import SQS
from sightline.bus.limits import MAX_WAIT_S
from sightline.bus.settings import BusSettings

# Each waiting receive holds a connection for up to 20 s; acknowledgements must never wait for those.
MAX_CONNECTIONS = 256


class AwsClients:
    """Open clients. They are untyped, since the library describes its operations at run time."""

    def __init__(self, *, sns: Any, sqs: Any, events: Any) -> None:
        self.sns, self.sqs, self.events = sns, sqs, events
        self._urls: dict[str, str] = {}

    async def queue_url(self, queue: str) -> str:
        """Cached per queue; AWS gives a recreated queue the same URL."""
        if (known := self._urls.get(queue)) is None:
            with translate_errors(SQS, queue=queue):
                response = await self.sqs.get_queue_url(QueueName=queue)
            known = self._urls[queue] = str(response["QueueUrl"])
        return known


@asynccontextmanager
async def open_clients(settings: BusSettings) -> AsyncIterator[AwsClients]:
    account = AwsAccount(
        settings.region, settings.aws_endpoint, settings.aws_access_key_id, settings.aws_secret_access_key
    )
    async with AsyncExitStack() as stack:
        opened = {}
        for service in ("sns", "sqs", "events"):
            client = open_client(
                service,
                account,
                required_by="SIGHTLINE_BUS_BACKEND is aws",
                long_poll_s=MAX_WAIT_S if service == "sqs" else 0,
                max_pool_connections=MAX_CONNECTIONS,
            )
            opened[service] = await stack.enter_async_context(client)
        yield AwsClients(**opened)
