"""CORS of the object routes: any page may use an address that was signed for it, since the signature is the permission."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sightline.api.s3.request import PATH
from sightline.observability import CORRELATION_HEADER

_METHODS = "GET, HEAD, PUT, POST, DELETE"
_EXPOSED = f"ETag, Accept-Ranges, Content-Length, Content-Range, Last-Modified, {CORRELATION_HEADER}"
_PREFLIGHT_S = 7200  # as long as browsers remember one


class ObjectsCors:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_object_path(scope["path"]):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await _preflight(headers.get("access-control-request-headers"))(scope, receive, send)
            return

        async def send_open(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer["Access-Control-Allow-Origin"] = "*"
                answer["Access-Control-Expose-Headers"] = _EXPOSED
            await send(message)

        await self._app(scope, receive, send_open if "origin" in headers else send)


def is_object_path(path: str) -> bool:
    return path == PATH or path.startswith(f"{PATH}/")


def _preflight(asked: str | None) -> Response:
    headers = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": _METHODS,
        "Access-Control-Max-Age": str(_PREFLIGHT_S),
    }
    if asked:
        headers["Access-Control-Allow-Headers"] = asked
    return Response(status_code=204, headers=headers)
