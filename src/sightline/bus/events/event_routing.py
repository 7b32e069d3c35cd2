"""Routing of events through the rules of clients: to targets, on to other event buses, and into archives. Pure."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sightline.bus.events.bus_policy import permits
from sightline.bus.events.rule_index import RuleIndex
from sightline.bus.events.target_call import TargetCall, TargetRouter
from sightline.bus.events.target_input import NotJson, Occasion, target_input
from sightline.bus.message import TopicMessage
from sightline.bus.names import DEFAULT_EVENT_BUS, Names
from sightline.bus.registry.resources import RegisteredRule
from sightline.bus.registry.snapshot import Snapshot
from sightline.bus.routed import Routed
from sightline.timing import iso_utc

MAX_BUSES = 25
"""An event goes through no more event buses than this, and through none twice: rules may lead in circles."""


class Archived(NamedTuple):
    archive_id: UUID
    at: datetime
    event: str


@dataclass(frozen=True, slots=True)
class RoutableEvent:
    content: Mapping[str, Any]
    body: str
    at: datetime
    """When it was put."""
    happened_at: datetime
    trace_header: str | None = None
    only_rules: frozenset[str] | None = None
    """ARNs of the rules that a replay is for; None means all."""
    is_replay: bool = False


class EventRouter:
    def __init__(self, snapshot: Callable[[], Snapshot], names: Names) -> None:
        self._snapshot = snapshot
        self._names = names
        self._index = RuleIndex(snapshot)
        self.targets = TargetRouter(snapshot, names)

    def has_event_bus(self, event_bus: str) -> bool:
        """Every account has a default event bus."""
        return event_bus in self._snapshot().event_buses or self._names.split(event_bus)[1] == DEFAULT_EVENT_BUS

    def route(self, event: RoutableEvent, event_bus: str) -> Iterator[Routed | TopicMessage | Archived]:
        waiting, seen = [event_bus], {event_bus}
        while waiting:
            event_bus = waiting.pop(0)
            if not event.is_replay:
                for archive in self._index.archives(event_bus, event.content):
                    yield Archived(archive.id, event.happened_at, event.body)
            for rule in self._index.rules(event_bus, event.content):
                arn = self._names.rule_arn(rule.event_bus, rule.name)
                if event.only_rules is not None and arn not in event.only_rules:
                    continue
                for target in rule.targets:
                    call = self._call(event, rule, arn, target)
                    if isinstance(call, Routed):
                        yield call
                    elif call.kind != "event-bus":
                        yield from self.targets.route(call)
                    elif (refusal := self.refusal(call)) is not None:
                        yield refusal
                    elif (further := self._names.local_name_of(call.arn)) not in seen and len(seen) < MAX_BUSES:
                        seen.add(further)
                        waiting.append(further)

    def scheduled(
        self, rule: RegisteredRule, content: Mapping[str, Any], body: str, at: datetime
    ) -> list[TargetCall | Routed]:
        """The calls of a rule's targets when its schedule is due."""
        arn = self._names.rule_arn(rule.event_bus, rule.name)
        event = RoutableEvent(content, body, at, at)
        return [self._call(event, rule, arn, target) for target in rule.targets]

    def _call(
        self, event: RoutableEvent, rule: RegisteredRule, arn: str, target: Mapping[str, Any]
    ) -> TargetCall | Routed:
        """The call of a target; a delivery to the dead letters if its input cannot be made."""
        occasion = Occasion(event.content, arn, rule.name, iso_utc(event.at))
        try:
            body = target_input(target, event.body, occasion)
        except NotJson as error:
            whole = TargetCall("events", arn, rule.account_id, target, event.body)
            return self.targets.failed(whole, "INVALID_JSON", str(error))
        return TargetCall("events", arn, rule.account_id, target, body, event.trace_header)

    def may_forward(self, call: TargetCall) -> bool:
        return call.kind == "event-bus" and self.refusal(call) is None

    def refusal(self, call: TargetCall) -> Routed | None:
        """Where an event may not go on: the event bus is gone, or of an account that does not permit it."""
        name = self._names.local_name_of(call.arn)
        if not self.has_event_bus(name):
            return self.targets.failed(call, "NO_RESOURCE", f"Event bus {call.arn} does not exist.")
        if self._names.split(name)[0] != call.account_id:
            bus = self._snapshot().event_buses.get(name)
            if bus is None or not permits(bus.attributes.get("Policy"), call.account_id):
                return self.targets.failed(call, "NO_PERMISSIONS", f"Not authorized to put events on {call.arn}.")
        return None
