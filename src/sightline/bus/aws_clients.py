"""Opens the clients of SNS, SQS and EventBridge: the one place that knows endpoint, keys and timeouts."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from typing import Any

from sightline.bus.aws_errors import translated
from sightline.bus.limits import MAX_WAIT_S
from sightline.bus.settings import BusSettings
from sightline.errors import ConfigurationError

CONNECT_S = 5
ANSWER_S = 10
# Each waiting receive holds a connection for up to 20 s; acknowledging must never have to queue behind those.
CONNECTIONS = 256


class AwsClients:
    """Open clients. They are untyped, since the library describes its operations at run time."""

    def __init__(self, *, sns: Any, sqs: Any, events: Any) -> None:
        self.sns, self.sqs, self.events = sns, sqs, events
        self._urls: dict[str, str] = {}

    async def queue_url(self, queue: str) -> str:
        """Asked for once per queue; AWS gives a queue that is made anew the same address."""
        if (known := self._urls.get(queue)) is None:
            with translated("SQS", queue=queue):
                answer = await self.sqs.get_queue_url(QueueName=queue)
            known = self._urls[queue] = str(answer["QueueUrl"])
        return known


@cache
def _session() -> Any:
    """One per process, because reading the descriptions of the services takes most of a second."""
    from aiobotocore.session import get_session

    return get_session()


@asynccontextmanager
async def open_clients(settings: BusSettings) -> AsyncIterator[AwsClients]:
    try:
        from aiobotocore.config import AioConfig
    except ImportError as error:
        raise ConfigurationError(
            "SIGHTLINE_BUS_KEEPER is aws, but its client is not installed: pip install 'sightline[aws]'"
        ) from error
    secret = settings.aws_secret_access_key
    common = {
        "region_name": settings.region,
        "endpoint_url": settings.aws_endpoint,
        "aws_access_key_id": settings.aws_access_key_id,
        "aws_secret_access_key": None if secret is None else secret.get_secret_value(),
    }

    def config(answer_s: int) -> Any:
        return AioConfig(
            connect_timeout=CONNECT_S,
            read_timeout=answer_s,
            max_pool_connections=CONNECTIONS,
            retries={"mode": "standard", "total_max_attempts": 3},
        )

    session = _session()
    async with AsyncExitStack() as stack:
        opened = {}
        for service in ("sns", "sqs", "events"):
            answer_s = MAX_WAIT_S + ANSWER_S if service == "sqs" else ANSWER_S
            client = session.create_client(service, config=config(answer_s), **common)
            opened[service] = await stack.enter_async_context(client)
        yield AwsClients(**opened)
