"""Rows of the registry: reading what changed, writing and removing resources."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.bus.names import Names
from sightline.bus.queue_attributes import queue_settings
from sightline.bus.registry.resources import (
    RegisteredArchive,
    RegisteredEventBus,
    RegisteredQueue,
    RegisteredRule,
    RegisteredSubscription,
    RegisteredTopic,
    Resource,
    kind_of,
)
from sightline.bus.registry.snapshot import Removal
from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("registry.sql"))


async def lock_changes(tx: Transaction) -> None:
    await _sql["lock_changes"].value(tx)


async def notify_changes(tx: Transaction) -> None:
    await _sql["notify_changes"].value(tx)


async def read_changes(tx: Transaction, names: Names, version: int) -> tuple[int, Sequence[Resource | Removal]]:
    """The version up to which was read, and what changed since the given one."""
    rows = await _sql["changes"].rows(tx, version=version)
    changes = [_resource(row["kind"], row["content"], names) for row in rows]
    return (rows[-1]["version"] if rows else version), changes


async def put(tx: Transaction, resource: Resource) -> None:
    values: dict[str, Any]
    match resource:
        case RegisteredQueue():
            values = {
                "name": resource.name,
                "is_dead_letter": resource.settings.is_dead_letter,
                "is_fifo": resource.settings.is_fifo,
                "keeps_age": resource.settings.keeps_age,
                "retention_s": resource.settings.retention_s,
                "purged_at": resource.purged_at,
                "tags": dict(resource.tags),
            }
        case RegisteredTopic():
            values = {"name": resource.name, "is_fifo": resource.is_fifo, "tags": dict(resource.tags)}
        case RegisteredSubscription():
            values = {
                "subscription_id": resource.id,
                "topic": resource.topic,
                "protocol": resource.protocol,
                "endpoint": resource.endpoint,
                "is_confirmed": resource.is_confirmed,
                "filter_policy": resource.filter_policy,
                "filter_scope": resource.filter_scope,
                "is_raw": resource.is_raw,
                "dead_letter_arn": resource.dead_letter_arn,
            }
        case RegisteredEventBus():
            values = {"name": resource.name, "tags": dict(resource.tags)}
        case RegisteredRule():
            values = {
                "event_bus": resource.event_bus,
                "name": resource.name,
                "is_enabled": resource.is_enabled,
                "pattern": resource.pattern,
                "schedule": resource.schedule,
                "targets": [dict(target) for target in resource.targets],
                "tags": dict(resource.tags),
            }
        case RegisteredArchive():
            values = {
                "name": resource.name,
                "archive_id": resource.id,
                "event_bus": resource.event_bus,
                "pattern": resource.pattern,
                "retention_days": resource.retention_days,
            }
    await _sql[f"put_{kind_of(resource)}"].run(
        tx,
        account_id=resource.account_id,
        is_declared=resource.is_declared,
        attributes=dict(resource.attributes),
        **values,
    )


async def remove(tx: Transaction, resource: Resource) -> None:
    await _sql[f"remove_{kind_of(resource)}"].run(tx, key=resource.key)


async def removed_at(tx: Transaction, kind: str, key: str) -> datetime | None:
    found: datetime | None = await _sql["removed_at"].value(tx, kind=kind, key=key)
    return found


async def forget_removals(tx: Transaction, *, after_s: float) -> None:
    await _sql["forget_removals"].run(tx, seconds=after_s)


async def account_of_owner(tx: Transaction, owner_id: UUID) -> str | None:
    found: str | None = await _sql["account_of_owner"].value(tx, owner_id=owner_id)
    return found


async def owners(tx: Transaction) -> dict[str, UUID]:
    """The owner of each account that was used."""
    return {row["account_id"]: row["owner_id"] for row in await _sql["accounts"].rows(tx)}


async def add_account(tx: Transaction, account_id: str, owner_id: UUID) -> None:
    await _sql["add_account"].run(tx, account_id=account_id, owner_id=owner_id)


def _resource(kind: str, row: dict[str, Any], names: Names) -> Resource | Removal:
    if kind == "removal":
        return Removal(row["kind"], row["key"])
    common = {
        "account_id": row["account_id"],
        "is_declared": row["is_declared"],
        "attributes": row["attributes"],
        "created_at": datetime.fromisoformat(row["created_at"]),
    }
    match kind:
        case "queue":
            settings = queue_settings(row["name"], row["attributes"], names)
            return RegisteredQueue(
                name=row["name"],
                settings=replace(
                    settings,
                    is_dead_letter=row["is_dead_letter"],
                    is_declared=row["is_declared"],
                    is_fifo=row["is_fifo"],
                ),
                id=row["id"],
                changed_at=datetime.fromisoformat(row["changed_at"]),
                purged_at=None if row["purged_at"] is None else datetime.fromisoformat(row["purged_at"]),
                tags=row["tags"],
                **common,
            )
        case "topic":
            return RegisteredTopic(name=row["name"], is_fifo=row["is_fifo"], tags=row["tags"], **common)
        case "subscription":
            return RegisteredSubscription(
                id=UUID(row["subscription_id"]),
                topic=row["topic"],
                protocol=row["protocol"],
                endpoint=row["endpoint"],
                is_confirmed=row["is_confirmed"],
                filter_policy=row["filter_policy"],
                filter_scope=row["filter_scope"],
                is_raw=row["is_raw"],
                dead_letter_arn=row["dead_letter_arn"],
                **common,
            )
        case "event_bus":
            return RegisteredEventBus(name=row["name"], tags=row["tags"], **common)
        case "archive":
            return RegisteredArchive(
                name=row["name"],
                event_bus=row["event_bus"],
                id=UUID(row["archive_id"]),
                pattern=row["pattern"],
                retention_days=row["retention_days"],
                **common,
            )
        case _:
            return RegisteredRule(
                event_bus=row["event_bus"],
                name=row["name"],
                pattern=row["pattern"],
                schedule=row["schedule"],
                is_enabled=row["is_enabled"],
                targets=tuple(row["targets"]),
                tags=row["tags"],
                **common,
            )
