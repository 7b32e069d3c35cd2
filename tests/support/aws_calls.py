"""Clients of the platform's own AWS endpoint: botocore's, on a real socket."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any
from urllib.parse import urlencode

import botocore.session
import httpx
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from fastapi import FastAPI

from sightline.api import create_app
from sightline.bootstrap import Platform


@cache
def botocore_session() -> Any:
    """One per test process: reading the descriptions of the services takes longer than most tests."""
    return botocore.session.get_session()


class AwsClients:
    """`await call("sqs", "create_queue", QueueName="q")` calls as boto3 does, off the event loop."""

    def __init__(self, address: str, key_id: str = "test", secret: str = "test", region: str = "us-east-1") -> None:
        self.address = address
        self._region = region
        self._key_id, self._secret = key_id, secret
        self._clients: dict[str, Any] = {}

    def client(self, service: str) -> Any:
        if service not in self._clients:
            self._clients[service] = botocore_session().create_client(
                service,
                region_name=self._region,
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


def signed_form(url: str, *, method: str = "POST", accept: str | None = None, **form: str) -> httpx.Request:
    """A call of the query protocol, as SDKs made it before 2023; with GET the form is in the query."""
    text = urlencode({"Version": "2012-11-05", **form} if form else {})
    if method == "GET":
        request = AWSRequest("GET", f"{url}?{text}" if text else url)
    else:
        request = AWSRequest(method, url, data=text)
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    if accept is not None:
        request.headers["Accept"] = accept
    SigV4Auth(Credentials("test", "test"), "sqs", "us-east-1").add_auth(request)
    return httpx.Request(method, request.url, headers=dict(request.headers), content=request.data or b"")
