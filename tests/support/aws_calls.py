"""Clients of the platform's own AWS endpoint: botocore's, on a real socket."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import botocore.session
from botocore.config import Config
from fastapi import FastAPI

from sightline.api import create_app
from sightline.bootstrap import Platform


class AwsClients:
    """`await call("sqs", "create_queue", QueueName="q")` calls as boto3 does, off the event loop."""

    def __init__(self, address: str, key_id: str = "test", secret: str = "test") -> None:
        self.address = address
        self._key_id, self._secret = key_id, secret
        self._clients: dict[str, Any] = {}

    def client(self, service: str) -> Any:
        if service not in self._clients:
            self._clients[service] = botocore.session.get_session().create_client(
                service,
                region_name="us-east-1",
                endpoint_url=self.address,
                aws_access_key_id=self._key_id,
                aws_secret_access_key=self._secret,
                config=Config(
                    retries={"total_max_attempts": 1},
                    read_timeout=600,
                    max_pool_connections=50,
                    s3={"addressing_style": "path"},
                    signature_version="s3v4" if service == "s3" else "v4",
                ),
            )
        return self._clients[service]

    async def call(self, service: str, method: str, **parameters: Any) -> dict[str, Any]:
        client = self.client(service)
        found: dict[str, Any] = await asyncio.to_thread(getattr(client, method), **parameters)
        return found

    def with_key(self, key_id: str, secret: str) -> "AwsClients":
        return AwsClients(self.address, key_id, secret)


@asynccontextmanager
async def aws_clients(platform: Platform, serving: Callable[[FastAPI], Any]) -> AsyncIterator[AwsClients]:
    async with serving(create_app(platform)) as port:
        yield AwsClients(f"http://127.0.0.1:{port}")
