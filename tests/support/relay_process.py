"""A relay as a process of its own, to be killed (see `forks`)."""

import asyncio
from collections.abc import Callable

from pydantic import SecretStr

from sightline.aws import AwsAccount, open_client
from sightline.bus import BusSettings, Names
from sightline.bus.aws import AwsSender, Relay, open_clients
from sightline.db import Listener, open_database
from support.postgres import patient_settings


async def main(url: str, endpoint: str, account_id: str, _say: Callable[[str], None]) -> None:
    settings = BusSettings(
        backend="aws",
        aws_endpoint=endpoint,
        account_id=account_id,
        aws_access_key_id="test",
        aws_secret_access_key=SecretStr("test"),
    )
    database = await open_database(patient_settings(pool_min=1), url)
    listener = Listener(url)
    async with open_clients(settings) as clients:
        relay = Relay(database, listener, AwsSender(clients, Names(settings.region, account_id)))
        never = asyncio.Event()
        await asyncio.gather(listener.run(never, lambda: None), relay.service().run(never, lambda: None))


async def _read_descriptions() -> None:
    account = AwsAccount("us-east-1", "http://127.0.0.1:9", "test", SecretStr("test"))
    for service in ("sns", "sqs", "events"):
        async with open_client(service, account, required_by="a test"):
            pass


asyncio.run(_read_descriptions())  # once, before the forks
