"""Escalation of an alert: the steps that are taken until a person acknowledges its event. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from sightline.errors import InvalidInput

MAX_STEPS = 10
MAX_STEP_S = 7 * 86_400

EscalationChannel = Literal["email", "ntfy", "webhook"]


class EscalationStep(BaseModel):
    """Who is notified when nobody has acknowledged the event after so long."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    after_s: int = Field(ge=1, le=MAX_STEP_S, examples=[300], description="Seconds after the alert.")
    user_id: UUID | None = Field(
        None, examples=[None], description="A member of the rule's team. Null: the rule's owner."
    )
    channel: EscalationChannel | None = Field(
        None, examples=["email"], description="Null: the channels that this person chose."
    )


def check_steps(steps: Sequence[EscalationStep]) -> None:
    """Each step is later than the one before."""
    if any(later.after_s <= earlier.after_s for earlier, later in pairwise(steps)):
        raise InvalidInput("escalation: each step needs a later after_s than the one before")


def step_due_at(steps: Sequence[EscalationStep], number: int, raised_at: datetime) -> datetime | None:
    """When a step is due; None after the last."""
    return raised_at + timedelta(seconds=steps[number].after_s) if number < len(steps) else None
