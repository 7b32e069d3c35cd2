"""The object endpoint in its places: below `/objects`, on a port or host of its own, and wherever a request is signed for S3."""

import re
from collections.abc import Sequence
from types import SimpleNamespace

from fastapi import APIRouter, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sightline.api.s3.cors import ObjectsCors
from sightline.api.s3.errors import error_response
from sightline.api.s3.operations import handler_of
from sightline.api.s3.request import Addressing, CheckSpace, raw_resource, read_request
from sightline.api.serving.request_headers import header_of
from sightline.errors import PlatformError
from sightline.objects import DiskObjectStore
from sightline.objects.disk import OBJECTS_PATH
from sightline.objects.protocol import invalid_request
from sightline.observability import correlation_id

_ADDRESSING = "sightline.endpoint_addressing"
_ROUTE = SimpleNamespace(path="/{bucket}/{key}")  # names the pattern in metrics
METHODS = ("GET", "HEAD", "PUT", "POST", "DELETE")


async def answer_s3(
    objects: DiskObjectStore, check_space: CheckSpace, http: Request, addressing: Addressing
) -> Response:
    try:
        if http.method not in METHODS:
            raise invalid_request("MethodNotAllowed", f"{http.method} is not a method of S3")
        request = await read_request(objects, check_space, http, addressing)
        response = await handler_of(request)(request)
    except PlatformError as error:
        response = error_response(error, raw_resource(http, addressing))
    # Any page may show an object, as a picture too: the signature is the permission.
    response.raw_headers.append((b"cross-origin-resource-policy", b"cross-origin"))
    if (request_id := correlation_id()) is not None:
        response.raw_headers.append((b"x-amz-request-id", request_id.encode()))
    return response


def create_objects_router(objects: DiskObjectStore, check_space: CheckSpace) -> APIRouter:
    """Not in the OpenAPI schema: this is the S3 API, for S3 clients."""
    router = APIRouter(include_in_schema=False)
    addressing = Addressing(OBJECTS_PATH, public_url=objects.public_url)

    async def on_objects(http: Request) -> Response:
        return await answer_s3(objects, check_space, http, addressing)

    for path in (OBJECTS_PATH, OBJECTS_PATH + "/", OBJECTS_PATH + "/{bucket}", OBJECTS_PATH + "/{bucket}/{key:path}"):
        router.add_api_route(path, on_objects, methods=list(METHODS))
    return router


_S3_CREDENTIAL = re.compile(rb"Credential=[^,&\s]+(?:/|%2F)s3(?:/|%2F)aws4_request", re.IGNORECASE)


class OwnEndpoint:
    """Answers as S3, without a path in front, what arrives on the endpoint's own port or for one of its own hosts.

    It stands before the guards of the API: these requests carry no cookie and no token, only a signature.
    """

    def __init__(
        self,
        app: ASGIApp,
        endpoint: ASGIApp,
        *,
        bucket: str,
        port: int | None,
        hosts: Sequence[str],
        public_url: str | None,
        accepts_api_port: bool,
    ) -> None:
        """`endpoint` is made by `create_endpoint`. `accepts_api_port`: requests signed for S3 are answered on the API's port too,
        so that all services of AWS have one address."""
        self._app = app
        self._endpoint = endpoint
        self._bucket = bucket
        self._port = port
        self._hosts = tuple(host.lower() for host in hosts)
        self._public_url = public_url
        self._accepts_api_port = accepts_api_port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        addressing = self._addressing(scope)
        if addressing is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            scope[_ADDRESSING] = addressing
            scope["route"] = _ROUTE
            await self._endpoint(scope, receive, send)

    def _addressing(self, scope: Scope) -> Addressing | None:
        if scope["type"] not in ("http", "websocket"):
            return None
        name = _host_name(header_of(scope, b"host") or "") if self._hosts else ""
        for host in self._hosts:
            if name == host:
                return Addressing(public_url=self._public_url)
            if name == f"{self._bucket}.{host}".lower():
                return Addressing(bucket=self._bucket, public_url=self._public_url)
        server = scope.get("server")
        is_own_port = self._port is not None and server is not None and server[1] == self._port
        if is_own_port or (self._accepts_api_port and _is_signed_for_s3(scope)):
            return Addressing(public_url=self._public_url)
        return None


def _is_signed_for_s3(scope: Scope) -> bool:
    """On the port of the API: a request that says in its credential that it is for S3, and does not use the path of objects."""
    if scope["type"] != "http" or scope["path"].startswith(f"{OBJECTS_PATH}/") or scope["path"] == OBJECTS_PATH:
        return False
    if b"X-Amz-Credential=" in scope["query_string"]:
        return _S3_CREDENTIAL.search(scope["query_string"]) is not None
    return any(name == b"authorization" and _S3_CREDENTIAL.search(value) for name, value in scope["headers"])


def _host_name(host: str) -> str:
    """Without the port, in lower case."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def create_endpoint(objects: DiskObjectStore, check_space: CheckSpace) -> ASGIApp:
    """What answers requests that `OwnEndpoint` recognized."""

    async def endpoint(scope: Scope, receive: Receive, send: Send) -> None:
        http = Request(scope, receive, send)
        await (await answer_s3(objects, check_space, http, scope[_ADDRESSING]))(scope, receive, send)

    return ObjectsCors(endpoint, is_everything=True)
