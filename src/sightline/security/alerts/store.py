"""Reads and writes alert rules and alerts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, NotFound
from sightline.security.alerts.escalation import EscalationStep
from sightline.security.alerts.rule import AlertHours, AlertRule, Conditions, Severity
from sightline.security.events.event import Event

AlertState = Literal["pending", "delivered", "acknowledged", "dismissed"]
MAX_RULES = 500
MAX_PEOPLE = 500

_sql = load_queries(Path(__file__).with_name("alerts.sql"))


@dataclass(frozen=True, slots=True)
class NewRule:
    owner_id: UUID
    name: str
    conditions: Conditions
    owner_email: str | None = None
    team_id: UUID | None = None
    is_enabled: bool = True
    severity: Severity = "high"
    cooldown_s: int = 300
    escalate_after_s: int | None = 60
    escalation: tuple[EscalationStep, ...] = ()
    quiet_hours: AlertHours | None = None
    quiet_lets_critical: bool = True


@dataclass(frozen=True, slots=True)
class Alert:
    alert_id: int
    rule_id: int
    event_id: int
    owner_id: UUID
    dedup_key: str
    severity: Severity
    state: AlertState
    created_at: datetime
    delivered_at: datetime | None
    escalated_at: datetime | None
    settled_at: datetime | None
    settled_by: str | None


@dataclass(frozen=True, slots=True)
class MatchedRule:
    """A rule that an event met; `is_cooled_down` says that the alert was raised by an earlier event."""

    rule_id: int
    name: str
    severity: Severity
    alert_id: int
    is_cooled_down: bool


@dataclass(frozen=True, slots=True)
class PendingAlert:
    alert_id: int
    rule_id: int
    event_id: int
    owner_id: UUID
    owner_email: str | None
    rule_name: str
    is_overdue: bool
    is_member: bool

    def may_see(self, event: Event) -> bool:
        """Whether the rule's owner may still see the event."""
        return self.owner_id == event.owner_id or self.is_member


async def create_rule(tx: Transaction, new: NewRule) -> AlertRule:
    row = await _sql["insert_rule"].row(tx, owner_id=new.owner_id, owner_email=new.owner_email, **_columns(new))
    if row is None:
        raise Conflict(f"there is an alert rule {new.name!r} already")
    return _rule(row)


async def replace_rule(tx: Transaction, rule_id: int, new: NewRule) -> AlertRule:
    try:
        row = await _sql["update_rule"].row(tx, rule_id=rule_id, owner_id=new.owner_id, **_columns(new))
    except asyncpg.UniqueViolationError as error:
        raise Conflict(f"there is an alert rule {new.name!r} already") from error
    if row is None:
        raise unknown_rule(rule_id)
    return _rule(row)


async def need_rule(tx: Transaction, rule_id: int) -> AlertRule:
    row = await _sql["get_rule"].row(tx, rule_id=rule_id)
    if row is None:
        raise unknown_rule(rule_id)
    return _rule(row)


async def list_rules(tx: Transaction) -> list[AlertRule]:
    return [_rule(row) for row in await _sql["list_rules"].rows(tx, limit=MAX_RULES)]


async def delete_rule(tx: Transaction, rule_id: int, *, owner_id: UUID) -> None:
    if not await _sql["delete_rule"].run(tx, rule_id=rule_id, owner_id=owner_id):
        raise unknown_rule(rule_id)


async def snooze_rule(tx: Transaction, rule_id: int, until: datetime | None, *, owner_id: UUID) -> AlertRule:
    row = await _sql["snooze_rule"].row(tx, rule_id=rule_id, until=until, owner_id=owner_id)
    if row is None:
        raise unknown_rule(rule_id)
    return _rule(row)


async def members_of(tx: Transaction, team_id: UUID, people: Sequence[UUID]) -> set[UUID]:
    """Those of the people who belong to the team."""
    rows = await _sql["members_of"].rows(tx, team_id=team_id, people=list(people))
    return {row["person"] for row in rows}


async def team_people(tx: Transaction, team_ids: Sequence[UUID]) -> dict[UUID, dict[UUID, str | None]]:
    """The members of each team as last seen: their ids with their names."""
    found: dict[UUID, dict[UUID, str | None]] = {team_id: {} for team_id in team_ids}
    for row in await _sql["team_people"].rows(tx, team_ids=list(team_ids), limit=MAX_PEOPLE):
        found[row["team_id"]][row["user_id"]] = row["name"]
    return found


