"""Alert rules, tests of them on recent events, and their alerts."""

from datetime import timedelta
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.security import (
    AlertAnswer,
    AlertRuleAnswer,
    AlertsAnswer,
    AssigneeAnswer,
    RecipientsAnswer,
    RulesAnswer,
    RuleTestAnswer,
    RuleTrialAnswer,
    TeamAnswer,
    TriedAnswer,
)
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.events.access import name_of, shown_events
from sightline.api.events.snooze_body import SnoozeUntil
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.contracts.values import Name
from sightline.db import Transaction
from sightline.errors import InvalidInput, NotAllowed
from sightline.security.alerts import (
    MAX_STEPS,
    AlertHours,
    AlertState,
    Conditions,
    EscalationStep,
    NewRule,
    Severity,
    check_steps,
    create_rule,
    delete_rule,
    list_alerts,
    list_rules,
    members_of,
    need_alert,
    need_rule,
    recent_events,
    replace_rule,
    settle_alert,
    snooze_rule,
    team_people,
    try_rule,
    unmet_conditions,
)
from sightline.timing import utc_now

router = APIRouter(prefix="/api", tags=["security events"])

RuleId = Annotated[int, Path(ge=1, le=2**62, description="The rule's id.", examples=[1])]
AlertId = Annotated[int, Path(ge=1, le=2**62, description="The alert's id.", examples=[1])]


class RuleBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name = Field(examples=["People at night"])
    conditions: Conditions = Field(default_factory=Conditions, description="All of them must match.")
    is_enabled: bool = Field(True, examples=[True])
    severity: Severity = Field("high", examples=["high"], description="Priority of the notifications.")
    cooldown_s: int = Field(
        300,
        ge=0,
        le=86_400,
        examples=[300],
        description="Seconds in which further matches at the same camera belong to the same alert.",
    )
    escalate_after_s: int | None = Field(
        60,
        ge=1,
        le=86_400,
        examples=[60],
        description="Seconds after which people are notified again, with high priority, if no client has received the event. "
        "Null: never.",
    )
    escalation: tuple[EscalationStep, ...] = Field(
        (),
        max_length=MAX_STEPS,
        examples=[[{"after_s": 300}, {"after_s": 900, "channel": "email"}]],
        description="Who is notified after how long if nobody has acknowledged the event. Replaces `escalate_after_s`.",
    )
    quiet_hours: AlertHours | None = Field(
        None,
        examples=[{"start": "22:00", "end": "07:00", "zone": "Europe/Berlin"}],
        description="Then alerts are recorded and notify nobody; steps of the escalation wait.",
    )
    quiet_lets_critical: bool = Field(True, examples=[True], description="Critical events pass quiet hours.")
    team_id: UUID | None = Field(
        None, examples=[None], description="One of the caller's teams: the rule also applies to its cameras."
    )


class TrialBody(RuleBody):
    name: Name = Field("Trial", examples=["People at night"])
    days: int = Field(7, ge=1, le=30, examples=[7], description="How many days back.")


@router.post("/alert-rules", status_code=201)
async def new_rule(platform: CurrentPlatform, caller: CurrentCaller, body: RuleBody) -> AlertRuleAnswer:
    """Add a rule. It applies to new events of the caller's cameras."""
    new = _said(caller, body)
    async with platform.database.transaction() as tx:
        await _check_recipients(tx, new)
        return AlertRuleAnswer.of(await create_rule(tx, new))


@router.get("/alert-rules")
async def rules(tx: CallerTransaction) -> RulesAnswer:
    """The caller's rules."""
    return RulesAnswer(rules=[AlertRuleAnswer.of(rule) for rule in await list_rules(tx)])


@router.get("/alert-rules/recipients")
async def recipients(platform: CurrentPlatform, caller: CurrentCaller) -> RecipientsAnswer:
    """The caller's teams: whose cameras a rule may watch, and to whom the steps of its escalation may go."""
    async with (
        platform.database.transaction() as tx
    ):  # members of a team see each other's names, though not their claims
        teams = await team_people(tx, sorted(caller.team_ids))
    return RecipientsAnswer(
        teams=[
            TeamAnswer(
                team_id=str(team_id),
                people=[AssigneeAnswer(user_id=str(person), name=name) for person, name in people.items()],
            )
            for team_id, people in teams.items()
        ]
    )


@router.get("/alert-rules/{rule_id}")
async def rule(tx: CallerTransaction, rule_id: RuleId) -> AlertRuleAnswer:
    """One of the caller's rules."""
    return AlertRuleAnswer.of(await need_rule(tx, rule_id))


@router.put("/alert-rules/{rule_id}")
async def change_rule(
    platform: CurrentPlatform, caller: CurrentCaller, rule_id: RuleId, body: RuleBody
) -> AlertRuleAnswer:
    """Replace a rule. A paused rule may keep the team that its owner has left."""
    async with platform.database.as_caller(caller.claims()) as tx:
        known = await need_rule(tx, rule_id)
    new = _said(caller, body, kept_team=known.team_id)
    async with platform.database.transaction() as tx:
        await _check_recipients(tx, new)
        return AlertRuleAnswer.of(await replace_rule(tx, rule_id, new))


