"""Several security events at once."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.events.access import actor_of, check_visible, name_of
from sightline.errors import Conflict, NotFound

MAX_EVENTS = 200

router = APIRouter(prefix="/api/events", tags=["security events"])

EventNumber = Annotated[int, Field(ge=1, le=2**62)]


class AcknowledgeManyBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ids: list[EventNumber] = Field(
        min_length=1, max_length=MAX_EVENTS, examples=[[1, 2]], description="Ids of events. A repeated one counts once."
    )


class AcknowledgedAnswer(BaseModel):
    """What became of one event."""

    event_id: int = Field(examples=[1])
    is_done: bool = Field(examples=[True], description="Whether it is acknowledged now, by this request or before.")
    state: str | None = Field(examples=["acknowledged"], description="Null if the caller may not see the event.")
    version: int | None = Field(examples=[2])
    code: str | None = Field(None, examples=[None], description="Why not: EVENT_NOT_FOUND or CONFLICT.")
    message: str | None = Field(None, examples=[None], description="Why not, in words.")


class AcknowledgedManyAnswer(BaseModel):
    results: list[AcknowledgedAnswer] = Field(description="One for each id, in the order of the request.")


@router.post("/acknowledge")
async def acknowledge_many(
    platform: CurrentPlatform, caller: CurrentCaller, body: AcknowledgeManyBody
) -> AcknowledgedManyAnswer:
    """Acknowledge several events. Each is decided by itself: one that cannot be acknowledged stops no other."""
    results = []
    for event_id in dict.fromkeys(body.ids):
        try:
            await check_visible(platform, caller, event_id)
            event = await platform.security.lifecycle.acknowledge(event_id, by=name_of(caller), actor=actor_of(caller))
        except NotFound as error:
            results.append(_refused(event_id, "EVENT_NOT_FOUND", error.message))
        except Conflict as error:
            known = error.details or {}
            refused = _refused(event_id, "CONFLICT", error.message)
            results.append(refused.model_copy(update={name: known.get(name) for name in ("state", "version")}))
        else:
            results.append(
                AcknowledgedAnswer(event_id=event_id, is_done=True, state=event.state, version=event.version)
            )
    return AcknowledgedManyAnswer(results=results)


def _refused(event_id: int, code: str, message: str) -> AcknowledgedAnswer:
    return AcknowledgedAnswer(event_id=event_id, is_done=False, state=None, version=None, code=code, message=message)
