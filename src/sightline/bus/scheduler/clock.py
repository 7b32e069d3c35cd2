"""The clock: calls the targets of rules and schedules that are due, once each, however many processes run it (ADR 0057).

A row says when it is due. One process locks it, calls its target and sets the next time in one transaction: a process that is
killed has done all of that or nothing. After a downtime the last missed time alone is made up for.
"""

import random
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from sightline.bus.endpoints.failure import TargetFailure, error_code
from sightline.bus.metrics import BusMetrics
from sightline.bus.names import new_id
from sightline.bus.postgres import PostgresBus
from sightline.bus.registry import Registry, rule_key
from sightline.bus.scheduler import rule_clocks, store
from sightline.bus.scheduler.calls import Invocation, calls_of, whole_call
from sightline.bus.scheduler.expressions import rule_ticks
from sightline.bus.scheduler.schedule import next_due, tick_to_fire
from sightline.db import Database, Listener
from sightline.errors import InvalidInput
from sightline.supervisor import Every, NextRun
from sightline.timing import Clock, utc_now

LOOK_AGAIN_S = 15.0

log = structlog.get_logger(__name__)


class BusClock:
    def __init__(
        self,
        bus: PostgresBus,
        database: Database,
        registry: Registry,
        *,
        metrics: BusMetrics | None = None,
        clock: Clock = utc_now,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """`chance` gives a number in [0, 1): where in its flexible time window a schedule fires."""
        self._bus = bus
        self._database = database
        self._registry = registry
        self._metrics = metrics or BusMetrics(None)
        self._clock = clock
        self._chance = chance

    def service(self, listener: Listener) -> Every:
        return Every(
            "bus-clock",
            LOOK_AGAIN_S,
            self.run_due,
            wake_on=lambda wake: listener.subscribe(store.CHANNEL, lambda _: wake()),
        )

    async def run_due(self) -> NextRun:
        while await self.fire_rule():
            pass
        while await self.fire_schedule():
            pass
        async with self._database.transaction() as tx:
            times = [await rule_clocks.next_due(tx), await store.next_due(tx)]
        now = self._clock()
        waits = [(one - now).total_seconds() for one in times if one is not None]
        return NextRun(min(max(min(waits, default=LOOK_AGAIN_S), 0.01), LOOK_AGAIN_S))

    async def fire_rule(self) -> bool:
        """Calls the targets of one rule that is due; False if none is."""
        now = self._clock()
        async with self._database.transaction() as tx:
            due = await rule_clocks.due(tx, now)
            if due is None:
                return False
            await self._registry.refresh()  # another process may just have put the rule, a target or a queue
            rule = self._registry.snapshot.rules.get(rule_key(due.event_bus, due.rule))
            ticks = rule_ticks(due.expression, anchor=due.anchor)
            at = ticks.latest(after=due.next_tick - timedelta(microseconds=1), until=now) or due.next_tick
            await rule_clocks.move(tx, due, ticks.next_after(max(at, now)))
            if rule is not None:
                try:
                    await self._bus.fire_rule(tx, rule, at)
                except InvalidInput as error:  # one rule must not stop the clock of all
                    log.error("bus_clock.refused", kind="rule", name=due.rule, error=str(error))
        self._note("rule", at, now)
        return True

    async def fire_schedule(self) -> bool:
        """Calls the target of one schedule that is due; False if none is."""
        now = self._clock()
        async with self._database.transaction() as tx:
            due = await store.due(tx, now)
            if due is None:
                return False
            await self._registry.refresh()  # another process may just have made what is called
            schedule = due.schedule
            assert due.next_tick is not None
            at = tick_to_fire(schedule, due.next_tick, now=now)
            invocation = Invocation(schedule, at, new_id(), self._registry.names)
            following = next_due(schedule, at, now=now, chance=self._chance)
            if following is None and schedule.deletes_itself:
                await store.remove(tx, schedule.account_id, schedule.group_name, schedule.name)
            else:
                await store.move(tx, schedule, following)
            try:
                await self._bus.call_targets(tx, calls_of(invocation))
            except (TargetFailure, InvalidInput) as error:
                await self._bus.fail_call(tx, whole_call(invocation), error_code(error), str(error))
        self._note("schedule", at, now)
        return True

    def _note(self, kind: str, at: datetime, now: datetime) -> None:
        self._metrics.clock_ticks.labels(kind).inc()
        self._metrics.clock_lateness.labels(kind).observe(max((now - at).total_seconds(), 0.0))
