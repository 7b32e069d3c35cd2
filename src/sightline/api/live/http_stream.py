"""`GET /api/live`: the live feed for clients without WebSockets, as Server-Sent Events or by long polling."""

import asyncio
import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from pydantic import BaseModel, Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform, documented_bearer
from sightline.api.live.admission import Admission
from sightline.api.live.handshake import CLIENT_ID, read_credential, read_event_id, read_patterns
from sightline.api.live.http_follower import HttpConnection, ending_with, until_gone
from sightline.api.live.presence import ClientLeft, while_present
from sightline.api.live.sse import EventStream
from sightline.api.live.transport import stopping_of, transport_of
from sightline.live import ConnectRequest, LiveHub, ResumePoint, stream_named

router = APIRouter(prefix="/api/live", tags=["live"])

LONGEST_WAIT_S = 55.0
MAX_ACKS = 1000
_EXAMPLE_MESSAGE = {"type": "event", "sequence": 58, "requires_ack": True, "data": {"id": 1, "risk_score": 85}}
_EXAMPLE_GAP = {
    "channel": "events",
    "epoch": "ab12cd34",
    "reason": "buffer_exceeded",
    "last_sequence": 42,
    "oldest_available": 158,
    "sequence": 257,
    "resync": "/api/live/events?after_sequence=42",
    "recovered": False,
}
_EXAMPLE_EVENTS = (
    'retry: 2000\n\ndata: {"type":"hello","data":{"protocol":1,"channel":"events","epoch":"ab12cd34","sequence":58}}\n\n'
    'data: {"type":"resumed","data":{"channel":"events","epoch":"ab12cd34","from":58,"to":58,"replayed":1,"recovered":true}}\n\n'
    'id: ab12cd34.58\ndata: {"type":"event","sequence":58,"requires_ack":true,"replay":true,"data":{"id":1}}\n\n'
)

ClientId = Annotated[str, Field(pattern=f"^{CLIENT_ID}$", examples=["kitchen-tablet"])]


class FollowQuery(BaseModel):
    stream: str = Field("events", examples=["events"], description="`events` or `videos`.")
    since: int | None = Field(
        None, ge=0, le=2**62, examples=[57], description="The last number that the client has; without it, from now on."
    )
    epoch: str | None = Field(None, max_length=64, examples=["ab12cd34"], description="The epoch of that number.")
    client_id: ClientId | None = Field(
        None,
        examples=["kitchen-tablet"],
        description="Name of this device; with it, acknowledgements are requested and stored.",
    )
    patterns: str | None = Field(
        None, max_length=6000, examples=["event,alert.*"], description="What to follow, comma-separated."
    )
    wait: float = Field(
        25.0, ge=0, le=LONGEST_WAIT_S, examples=[25], description="Maximum time to wait for a message, in seconds."
    )
    token: str | None = Field(
        None, examples=["eyJhbGciOi…"], description="For clients that cannot send an `Authorization` header."
    )


class NewsAnswer(BaseModel):
    stream: str = Field(examples=["events"])
    epoch: str = Field(description="Numbers of different epochs are not comparable.", examples=["ab12cd34"])
    sequence: int = Field(description="Pass it as `since` in the next request.", examples=[58])
    gap: dict[str, Any] | None = Field(
        description="Missed messages cannot be replayed: reload, from `resync`.",
        examples=[_EXAMPLE_GAP],
    )
    messages: list[dict[str, Any]] = Field(description="As `/ws/{stream}` sends them.", examples=[[_EXAMPLE_MESSAGE]])


class AcksBody(BaseModel):
    client_id: ClientId
    sequences: list[Annotated[int, Field(ge=1, le=2**62)]] = Field(
        min_length=1, max_length=MAX_ACKS, examples=[[58]], description="Sequence numbers of the received messages."
    )


class AcksAnswer(BaseModel):
    mark: int = Field(description="The highest number that this device acknowledged.", examples=[58])


