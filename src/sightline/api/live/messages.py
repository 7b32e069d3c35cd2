"""Stored messages of the live feed over HTTP: for clients that have a gap or do not keep a connection."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.live import Numbered, epoch_for, read_numbered, stream_named, stream_state

router = APIRouter(prefix="/api/live", tags=["live"])

_EXAMPLE_DATA = {"id": 1, "event_id": 1, "camera_id": "front_door", "risk_score": 85, "risk_level": "critical"}


class LiveMessageAnswer(BaseModel):
    """As `/ws/{stream}` sends it."""

    type: str = Field(examples=["event"])
    sequence: int = Field(examples=[42])
    requires_ack: bool = Field(examples=[True])
    data: dict[str, Any] = Field(examples=[_EXAMPLE_DATA])


class LiveAnswer(BaseModel):
    stream: str = Field(examples=["events"])
    epoch: str = Field(description="Numbers of different epochs are not comparable.", examples=["ab12cd34"])
    sequence: int = Field(description="The last number of the stream for the caller.", examples=[57])
    oldest: int = Field(description="The oldest stored number of the stream for the caller.", examples=[1])
    is_complete: bool = Field(description="No message after `after_sequence` has been deleted.", examples=[True])
    has_more: bool = Field(description="There are more; request those after the last one.", examples=[False])
    messages: list[LiveMessageAnswer]


@router.get("/{stream}")
async def live_messages(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    stream: Annotated[str, Path(description="`events` or `videos`.", examples=["events"])],
    after_sequence: Annotated[
        int, Query(ge=0, le=2**62, description="The last number that the client has.", examples=[42])
    ] = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="Maximum number of messages.", examples=[100])] = 100,
) -> LiveAnswer:
    """Messages of a stream after a number, as far as the caller may see them, oldest first."""
    name = stream_named(stream).name
    async with platform.database.transaction() as tx:
        await stream_state(tx, name)  # a stream that nothing was said on yet gets its row
    async with platform.database.as_caller(caller.claims()) as tx:
        state, found = await read_numbered(tx, name, after=after_sequence, limit=limit + 1)
    return LiveAnswer(
        stream=name,
        epoch=epoch_for(state.epoch, caller.visible_team_ids),
        sequence=state.top,
        oldest=state.oldest,
        is_complete=after_sequence >= state.oldest - 1,
        has_more=len(found) > limit,
        messages=[_answer(one) for one in found[:limit]],
    )


def _answer(one: Numbered) -> LiveMessageAnswer:
    message = one.message
    return LiveMessageAnswer(
        type=message.type,
        sequence=one.number,
        requires_ack=message.requires_ack,
        data=json.loads(message.data),
    )
