"""The AWS endpoint: recognises calls of AWS SDKs on a port of the API, authenticates them and runs their action."""

import time
from collections.abc import Awaitable, Mapping
from typing import Any, cast

import structlog
from msgspec import Struct
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sightline.access import AccessKey, caller_of_key
from sightline.api.aws.call import UNKNOWN_OPERATION, AwsCall, AwsError
from sightline.api.aws.errors import as_aws_error
from sightline.api.aws.metrics import metrics_in
from sightline.api.aws.request import (
    MAX_BODY_BYTES,
    UNSIGNED_ACTIONS,
    AwsRequest,
    read_request,
    request_of,
    service_of,
    signed_service,
)
from sightline.api.aws.services import SERVICES, UNKNOWN_JSON, UNKNOWN_QUERY, AwsService
from sightline.api.aws.signature import Signatures, check_scope
from sightline.api.aws.unsigned import UNSIGNED_OWNER
from sightline.api.aws.waiting import Client, client_of, while_connected
from sightline.api.aws.wire import Answer, WireProtocol, response_head
from sightline.api.edge import DirectRequest, DirectResponse
from sightline.bootstrap import Platform
from sightline.bus import Account, new_id

CERTIFICATE_PATH = "/SimpleNotificationService-"
MAX_TRACE_HEADER = 500
MAX_ACCOUNTS_KEPT = 10_000

log = structlog.get_logger(__name__)


class AwsEndpoint:
    """Outside of the application: calls of AWS SDKs need no path of their own, and none of the checks that protect browsers.
    The server hands most of them over directly (`respond`)."""

    max_body_bytes = MAX_BODY_BYTES

    def __init__(self, app: ASGIApp, platform: Platform) -> None:
        self._app = app
        self._platform = platform
        self._signatures = Signatures(platform.access_keys, public_url=platform.public_url)
        self._metrics = metrics_in(platform.registry)
        assert platform.open_bus.registry is not None, "the endpoint serves the embedded bus only"
        self._registry = platform.open_bus.registry
        self._accounts: dict[str, tuple[AccessKey, Account]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if (name := service_of(scope)) is None:
            is_certificate = scope["path"].startswith(CERTIFICATE_PATH)
            await (self._send_certificate if is_certificate else self._app)(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = new_id()
        try:
            request = await read_request(scope, receive, name)
        except Exception as error:
            is_json = any(header == b"x-amz-target" for header, _ in scope["headers"])
            action, answer = "", _failed(error, name, "", request_id, _protocol_for_unknown(is_json=is_json))
        else:
            action, answer = await self._answer(request, client_of(scope, receive), request_id)
        self._metrics.observe(name, action, answer.status, time.perf_counter() - started)
        headers = [
            *answer.headers,
            (b"content-length", b"%d" % len(answer.body)),
            (b"x-amzn-requestid", request_id.encode()),
            (b"x-content-type-options", b"nosniff"),
        ]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})

    def service_of(self, headers: Mapping[bytes, bytes]) -> str | None:
        return signed_service(headers.get(b"authorization", b""))

    async def respond(self, direct: DirectRequest) -> DirectResponse:
        """The same as a call through the framework, for a request that is whole."""
        started = time.perf_counter()
        request_id = new_id()
        request = request_of(direct)
        client = Client(direct.stopping, direct.is_closing, direct.when_lost)
        action, answer = await self._answer(request, client, request_id)
        self._metrics.observe(request.service, action, answer.status, time.perf_counter() - started)
        head = b"%bcontent-length: %d\r\nx-amzn-requestid: %b\r\n" % (
            response_head(answer.status, answer.headers),
            len(answer.body),
            request_id.encode(),
        )
        return DirectResponse(head, answer.body)

    async def _send_certificate(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The certificate that signatures of notifications are checked with; it is public."""
        writer = self._platform.notification_writer
        identity = None if writer is None else await writer.identity()
        if identity is None or scope["path"] != f"/{identity.file_name}":
            await Response(status_code=404)(scope, receive, send)
            return
        await Response(identity.certificate, media_type="application/x-pem-file")(scope, receive, send)

    async def _answer(self, request: AwsRequest, client: Client, request_id: str) -> tuple[str, Answer]:
        action, protocol = "", cast("WireProtocol | None", None)
        try:
            service = SERVICES.get(request.service)
            if service is None:
                offered = ", ".join(sorted(SERVICES))
                raise AwsError("InvalidAction", f"The service {request.service} is not offered here; {offered} are.")
            protocol = service.protocol_of(request)
            action, parameters = protocol.read(request)
            call = await self._call(request, action, request_id)
            work = _work(service, request, call, parameters)
            result = await (while_connected(work, client) if action in service.waiting_actions else work)
            return action, protocol.write(action, result, request_id)
        except Exception as error:
            protocol = protocol or _protocol_for_unknown(is_json="x-amz-target" in request.headers)
            return action, _failed(error, request.service, action, request_id, protocol)

    async def _call(self, request: AwsRequest, action: str, request_id: str) -> AwsCall:
        name, headers, platform = request.service, request.headers, self._platform
        host = headers.get("host", "")
        if name == "sns" and action in UNSIGNED_ACTIONS and "authorization" not in headers:
            settings = platform.settings.bus
            anyone = Account(settings.account_id, UNSIGNED_OWNER)
            return AwsCall(name, action, settings.region, request_id, anyone, request.scheme, host, platform)
        access_key, region = await self._signatures.check(request)
        account = await self._account_of(access_key)
        return AwsCall(
            name, action, region, request_id, account, request.scheme, host, platform, _trace_header(headers)
        )

    async def _account_of(self, access_key: AccessKey) -> Account:
        """The account that the key acts in. Kept as long as the key is: working it out costs as much as checking a signature."""
        key_id = access_key.key.key_id
        kept = self._accounts.get(key_id)
        if kept is not None and kept[0] is access_key:
            return kept[1]
        check_scope(access_key.key.scopes)
        caller = caller_of_key(access_key.key)
        account = await self._registry.account(caller.user_id, is_operator=caller.is_operator)
        if len(self._accounts) >= MAX_ACCOUNTS_KEPT:
            self._accounts.clear()
        self._accounts[key_id] = access_key, account
        return account


def _work(
    service: AwsService, request: AwsRequest, call: AwsCall, parameters: Any
) -> Awaitable[dict[str, Any] | Struct | None]:
    if not call.action:
        raise AwsError(UNKNOWN_OPERATION, "The request names no action.", status=404)
    action = service.action_of(request, call.action)
    if action is None:
        raise AwsError("InvalidAction", f"The action {call.action} is not valid for this endpoint.")
    return action(call, parameters)


def _failed(error: Exception, service: str, action: str, request_id: str, protocol: WireProtocol) -> Answer:
    failure = as_aws_error(error, service)
    if failure.status >= 500:
        log.error("aws_call.failed", service=service, action=action, request_id=request_id, exc_info=error)
    return protocol.error(failure, request_id)


def _trace_header(headers: Mapping[str, str]) -> str | None:
    found = headers.get("x-amzn-trace-id", "")
    return found if 0 < len(found) <= MAX_TRACE_HEADER and found.isascii() and found.isprintable() else None


def _protocol_for_unknown(*, is_json: bool) -> WireProtocol:
    return UNKNOWN_JSON if is_json else UNKNOWN_QUERY