@router.get(
    "",
    response_model=NewsAnswer,
    dependencies=[Depends(documented_bearer)],
    responses={200: {"content": {"text/event-stream": {"example": _EXAMPLE_EVENTS}}, "description": "What is new."}},
)
async def follow(
    request: Request,
    platform: CurrentPlatform,
    query: Annotated[FollowQuery, Query()],
    last_event_id: Annotated[
        str | None,
        Header(
            max_length=100, description="Sent by browsers that reconnect; overrides `since`.", examples=["ab12cd34.57"]
        ),
    ] = None,
) -> Response:
    """New messages of a stream, for clients without a WebSocket.

    With `Accept: text/event-stream` the response is a stream of events; otherwise it is returned as soon as there
    is a new message, or empty after `wait`. Numbers, replay, gaps and rights are those of `/ws/{stream}`.
    """
    admission: Admission = request.app.state.live_admission
    connection = HttpConnection(transport_of(request.scope))
    caller, ends_at = await admission.admit(read_credential(request.scope), request.scope, connection)
    stream = stream_named(query.stream).name
    hub = platform.live_hub
    position = None if query.since is None else ResumePoint(query.since, query.epoch or None)
    if last_event_id:
        position = read_event_id(last_event_id)
    connect_request = ConnectRequest(query.client_id, position, read_patterns(query.patterns))
    try:
        follower = await while_present(
            hub.follow(stream, connection, caller, connect_request, ends_at=ends_at),
            lambda: until_gone(request.receive),
            undo=lambda late: hub.leave(stream, late),
        )
    except ClientLeft:
        return Response()  # nobody reads it
    if "text/event-stream" in request.headers.get("accept", ""):
        return EventStream(hub, stream, follower, connection, is_return=position is not None)
    try:
        async with ending_with(connection, request.receive, stopping_of(request.scope)):
            news = await _news(connection, query.wait)
    finally:
        hub.leave(stream, follower)
    return Response(_answer(stream, news), media_type="application/json", headers={"cache-control": "no-store"})


@router.post("/{stream}/acks")
async def acknowledge(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    stream: Annotated[str, Path(description="`events` or `videos`.", examples=["events"])],
    body: AcksBody,
) -> AcksAnswer:
    """Acknowledge messages for a device that follows without a WebSocket."""
    hub: LiveHub = platform.live_hub
    return AcksAnswer(mark=await hub.acknowledge(stream, caller, body.client_id, set(body.sequences)))


async def _news(connection: HttpConnection, wait_s: float) -> list[bytes]:
    """All frames up to the first that is more than a greeting, with those that came along with it."""
    frames: list[bytes] = []
    try:
        async with asyncio.timeout(wait_s):
            while taken := await connection.take():
                frames += taken
                if any(_is_news(json.loads(frame)) for frame in taken):
                    break
    except TimeoutError:
        pass
    return frames


def _is_news(frame: dict[str, Any]) -> bool:
    return "sequence" in frame or frame["type"] == "gap"


def _answer(stream: str, frames: list[bytes]) -> bytes:
    """Where the client stands after these frames, by the rules of docs/live.md, and the messages among them."""
    epoch, sequence, gap, messages = "", 0, None, []
    for payload in frames:
        frame = json.loads(payload)
        if "sequence" in frame:
            messages.append(payload)
            if "redelivery" not in frame:
                sequence = max(sequence, frame["sequence"])
            continue
        match frame:
            case {"type": "hello", "data": data}:
                epoch, sequence = data["epoch"], data["sequence"]
            case {"type": "gap", "data": data}:
                epoch, sequence, gap = data["epoch"], data["sequence"], data
    head = json.dumps({"stream": stream, "epoch": epoch, "sequence": sequence, "gap": gap})
    return head[:-1].encode() + b', "messages": [' + b",".join(messages) + b"]}"
