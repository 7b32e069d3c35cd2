"""Control frames of the server and requests of the client on a live connection.

Control frames have no top-level `sequence`, so no client mistakes them for a numbered message.
"""

import json
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

PROTOCOL = 1
MAX_TYPE_LENGTH = 50

ErrorCode = Literal[
    "INVALID_JSON",
    "INVALID_MESSAGE_FORMAT",
    "UNKNOWN_MESSAGE_TYPE",
    "VALIDATION_ERROR",
    "RATE_LIMIT_EXCEEDED",
    "SERVICE_UNAVAILABLE",
]


class _Frame(BaseModel):
    model_config = ConfigDict(frozen=True)

    type: ClassVar[str]

    def encode(self) -> bytes:
        return _json({"type": self.type, "data": self.model_dump(exclude_none=True)})


class _FlatFrame(_Frame):
    """A frame for older clients, with its fields next to the type."""

    def encode(self) -> bytes:
        return _json({"type": self.type, **self.model_dump(exclude_none=True)})


class Hello(_Frame):
    """The first frame. The client is up to date as of `sequence`, unless it requested a replay."""

    type = "hello"
    protocol: int = PROTOCOL
    channel: str
    epoch: str
    sequence: int
    buffer_size: int
    heartbeat_seconds: float
    client_id: str


class Resumed(_Frame):
    """All missed messages follow, if there are any: the client is then up to date as of `to`."""

    type = "resumed"
    channel: str
    epoch: str
    from_: int = Field(serialization_alias="from")
    to: int
    replayed: int
    recovered: Literal[True] = True

    def encode(self) -> bytes:
        return _json({"type": self.type, "data": self.model_dump(by_alias=True)})


class Gap(_Frame):
    """Missed messages cannot be replayed: reload from the URL in `resync`, then resume from `sequence`."""

    type = "gap"
    channel: str
    epoch: str
    reason: str
    last_sequence: int | None
    oldest_available: int
    sequence: int
    resync: str
    recovered: Literal[False] = False


class Subscribed(_Frame):
    """From `sequence` on, only messages that match these patterns are sent."""

    type = "subscribed"
    patterns: list[str]
    sequence: int


class Acked(_Frame):
    """The acknowledgement is stored; `mark` is the highest number that this client acknowledged."""

    type = "acked"
    sequence: int
    mark: int


class Ping(_FlatFrame):
    """Heartbeat; `lastSeq` is the last sequence number sent to this client."""

    type = "ping"
    lastSeq: int  # noqa: N815 - as clients of the feed know it
    epoch: str


class Pong(_FlatFrame):
    type = "pong"


class ResyncAck(_FlatFrame):
    type = "resync_ack"
    channel: str
    last_sequence: int
    replayed_count: int


class Problem(_FlatFrame):
    """A request of the client failed. The connection stays open."""

    type = "error"
    error: ErrorCode
    message: str
    details: dict[str, Any] = {}


class _RequestModel(BaseModel):
    # Unknown fields are ignored, so that newer clients work.
    model_config = ConfigDict(extra="ignore", frozen=True)


class PingRequest(_RequestModel):
    """The server responds with a pong."""


class PongAnswer(_RequestModel):
    """The response to a ping of the server; shows that the client is alive."""


class AckRequest(_RequestModel):
    sequence: int = Field(ge=1, le=2**62, strict=True)


class ResumeRequest(_RequestModel):
    last_sequence: int = Field(ge=0, le=2**62, strict=True)
    epoch: str | None = Field(None, max_length=64)
    channel: str | None = Field(None, max_length=64)


class ResyncRequest(ResumeRequest):
    """`resume` as older clients call it; the server also sends a `resync_ack`."""


_Patterns = Annotated[list[str], Field(min_length=1, max_length=1000)]


class SubscribeRequest(_RequestModel):
    patterns: _Patterns = Field(validation_alias=AliasChoices("patterns", "events", "topics", "channels"))


class UnsubscribeRequest(SubscribeRequest):
    pass


ClientRequest = PingRequest | PongAnswer | AckRequest | ResumeRequest | ResyncRequest | SubscribeRequest

_REQUESTS: dict[str, type[ClientRequest]] = {
    "ping": PingRequest,
    "pong": PongAnswer,
    "ack": AckRequest,
    "resume": ResumeRequest,
    "resync": ResyncRequest,
    "subscribe": SubscribeRequest,
    "unsubscribe": UnsubscribeRequest,
}


class BadRequest(Exception):
    """A request that cannot be parsed, with the error frame to send."""

    def __init__(self, code: ErrorCode, message: str, details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.problem = Problem(error=code, message=message, details=details or {})


def parse_request(text: str | None) -> ClientRequest:
    """The request of a client; None is a binary frame. Fields may be next to the type or in `data`."""
    if text is None:
        raise BadRequest("INVALID_MESSAGE_FORMAT", "messages are text, not binary")
    if text == "ping":  # bare, as some older clients send it
        return PingRequest()
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRequest("INVALID_JSON", "the message is not JSON") from None
    kind = content.get("type") if isinstance(content, dict) else None
    if not isinstance(kind, str) or not 0 < len(kind) <= MAX_TYPE_LENGTH:
        raise BadRequest("INVALID_MESSAGE_FORMAT", "a message is an object with a `type`")
    data = content.get("data")
    if data is not None and not isinstance(data, dict):
        raise BadRequest("INVALID_MESSAGE_FORMAT", "`data` is an object")
    model = _REQUESTS.get(kind.lower())
    if model is None:
        raise BadRequest("UNKNOWN_MESSAGE_TYPE", f"unknown type {kind!r}", {"supported_types": sorted(_REQUESTS)})
    try:
        return model.model_validate({**content, **(data or {})})
    except ValidationError as error:
        problems = [
            {"field": ".".join(str(part) for part in one["loc"]), "message": one["msg"]}
            for one in error.errors(include_input=False, include_url=False, include_context=False)
        ]
        message = "; ".join(f"{problem['field']}: {problem['message']}" for problem in problems)
        raise BadRequest("VALIDATION_ERROR", message, {"errors": problems}) from None


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")
