"""Rules and archives of event buses that an event matches. Pure; compiled when an event bus is first used, and when it changes."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from sightline.bus.policy import PatternIndex, compile_event_pattern
from sightline.bus.registry.resources import RegisteredArchive, RegisteredRule
from sightline.bus.registry.snapshot import Snapshot

Matched = TypeVar("Matched", RegisteredRule, RegisteredArchive)


class _BusIndex(Generic[Matched]):
    """Resources of each event bus by pattern, with what they were compiled from."""

    def __init__(self) -> None:
        self._compiled: dict[str, tuple[object, PatternIndex[str], Mapping[str, Matched]]] = {}

    def matching(
        self, event_bus: str, resources: tuple[Matched, ...] | None, event: Mapping[str, Any]
    ) -> Iterator[Matched]:
        if resources is None:
            self._compiled.pop(event_bus, None)
            return
        compiled = self._compiled.get(event_bus)
        if compiled is None or compiled[0] is not resources:
            index: PatternIndex[str] = PatternIndex()
            for one in resources:
                if one.pattern is not None:
                    index.add(one.name, compile_event_pattern(one.pattern))
            compiled = self._compiled[event_bus] = (resources, index, {one.name: one for one in resources})
        _, index, by_name = compiled
        matches = index.matching(event)
        yield from (one for name, one in sorted(by_name.items()) if one.pattern is None or name in matches)


class RuleIndex:
    """Where an event bus has no rule of a client and no archive, asking costs two lookups."""

    def __init__(self, snapshot: Callable[[], Snapshot]) -> None:
        self._snapshot = snapshot
        self._rules: _BusIndex[RegisteredRule] = _BusIndex()
        self._archives: _BusIndex[RegisteredArchive] = _BusIndex()

    def rules(self, event_bus: str, event: Mapping[str, Any]) -> Iterator[RegisteredRule]:
        return self._rules.matching(event_bus, self._snapshot().client_rules.get(event_bus), event)

    def archives(self, event_bus: str, event: Mapping[str, Any]) -> Iterator[RegisteredArchive]:
        return self._archives.matching(event_bus, self._snapshot().archives_of_bus.get(event_bus), event)
