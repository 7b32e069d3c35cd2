"""The port for AWS SDKs where objects are in S3 itself: what is no call of the embedded bus is refused there."""

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sightline.api.aws.call import AwsError
from sightline.api.aws.services import UNKNOWN_QUERY
from sightline.bus import new_id

_REFUSAL = AwsError(
    "NotImplemented",
    "This port serves SQS, SNS, EventBridge, Scheduler and STS. Objects are in S3: send requests for them there.",
    status=501,
)


class AwsPort:
    """Stands inside `AwsEndpoint`, which takes the calls of the bus. With objects on disk, `OwnEndpoint` takes the rest as S3."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        server = scope.get("server")
        if server is None or server[1] != self._port:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            request_id = new_id()
            answer = UNKNOWN_QUERY.error(_REFUSAL, request_id)
            headers = {name.decode(): value.decode() for name, value in answer.headers}
            await Response(answer.body, answer.status, {**headers, "x-amzn-requestid": request_id})(
                scope, receive, send
            )
