"""Requests to API destinations: what EventBridge sends for an event, a connection and a target. Pure."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from sightline.bus.endpoints.failure import TargetFailure

AGENT = "Amazon/EventBridge/ApiDestinations"
_REMOVED = frozenset(
    {
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
_SECRETS = frozenset({"Password", "ApiKeyValue", "ClientSecret"})


@dataclass(frozen=True, slots=True)
class WebRequest:
    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes


def without_secrets(value: Any) -> Any:
    """Authorization parameters as they are shown."""
    if isinstance(value, Mapping):
        is_secret = value.get("IsValueSecret") is True
        return {
            name: without_secrets(one)
            for name, one in value.items()
            if name not in _SECRETS and not (is_secret and name == "Value")
        }
    return [without_secrets(one) for one in value] if isinstance(value, list) else value


def destination_request(
    endpoint: str, method: str, authorization: Mapping[str, Any], http: Mapping[str, Any], body: str
) -> WebRequest:
    """`http` are the HttpParameters of the target; those of the connection come first, as EventBridge has it."""
    invocation = authorization.get("InvocationHttpParameters") or {}
    url = _with_path(endpoint, http.get("PathParameterValues") or [])
    query = {**(http.get("QueryStringParameters") or {}), **_pairs(invocation, "QueryStringParameters")}
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": AGENT,
        **(http.get("HeaderParameters") or {}),
        **_pairs(invocation, "HeaderParameters"),
    }
    headers = _allowed(headers)
    content = _with_members(body, _pairs(invocation, "BodyParameters"))
    request = WebRequest(method, with_query(url, query), headers, b"" if method in ("GET", "HEAD") else content)
    return authorized(request, authorization)


def authorized(request: WebRequest, authorization: Mapping[str, Any]) -> WebRequest:
    if basic := authorization.get("BasicAuthParameters"):
        pair = f"{basic['Username']}:{basic['Password']}".encode()
        return _with_header(request, "Authorization", f"Basic {base64.b64encode(pair).decode()}")
    if key := authorization.get("ApiKeyAuthParameters"):
        return _with_header(request, str(key["ApiKeyName"]), str(key["ApiKeyValue"]))
    return request


def with_token(request: WebRequest, token: str) -> WebRequest:
    return _with_header(request, "Authorization", f"Bearer {token}")


def token_request(oauth: Mapping[str, Any]) -> WebRequest:
    """The request for a token by client credentials."""
    client = oauth.get("ClientParameters") or {}
    http = oauth.get("OAuthHttpParameters") or {}
    form = {
        "grant_type": "client_credentials",
        "client_id": str(client.get("ClientID", "")),
        "client_secret": str(client.get("ClientSecret", "")),
        **_pairs(http, "BodyParameters"),
    }
    headers = _allowed(
        {
            "Content-Type": "application/x-www-form-urlencoded",
            "User-Agent": AGENT,
            **_pairs(http, "HeaderParameters"),
        }
    )
    method = str(oauth.get("HttpMethod", "POST"))
    query = _pairs(http, "QueryStringParameters")
    url = str(oauth["AuthorizationEndpoint"])
    if method == "GET":
        return WebRequest(method, with_query(url, {**form, **query}), headers, b"")
    return WebRequest(method, with_query(url, query), headers, urlencode(form).encode())


def with_query(url: str, parameters: Mapping[str, str]) -> str:
    if not parameters:
        return url
    parts = urlsplit(url)
    return parts._replace(query="&".join(filter(None, (parts.query, urlencode(parameters))))).geturl()


def _allowed(headers: Mapping[str, str]) -> dict[str, str]:
    """Without those that say how the request itself is sent."""
    if any(not (f"{name}{value}".isascii() and f"{name}{value}".isprintable()) for name, value in headers.items()):
        raise TargetFailure("INVALID_PARAMETER", "A header has characters that no header may have.")
    return {name: str(value) for name, value in headers.items() if name.lower() not in _REMOVED}


def _with_path(endpoint: str, values: Sequence[Any]) -> str:
    """Each * of the path is replaced by a value, and values that are left are added to the path."""
    parts = urlsplit(endpoint)
    texts = [quote(str(value), safe="") for value in values]
    pieces = parts.path.split("*")
    if (missing := len(pieces) - 1 - len(texts)) > 0:
        raise TargetFailure("INVALID_PARAMETER", f"The target lacks {missing} path parameters of its endpoint.")
    path = pieces[0] + "".join(text + piece for text, piece in zip(texts, pieces[1:], strict=False))
    for text in texts[len(pieces) - 1 :]:
        path = f"{path.rstrip('/')}/{text}"
    return parts._replace(path=path).geturl()


def _with_members(body: str, members: Mapping[str, str]) -> bytes:
    if members:
        try:
            content = json.loads(body)
        except ValueError:
            content = None
        if isinstance(content, dict):
            body = json.dumps({**content, **members}, ensure_ascii=False, separators=(",", ":"))
    return body.encode("utf-8", "replace")


def _with_header(request: WebRequest, name: str, value: str) -> WebRequest:
    return replace(request, headers={**request.headers, name: value})


def _pairs(parameters: Mapping[str, Any], member: str) -> dict[str, str]:
    return {str(one["Key"]): str(one.get("Value", "")) for one in parameters.get(member) or []}
