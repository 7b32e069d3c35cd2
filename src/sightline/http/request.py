"""Outgoing HTTP requests as bytes. Pure."""

import base64
from collections.abc import Mapping
from urllib.parse import SplitResult, quote, unquote

_FORBIDDEN = ("\r", "\n", "\0")
_URL_CHARACTERS = "%/:?#[]@!$&'()*+,;=~-._"


def write_request(method: str, parts: SplitResult, headers: Mapping[str, str], content: bytes) -> bytes:
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = f":{parts.port}" if parts.port is not None else ""
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    target = target if target.isascii() else quote(target, safe=_URL_CHARACTERS)
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}{port}", f"Content-Length: {len(content)}"]
    if parts.username is not None:
        lines.append(f"Authorization: {_basic(parts.username, parts.password or '')}")
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if any(mark in line for line in lines for mark in _FORBIDDEN):
        raise ValueError("a line of the request holds a line break")
    return "\r\n".join((*lines, "", "")).encode("ascii") + content


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
