"""The filters of lists and exports of events."""

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.security import EXAMPLE_TIME
from sightline.api.events.numbers import place_after
from sightline.contracts import Caller
from sightline.contracts.security_events import RiskLevel
from sightline.contracts.values import Moment
from sightline.db import Transaction
from sightline.errors import InvalidInput
from sightline.security import normalize_camera_id
from sightline.security.events import EventFilter, EventState

Text = Annotated[str, Field(pattern=r"^[^\x00]*$")]
Words = Annotated[list[Annotated[Text, Field(min_length=1, max_length=64)]], Field(max_length=50)]


class EventFilterQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    camera_id: str | None = Field(None, max_length=100, examples=["front_door"], description="Only of this camera.")
    risk_level: list[RiskLevel] | None = Field(None, examples=[["critical"]], description="Only of these levels.")
    state: list[EventState] | None = Field(
        None, examples=[["broadcasted"]], description="Only in these states; list `archived` by itself."
    )
    since: Moment | None = Field(None, examples=[EXAMPLE_TIME], description="Started then or later.")
    until: Moment | None = Field(None, examples=[EXAMPLE_TIME], description="Started before.")
    q: Text | None = Field(
        None, max_length=200, examples=["person night"], description="Words of summary and reasoning."
    )
    object: Words | None = Field(None, examples=[["person"]], description="One of these was seen.")
    zone: Words | None = Field(None, examples=[["Porch"]], description="In one of these zones.")
    behaviour: Words | None = Field(None, examples=[["loitering"]], description="One of these was observed.")
    assigned_to: str | None = Field(
        None, max_length=64, examples=["me"], description="A user id, `me`, `anyone` or `nobody`."
    )
    snoozed: bool | None = Field(None, examples=[False], description="Only snoozed events, or only others.")
    after_sequence: int | None = Field(
        None, ge=0, le=2**62, examples=[42], description="Published on the live stream after this number."
    )

    @property
    def is_archived(self) -> bool:
        states = self.state
        if states is not None and "archived" in states and states != ["archived"]:
            raise InvalidInput("state: list archived events separately, not together with live ones")
        return states == ["archived"]


async def event_filter(tx: Transaction, query: EventFilterQuery, caller: Caller) -> EventFilter:
    person, is_assigned = _assigned(query.assigned_to, caller)
    return EventFilter(
        camera_id=None if query.camera_id is None else normalize_camera_id(query.camera_id),
        risk_levels=query.risk_level,
        states=query.state,
        since=query.since,
        until=query.until,
        words=query.q,
        after_sequence=await place_after(tx, query.after_sequence),
        is_archived=query.is_archived,
        objects=None if query.object is None else [name.casefold() for name in query.object],
        zones=query.zone,
        behaviours=query.behaviour,
        assigned_to=person,
        is_assigned=is_assigned,
        is_snoozed=query.snoozed,
    )


def _assigned(text: str | None, caller: Caller) -> tuple[UUID | None, bool | None]:
    """The person, and whether there is one at all."""
    match text:
        case None:
            return None, None
        case "me":
            return caller.user_id, None
        case "anyone":
            return None, True
        case "nobody":
            return None, False
    try:
        return UUID(text), None
    except ValueError:
        raise InvalidInput("assigned_to: use a user id, me, anyone or nobody") from None
