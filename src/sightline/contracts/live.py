"""What a live connection says besides the numbered messages: control frames of the server, requests of the client.

Control frames have no top-level `sequence`, so nobody takes them for a numbered message.
"""

import json
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

PROTOCOL = 1
LONGEST_TYPE = 50

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
    """A frame of older clients, whose fields stand beside the type."""

    def encode(self) -> bytes:
        return _json({"type": self.type, **self.model_dump(exclude_none=True)})


class Hello(_Frame):
    """The first frame. The client is up to date as of `sequence`, unless it asked for what came before."""

    type = "hello"
    protocol: int = PROTOCOL
    channel: str
    epoch: str
    sequence: int
    buffer_size: int
    heartbeat_seconds: float
    client_id: str


class Resumed(_Frame):
    """All that was missed follows, or there is nothing of it: the client is up to date as of `to`."""

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
    """What was missed cannot be replayed: load afresh (`resync` says where), then go on from `sequence`."""

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
    """From `sequence` on, only what these patterns match is sent."""

    type = "subscribed"
    patterns: list[str]
    sequence: int


class Acked(_Frame):
    """The acknowledgement is stored; `mark` is the highest number that this client acknowledged."""

    type = "acked"
    sequence: int
    mark: int


class Ping(_FlatFrame):
    """Heartbeat; `lastSeq` is the last number that this client was sent."""

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
    """A client's message could not be done. The connection stays open."""

    type = "error"
    error: ErrorCode
    message: str
    details: dict[str, Any] = {}


class _Request(BaseModel):
    # Clients may send more than is known here.
    model_config = ConfigDict(extra="ignore", frozen=True)


class PingRequest(_Request):
    """Answered with a pong."""


class PongAnswer(_Request):
    """The answer to our ping; shows that somebody is there."""


class AckRequest(_Request):
    sequence: int = Field(ge=1, le=2**62, strict=True)


class ResumeRequest(_Request):
    last_sequence: int = Field(ge=0, le=2**62, strict=True)
    epoch: str | None = Field(None, max_length=64)
    channel: str | None = Field(None, max_length=64)


class ResyncRequest(ResumeRequest):
    """`resume` as older clients call it; answered with a `resync_ack` too."""


_Patterns = Annotated[list[str], Field(min_length=1, max_length=1000)]


class SubscribeRequest(_Request):
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
    """A client's message that cannot be read; carries what to answer."""

    def __init__(self, code: ErrorCode, message: str, details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.problem = Problem(error=code, message=message, details=details or {})


def parse_request(text: str | None) -> ClientRequest:
    """What a client wants; None is a binary frame. Fields may stand beside the type or in `data`."""
    if text is None:
        raise BadRequest("INVALID_MESSAGE_FORMAT", "messages are text, not binary")
    if text == "ping":  # bare, as some older clients send it
        return PingRequest()
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRequest("INVALID_JSON", "the message is not JSON") from None
    kind = said.get("type") if isinstance(said, dict) else None
    if not isinstance(kind, str) or not 0 < len(kind) <= LONGEST_TYPE:
        raise BadRequest("INVALID_MESSAGE_FORMAT", "a message is an object with a `type`")
    data = said.get("data")
    if data is not None and not isinstance(data, dict):
        raise BadRequest("INVALID_MESSAGE_FORMAT", "`data` is an object")
    shape = _REQUESTS.get(kind.lower())
    if shape is None:
        raise BadRequest("UNKNOWN_MESSAGE_TYPE", f"unknown type {kind!r}", {"supported_types": sorted(_REQUESTS)})
    try:
        return shape.model_validate({**said, **(data or {})})
    except ValidationError as error:
        problems = [
            {"field": ".".join(str(part) for part in one["loc"]), "message": one["msg"]}
            for one in error.errors(include_input=False, include_url=False, include_context=False)
        ]
        message = "; ".join(f"{problem['field']}: {problem['message']}" for problem in problems)
        raise BadRequest("VALIDATION_ERROR", message, {"errors": problems}) from None


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")
