"""The one place where requests with values that cannot be stored are refused, before any route sees them."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sightline.api.serving.errors import answer_for
from sightline.api.serving.request_headers import header_of
from sightline.api.serving.value_rules import InvalidValue, check_body, check_query
from sightline.errors import InvalidInput, NotFound


class CheckedValues:
    """Path, query and JSON body of every request; not below `except_below`, where other forms of errors are spoken."""

    def __init__(self, app: ASGIApp, except_below: tuple[str, ...] = ()) -> None:
        self._app = app
        self._except_below = except_below

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(self._except_below):
            await self._app(scope, receive, send)
            return
        if "\0" in scope["path"]:  # such a path leads nowhere
            await answer_for(NotFound(f"nothing at {scope['path']}"), scope["path"])(scope, receive, send)
            return
        try:
            check_query(scope["query_string"])
            if _is_json(header_of(scope, b"content-type") or ""):
                receive = await _checked_body(receive)
        except InvalidValue as error:
            await _refusal(error, scope["path"])(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _refusal(error: InvalidValue, path: str) -> ASGIApp:
    # Half a character cannot be sent back either.
    field = error.field.encode(errors="replace").decode()
    problem = {"field": field, "message": error.reason, "in": error.where}
    return answer_for(InvalidInput(f"{field}: {error.reason}", details={"errors": [problem]}), path)


def _is_json(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))


async def _checked_body(receive: Receive) -> Receive:
    """Takes the whole body, which the route would do too, and hands it on in one piece."""
    parts = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            break
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            body = b"".join(parts)
            check_body(body)
            message = {"type": "http.request", "body": body, "more_body": False}
            break
    first: Message | None = message

    async def receive_again() -> Message:
        nonlocal first
        if first is None:
            return await receive()
        given, first = first, None
        return given

    return receive_again
