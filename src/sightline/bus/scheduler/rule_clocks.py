"""Store of the clocks of rules with a schedule."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from sightline.bus.registry.resources import RegisteredRule
from sightline.bus.scheduler.expressions import rule_ticks
from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("rule_clocks.sql"))


class RuleClock(NamedTuple):
    event_bus: str
    rule: str
    expression: str
    anchor: datetime
    next_tick: datetime


async def follow_rule(tx: Transaction, rule: RegisteredRule, *, now: datetime) -> None:
    """Sets the clock of a rule that was put, enabled or disabled; one that did not change runs on."""
    where = {"event_bus": rule.event_bus, "rule": rule.name}
    if rule.schedule is None:
        await _sql["remove"].run(tx, **where)
        return
    found = await _sql["find"].row(tx, **where)
    if (
        found is not None
        and found["expression"] == rule.schedule
        and rule.is_enabled == (found["next_tick"] is not None)
    ):
        return
    await _sql["notify"].value(tx)
    next_tick = rule_ticks(rule.schedule, anchor=now).next_after(now) if rule.is_enabled else None
    await _sql["put"].run(tx, **where, expression=rule.schedule, anchor=now, next_tick=next_tick)


async def due(tx: Transaction, now: datetime) -> RuleClock | None:
    row = await _sql["due"].row(tx, now=now)
    return None if row is None else RuleClock(**row)


async def move(tx: Transaction, clock: RuleClock, next_tick: datetime | None) -> None:
    await _sql["move"].run(tx, event_bus=clock.event_bus, rule=clock.rule, next_tick=next_tick)


async def next_due(tx: Transaction) -> datetime | None:
    found: datetime | None = await _sql["next_due"].value(tx)
    return found