@router.delete("/alert-rules/{rule_id}", status_code=204)
async def remove_rule(platform: CurrentPlatform, caller: CurrentCaller, rule_id: RuleId) -> None:
    """Remove a rule with its alerts."""
    async with platform.database.transaction() as tx:
        await delete_rule(tx, rule_id, owner_id=caller.user_id)


@router.patch("/alert-rules/{rule_id}/snooze")
async def snooze(
    platform: CurrentPlatform, caller: CurrentCaller, rule_id: RuleId, body: SnoozeUntil
) -> AlertRuleAnswer:
    """No alerts of this rule until a moment; without one, alerts again."""
    async with platform.database.transaction() as tx:
        return AlertRuleAnswer.of(await snooze_rule(tx, rule_id, body.moment, owner_id=caller.user_id))


@router.post("/alert-rules/trial")
async def try_unsaved_rule(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    caller: CurrentCaller,
    body: TrialBody,
    limit: Annotated[int, Query(ge=0, le=100, description="How many events to return.", examples=[20])] = 20,
) -> RuleTrialAnswer:
    """How often a rule would have alerted in the last days, before it is saved. Changes nothing."""
    tried = await try_rule(tx, _said(caller, body), since=utc_now() - timedelta(days=body.days))
    return RuleTrialAnswer(
        days=body.days,
        looked_at=tried.looked_at,
        matched=len(tried.matched),
        fired=len(tried.fired),
        quiet=tried.quiet,
        is_complete=tried.is_complete,
        events=await shown_events(platform, tx, tried.fired[:limit]),
    )


@router.post("/alert-rules/{rule_id}/test")
async def try_saved_rule(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    rule_id: RuleId,
    limit: Annotated[int, Query(ge=1, le=100, description="How many recent events.", examples=[20])] = 20,
) -> RuleTestAnswer:
    """Which of the newest events the rule would have matched, and why it would not have matched the others."""
    found = await need_rule(tx, rule_id)
    seen = await recent_events(tx, limit=limit)
    events = await shown_events(platform, tx, [one.event for one in seen])
    missing = [(event, unmet_conditions(found.conditions, one)) for event, one in zip(events, seen, strict=True)]
    return RuleTestAnswer(
        looked_at=len(seen),
        matched=[event for event, names in missing if not names],
        others=[TriedAnswer(event=event, unmet=names) for event, names in missing if names],
    )


@router.get("/alerts")
async def alerts(
    tx: CallerTransaction,
    state: Annotated[AlertState | None, Query(description="Only with this status.", examples=["pending"])] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="Maximum number of results.", examples=[50])] = 50,
    cursor: Annotated[
        int | None, Query(ge=1, le=2**62, description="`next_cursor` of the previous page.", examples=[17])
    ] = None,
) -> AlertsAnswer:
    """The newest alerts of the caller's rules."""
    found = await list_alerts(tx, state=state, before=cursor, limit=limit + 1)
    shown = found[:limit]
    following = shown[-1].alert_id if len(found) > len(shown) else None
    return AlertsAnswer(alerts=[AlertAnswer.of(alert) for alert in shown], next_cursor=following)


@router.patch("/alerts/{alert_id}/acknowledge")
async def acknowledge_alert(platform: CurrentPlatform, caller: CurrentCaller, alert_id: AlertId) -> AlertAnswer:
    """Acknowledge an alert that is pending or delivered; otherwise 409."""
    await _check_visible(platform, caller, alert_id)
    async with platform.database.transaction() as tx:
        return AlertAnswer.of(await settle_alert(tx, alert_id, "acknowledged", by=name_of(caller)))


@router.patch("/alerts/{alert_id}/dismiss")
async def dismiss_alert(platform: CurrentPlatform, caller: CurrentCaller, alert_id: AlertId) -> AlertAnswer:
    """Dismiss an alert that is pending or delivered; otherwise 409."""
    await _check_visible(platform, caller, alert_id)
    async with platform.database.transaction() as tx:
        return AlertAnswer.of(await settle_alert(tx, alert_id, "dismissed", by=name_of(caller)))


def _said(caller: Caller, body: RuleBody, *, kept_team: UUID | None = None) -> NewRule:
    check_steps(body.escalation)
    if body.team_id not in (None, kept_team, *caller.team_ids):
        raise NotAllowed(f"you are not a member of team {body.team_id}")
    return NewRule(
        owner_id=caller.user_id,
        owner_email=caller.email,
        team_id=body.team_id,
        name=body.name,
        conditions=body.conditions,
        is_enabled=body.is_enabled,
        severity=body.severity,
        cooldown_s=body.cooldown_s,
        escalate_after_s=body.escalate_after_s,
        escalation=body.escalation,
        quiet_hours=body.quiet_hours,
        quiet_lets_critical=body.quiet_lets_critical,
    )


async def _check_recipients(tx: Transaction, rule: NewRule) -> None:
    """A step notifies the rule's owner, or somebody of the rule's team."""
    named = [step.user_id for step in rule.escalation if step.user_id is not None]
    people = [person for person in named if person != rule.owner_id]
    known = await members_of(tx, rule.team_id, people) if rule.team_id is not None and people else set()
    for person in people:
        if person not in known:
            raise InvalidInput(f"escalation: {person} is not a member of the rule's team")


async def _check_visible(platform: Platform, caller: Caller, alert_id: int) -> None:
    async with platform.database.as_caller(caller.claims()) as tx:
        await need_alert(tx, alert_id)