async def rules_for(tx: Transaction, event: Event) -> list[AlertRule]:
    rows = await _sql["rules_for"].rows(tx, owner_id=event.owner_id, team_id=event.team_id, event_id=event.id)
    return [_rule(row) for row in rows]


async def recent_alert(tx: Transaction, rule: AlertRule, event: Event) -> int | None:
    found: int | None = await _sql["recent_alert"].value(
        tx, dedup_key=rule.key(event), cooldown_s=float(rule.cooldown_s)
    )
    return found


async def insert_alert(tx: Transaction, rule: AlertRule, event: Event, severity: Severity) -> int:
    return int(
        await _sql["insert_alert"].value(
            tx,
            rule_id=rule.rule_id,
            event_id=event.id,
            owner_id=rule.owner_id,
            dedup_key=rule.key(event),
            severity=severity,
            escalate_after_s=None if rule.escalate_after_s is None or rule.escalation else float(rule.escalate_after_s),
            first_step_s=float(rule.escalation[0].after_s) if rule.escalation else None,
        )
    )


async def note_match(tx: Transaction, event_id: int, rule_id: int, alert_id: int) -> None:
    await _sql["note_match"].run(tx, event_id=event_id, rule_id=rule_id, alert_id=alert_id)


async def rules_of_event(tx: Transaction, event_id: int, *, owner_id: UUID) -> list[MatchedRule]:
    rows = await _sql["rules_of_event"].rows(tx, event_id=event_id, owner_id=owner_id)
    return [MatchedRule(**row) for row in rows]


async def need_alert(tx: Transaction, alert_id: int) -> Alert:
    row = await _sql["get_alert"].row(tx, alert_id=alert_id)
    if row is None:
        raise NotFound(f"no alert {alert_id}", code="ALERT_NOT_FOUND")
    return Alert(**row)


async def list_alerts(tx: Transaction, *, state: AlertState | None, before: int | None, limit: int) -> list[Alert]:
    return [Alert(**row) for row in await _sql["list_alerts"].rows(tx, state=state, before=before, limit=limit)]


async def settle_alert(
    tx: Transaction, alert_id: int, state: Literal["acknowledged", "dismissed"], *, by: str
) -> Alert:
    """By a person; from pending or delivered alone."""
    is_settled = await _sql["settle_alert"].value(tx, alert_id=alert_id, state=state, by=by) is not None
    alert = await need_alert(tx, alert_id)
    if not is_settled:
        raise Conflict(f"alert {alert_id} is {alert.state} already", details={"state": alert.state})
    return alert


async def pending_alerts(tx: Transaction, *, limit: int) -> list[PendingAlert]:
    return [PendingAlert(**row) for row in await _sql["pending_alerts"].rows(tx, limit=limit)]


async def mark_delivered(tx: Transaction, alert_id: int) -> None:
    await _sql["mark_delivered"].run(tx, alert_id=alert_id)


async def mark_escalated(tx: Transaction, alert_id: int) -> bool:
    return await _sql["mark_escalated"].run(tx, alert_id=alert_id) == 1


def unknown_rule(rule_id: int) -> NotFound:
    return NotFound(f"no alert rule {rule_id}", code="ALERT_RULE_NOT_FOUND")


def _columns(new: NewRule) -> dict[str, Any]:
    return {
        "team_id": new.team_id,
        "name": new.name,
        "is_enabled": new.is_enabled,
        "severity": new.severity,
        "conditions": new.conditions.model_dump(mode="json"),
        "cooldown_s": new.cooldown_s,
        "escalate_after_s": new.escalate_after_s,
        "escalation": [step.model_dump(mode="json") for step in new.escalation],
        "quiet_hours": None if new.quiet_hours is None else new.quiet_hours.model_dump(mode="json"),
        "quiet_lets_critical": new.quiet_lets_critical,
    }


def _rule(row: asyncpg.Record) -> AlertRule:
    hours = row["quiet_hours"]
    parsed = {
        "conditions": Conditions.model_validate(row["conditions"]),
        "escalation": read_steps(row["escalation"]),
        "quiet_hours": None if hours is None else AlertHours.model_validate(hours),
    }
    return AlertRule(**dict(row) | parsed)


def read_steps(stored: Sequence[Any]) -> tuple[EscalationStep, ...]:
    return tuple(EscalationStep.model_validate(step) for step in stored)
