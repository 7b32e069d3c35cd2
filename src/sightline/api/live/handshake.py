"""What a client says while it connects: who it is, where it stands, what it wants to follow. Pure."""

import re
from dataclasses import dataclass

from starlette.datastructures import Headers, QueryParams
from starlette.types import Scope

from sightline.api.auth.identity import seconds_left
from sightline.errors import InvalidInput
from sightline.live import EVERYTHING, ConnectRequest, ResumePoint, check_patterns

# Browsers can set neither headers nor anything else but the address and the sub-protocols.
_KEY_PARAMETERS = ("token", "key", "api_key")
_KEY_PROTOCOL = re.compile(r"(?:bearer|api-key|token)\.(.+)")
CLIENT_ID = r"[A-Za-z0-9_.:-]{1,64}"
_CLIENT_ID = re.compile(CLIENT_ID)
_LONGEST_NUMBER = 18

__all__ = [
    "CLIENT_ID",
    "Credential",
    "read_connect_request",
    "read_credential",
    "read_event_id",
    "read_patterns",
    "seconds_left",
]


@dataclass(frozen=True, slots=True)
class Credential:
    """`authorization` as the header would say it, and the sub-protocol to agree on."""

    authorization: str | None
    subprotocol: str | None


def read_credential(scope: Scope) -> Credential:
    """The header before the address before the sub-protocols (`bearer.…` or `api-key.…`).

    A client that offers sub-protocols wants one of them taken: one that is no key if there is any, so that the key is not
    repeated in the answer.
    """
    offered: list[str] = list(scope.get("subprotocols", ()))
    keys = {name: match[1] for name in offered if (match := _KEY_PROTOCOL.fullmatch(name))}
    taken = next((name for name in offered if name not in keys), offered[0] if offered else None)
    query = QueryParams(scope["query_string"])
    header = Headers(scope=scope).get("authorization")
    key = next((query[name] for name in _KEY_PARAMETERS if query.get(name)), None) or next(iter(keys.values()), None)
    return Credential(header or (f"Bearer {key}" if key else None), taken)


def read_connect_request(scope: Scope) -> ConnectRequest:
    """`client_id`, `last_sequence`, `epoch` and `patterns` of the address."""
    query = QueryParams(scope["query_string"])
    client_id = query.get("client_id")
    if client_id is not None and not _CLIENT_ID.fullmatch(client_id):
        raise InvalidInput("client_id: 1 to 64 letters, digits, _ . : -")
    last = query.get("last_sequence")
    if last is not None and not (last.isascii() and last.isdecimal() and len(last) <= _LONGEST_NUMBER):
        raise InvalidInput("last_sequence: a number from 0 on")
    return ConnectRequest(
        client_id=client_id,
        position=None if last is None else ResumePoint(int(last), query.get("epoch") or None),
        patterns=read_patterns(query.get("patterns")),
    )


def read_patterns(text: str | None) -> frozenset[str]:
    """Comma-separated; none is everything."""
    names = [name for name in (text or "").split(",") if name]
    return check_patterns(names) if names else EVERYTHING


def read_event_id(text: str) -> ResumePoint:
    """The last event id that a browser sends when it reconnects to Server-Sent Events: `<epoch>.<sequence>`."""
    epoch, _, last = text.rpartition(".")
    if not (last.isascii() and last.isdecimal() and len(last) <= _LONGEST_NUMBER):
        raise InvalidInput("Last-Event-ID: an epoch, a dot and a number")
    return ResumePoint(int(last), epoch or None)
