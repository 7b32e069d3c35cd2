"""The AWS endpoint: recognises calls of AWS SDKs on a port of the API, authenticates them and runs their action."""

import time
from collections.abc import Mapping
from typing import Any, cast

import structlog
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sightline.access import caller_of_key
from sightline.api.aws.base_url import base_url
from sightline.api.aws.call import UNKNOWN_OPERATION, AwsCall, AwsError
from sightline.api.aws.errors import as_aws_error
from sightline.api.aws.metrics import metrics_in
from sightline.api.aws.request import UNSIGNED_ACTIONS, AwsRequest, read_request, service_of
from sightline.api.aws.services import SERVICES, UNKNOWN_JSON, UNKNOWN_QUERY, AwsService
from sightline.api.aws.signature import Signatures, check_scope
from sightline.api.aws.unsigned import UNSIGNED_OWNER
from sightline.api.aws.waiting import while_connected
from sightline.api.aws.wire import Answer, WireProtocol
from sightline.bootstrap import Platform
from sightline.bus import Account, new_id

CERTIFICATE_PATH = "/SimpleNotificationService-"
MAX_TRACE_HEADER = 500

log = structlog.get_logger(__name__)


class AwsEndpoint:
    """Outside of the application: calls of AWS SDKs need no path of their own, and none of the checks that protect browsers."""

    def __init__(self, app: ASGIApp, platform: Platform) -> None:
        self._app = app
        self._platform = platform
        self._signatures = Signatures(platform.access_keys, public_url=platform.public_url)
        self._metrics = metrics_in(platform.registry)
        assert platform.open_bus.registry is not None, "the endpoint serves the embedded bus only"
        self._registry = platform.open_bus.registry

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
        action, answer = await self._answer(scope, receive, name, request_id)
        self._metrics.observe(name, action, answer.status, time.perf_counter() - started)
        headers = [
            *answer.headers,
            (b"content-length", b"%d" % len(answer.body)),
            (b"x-amzn-requestid", request_id.encode()),
            (b"x-content-type-options", b"nosniff"),
        ]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})

    async def _send_certificate(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The certificate that signatures of notifications are checked with; it is public."""
        writer = self._platform.notification_writer
        identity = None if writer is None else await writer.identity()
        if identity is None or scope["path"] != f"/{identity.file_name}":
            await Response(status_code=404)(scope, receive, send)
            return
        await Response(identity.certificate, media_type="application/x-pem-file")(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, name: str, request_id: str) -> tuple[str, Answer]:
        action, protocol = "", cast("WireProtocol | None", None)
        try:
            request = await read_request(scope, receive, name)
            service = SERVICES.get(name)
            if service is None:
                raise AwsError(
                    "InvalidAction", f"The service {name} is not offered here; {', '.join(sorted(SERVICES))} are."
                )
            protocol = service.protocol_of(request)
            action, parameters = protocol.read(request)
            call = await self._call(request, name, action, request_id)
            result = await self._run(service, request, call, parameters, scope, receive)
            return action, protocol.write(action, result, request_id)
        except Exception as error:
            failure = as_aws_error(error, name)
            if failure.status >= 500:
                log.error("aws_call.failed", service=name, action=action, request_id=request_id, exc_info=error)
            return action, (protocol or _protocol_for_unknown(scope)).error(failure, request_id)

    async def _call(self, request: AwsRequest, name: str, action: str, request_id: str) -> AwsCall:
        address = base_url(request.scheme, request.headers.get("host", ""), self._platform.public_url)
        if name == "sns" and action in UNSIGNED_ACTIONS and "authorization" not in request.headers:
            anyone = Account(self._platform.settings.bus.account_id, UNSIGNED_OWNER)
            return AwsCall(
                name, action, self._platform.settings.bus.region, request_id, anyone, address, self._platform
            )
        access_key, region = await self._signatures.check(request)
        check_scope(access_key.key.scopes)
        caller = caller_of_key(access_key.key)
        account = await self._registry.account(caller.user_id, is_operator=caller.is_operator)
        return AwsCall(
            name, action, region, request_id, account, address, self._platform, _trace_header(request.headers)
        )

    async def _run(
        self,
        service: AwsService,
        request: AwsRequest,
        call: AwsCall,
        parameters: dict[str, Any],
        scope: Scope,
        receive: Receive,
    ) -> dict[str, Any] | None:
        if not call.action:
            raise AwsError(UNKNOWN_OPERATION, "The request names no action.", status=404)
        action = service.action_of(request, call.action)
        if action is None:
            raise AwsError("InvalidAction", f"The action {call.action} is not valid for this endpoint.")
        work = action(call, parameters)
        if call.action in service.waiting_actions:
            return await while_connected(work, scope, receive)
        return await work


def _trace_header(headers: Mapping[str, str]) -> str | None:
    found = headers.get("x-amzn-trace-id", "")
    return found if 0 < len(found) <= MAX_TRACE_HEADER and found.isascii() and found.isprintable() else None


def _protocol_for_unknown(scope: Scope) -> WireProtocol:
    is_json = any(name == b"x-amz-target" for name, _ in scope["headers"])
    return UNKNOWN_JSON if is_json else UNKNOWN_QUERY
