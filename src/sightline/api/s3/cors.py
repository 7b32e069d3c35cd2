"""CORS of the object endpoint: any page may use a signed URL, since the signature is the permission."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sightline.objects.disk import OBJECTS_PATH
from sightline.observability import CORRELATION_HEADER

_METHODS = "GET, HEAD, PUT, POST, DELETE"
_EXPOSED = f"ETag, Accept-Ranges, Content-Length, Content-Range, Last-Modified, x-amz-request-id, {CORRELATION_HEADER}"
_PREFLIGHT_MAX_AGE_S = 7200  # the longest that browsers accept


class ObjectsCors:
    def __init__(self, app: ASGIApp, *, is_everything: bool = False) -> None:
        """`is_everything`: whatever its path, a request is one to the endpoint."""
        self._app = app
        self._is_everything = is_everything

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not (self._is_everything or is_object_path(scope["path"])):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await _preflight(headers.get("access-control-request-headers"))(scope, receive, send)
            return

        async def send_with_cors(message: Message) -> None:
            if message["type"] == "http.response.start":
                response_headers = MutableHeaders(scope=message)
                response_headers["Access-Control-Allow-Origin"] = "*"
                response_headers["Access-Control-Expose-Headers"] = _EXPOSED
            await send(message)

        await self._app(scope, receive, send_with_cors if "origin" in headers else send)


def is_object_path(path: str) -> bool:
    return path == OBJECTS_PATH or path.startswith(f"{OBJECTS_PATH}/")


def _preflight(requested_headers: str | None) -> Response:
    headers = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": _METHODS,
        "Access-Control-Max-Age": str(_PREFLIGHT_MAX_AGE_S),
    }
    if requested_headers:
        headers["Access-Control-Allow-Headers"] = requested_headers
    return Response(status_code=204, headers=headers)
