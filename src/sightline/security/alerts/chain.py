"""The escalation chain: each due step notifies a person, until somebody acknowledges the event."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from sightline.db import Database, Transaction, load_queries
from sightline.live import LiveFeed
from sightline.security.alerts.escalation import EscalationStep, step_due_at
from sightline.security.alerts.rule import AlertHours, quiet_until
from sightline.security.alerts.store import read_steps
from sightline.security.durations import duration_words
from sightline.security.events.event import Event, escalated_message
from sightline.security.events.events_store import need_event
from sightline.security.events.history import record
from sightline.security.events.notifications import SecurityNotifications
from sightline.timing import Clock, utc_now

MAX_STEPS_PER_LOOK = 500

log = structlog.get_logger(__name__)

_sql = load_queries(Path(__file__).with_name("chain.sql"))


@dataclass(frozen=True, slots=True)
class DueStep:
    alert_id: int
    event_id: int
    created_at: datetime
    next_step: int
    owner_id: UUID
    owner_email: str | None
    team_id: UUID | None
    rule_name: str
    escalation: list[Any]
    quiet_hours: dict[str, Any] | None
    quiet_lets_critical: bool
    is_member: bool

    @property
    def steps(self) -> tuple[EscalationStep, ...]:
        """As the rule has them now: an edited rule changes what is still to come."""
        return read_steps(self.escalation)


class EscalationChain:
    """Any number may run: a step is taken by one of them, in a transaction with its notification, history and live message."""

    def __init__(
        self, database: Database, live: LiveFeed, notifications: SecurityNotifications, *, clock: Clock = utc_now
    ) -> None:
        self._database = database
        self._live = live
        self._notifications = notifications
        self._clock = clock

    async def take_due_steps(self) -> int:
        """Returns how many steps notified somebody."""
        taken = 0
        for _ in range(MAX_STEPS_PER_LOOK):
            async with self._database.transaction() as tx:
                row = await _sql["claim_step"].row(tx)
                if row is None:
                    break
                taken += await self._take(tx, DueStep(**row))
        return taken

    async def _take(self, tx: Transaction, due: DueStep) -> bool:
        await _sql["share_event"].run(tx, event_id=due.event_id)
        event = await need_event(tx, due.event_id)
        steps = due.steps
        may_see = due.owner_id == event.owner_id or (due.is_member and due.team_id == event.team_id)
        if event.acknowledged_at is not None or not may_see or due.next_step >= len(steps):
            await self._move(tx, due, due.next_step, None)
            return False
        hours = None if due.quiet_hours is None else AlertHours.model_validate(due.quiet_hours)
        held_until = quiet_until(
            hours,
            lets_critical=due.quiet_lets_critical,
            is_critical=event.risk_level == "critical",
            now=self._clock(),
        )
        if held_until is not None:
            await self._move(tx, due, due.next_step, held_until)
            return False
        following = due.next_step + 1
        await self._move(tx, due, following, step_due_at(steps, following, due.created_at), is_taken=True)
        await self._notify(tx, due, steps[due.next_step], event)
        await record(tx, event.id, "escalated", step=following)
        await self._live.append(tx, escalated_message(event, following))
        log.warning("security.alert_escalated", alert_id=due.alert_id, event_id=event.id, step=following)
        return True

    async def _notify(self, tx: Transaction, due: DueStep, step: EscalationStep, event: Event) -> None:
        """A recipient who may not see the event (any more) is replaced by the rule's owner: somebody has to hear of it."""
        user_id, email = due.owner_id, due.owner_email
        may_see = step.user_id == event.owner_id or due.team_id == event.team_id
        if step.user_id not in (None, due.owner_id) and may_see:
            member = await _sql["recipient"].row(tx, user_id=step.user_id, team_id=due.team_id)
            if member is not None:
                user_id, email = step.user_id, member["name"]
        await self._notifications.publish(
            tx,
            event,
            user_id=user_id,
            user_email=email,
            level="critical",
            summary=f"Not acknowledged after {duration_words(step.after_s)} ({due.rule_name}): {event.summary}",
            thumbnail_key=event.picture_key,
            repeat_key=f"escalated-{due.alert_id}-{due.next_step + 1}",
            channel=step.channel,
        )

    async def _move(
        self, tx: Transaction, due: DueStep, next_step: int, due_at: datetime | None, *, is_taken: bool = False
    ) -> None:
        await _sql["move_step"].run(tx, alert_id=due.alert_id, next_step=next_step, due_at=due_at, is_taken=is_taken)
