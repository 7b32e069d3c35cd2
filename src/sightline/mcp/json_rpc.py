"""JSON-RPC 2.0 as the Model Context Protocol uses it: requests, responses and their errors. Pure."""

import json
from dataclasses import dataclass
from typing import Any

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603

RequestId = str | int


class RpcError(Exception):
    """An error of the protocol. A tool that fails is no such error: its result says so."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request, or without an id a notification."""

    method: str
    params: dict[str, Any]
    id: RequestId | None


def parse(line: bytes) -> Incoming | None:
    """None for what needs no handling: responses, which this server never asked for."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise RpcError(PARSE_ERROR, "the line is not JSON") from None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, "expected one JSON-RPC 2.0 message per line")
    if "method" not in message and ("result" in message or "error" in message):
        return None
    method, params, request_id = message.get("method"), message.get("params", {}), message.get("id")
    if not isinstance(method, str) or not isinstance(params, dict):
        raise RpcError(INVALID_REQUEST, "method must be text and params an object")
    if request_id is not None and (isinstance(request_id, bool) or not isinstance(request_id, str | int)):
        raise RpcError(INVALID_REQUEST, "id must be text or a whole number")
    return Incoming(method, params, request_id)


def result_message(request_id: RequestId, result: dict[str, Any]) -> bytes:
    return _line({"jsonrpc": "2.0", "id": request_id, "result": result})


def error_message(request_id: RequestId | None, error: RpcError) -> bytes:
    body = {"code": error.code, "message": error.message} | ({} if error.data is None else {"data": error.data})
    return _line({"jsonrpc": "2.0", "id": request_id, "error": body})


def _line(message: dict[str, Any]) -> bytes:
    # ASCII: a line separator or a lone surrogate within a text must not end or break the line.
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"
