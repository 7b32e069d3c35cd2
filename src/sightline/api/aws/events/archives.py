"""Archives of event buses."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.constraints import NAME_PATTERN, Constraints
from sightline.api.aws.events.requests import (
    bus_name,
    find_bus,
    invalid,
    not_found,
    page_wanted,
    plain,
)
from sightline.api.aws.pages import page
from sightline.bus import ArchiveSize, RegisteredArchive, Snapshot, archive_store, compile_event_pattern

STATES = ("ENABLED", "DISABLED", "CREATING", "UPDATING", "CREATE_FAILED", "UPDATE_FAILED")
ENABLED = "ENABLED"
_DAYS = 2_147_483_647


async def create_archive(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    name = constraints.text("ArchiveName", is_required=True, pattern=NAME_PATTERN, max_length=48)
    source = constraints.text("EventSourceArn", is_required=True, max_length=1600)
    days = constraints.number("RetentionDays", 0, _DAYS, 0)
    constraints.text("Description", min_length=0, max_length=512)
    constraints.check()
    pattern = _pattern(parameters)
    local_bus = _own_bus(call, source)
    local = bus_name(call, name)
    description = parameters.get("Description")
    async with call.registry.changing() as change:
        find_bus(call, change.snapshot, local_bus)
        if local in change.snapshot.archives:
            raise AwsError("ResourceAlreadyExistsException", f"Archive {name} already exists.")
        archive = RegisteredArchive(
            local,
            call.account.account_id,
            local_bus,
            uuid4(),
            pattern,
            days,
            attributes={} if description is None else {"Description": str(description)},
        )
        await change.put(archive)
    return _brief(call, call.registry.snapshot.archives.get(local, archive))


async def update_archive(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    if not any(parameters.get(name) is not None for name in ("EventPattern", "RetentionDays", "Description")):
        raise invalid("At least one of EventPattern, RetentionDays or Description must be provided.")
    constraints = Constraints(parameters)
    days = constraints.number("RetentionDays", 0, _DAYS, -1)
    constraints.text("Description", min_length=0, max_length=512)
    constraints.check()
    pattern, description = _pattern(parameters), parameters.get("Description")
    async with call.registry.changing() as change:
        archive = find_archive(call, change.snapshot, str(parameters.get("ArchiveName") or ""))
        await change.put(
            replace(
                archive,
                pattern=archive.pattern if pattern is None else pattern,
                retention_days=archive.retention_days if days < 0 else days,
                attributes=archive.attributes if description is None else {"Description": str(description)},
            )
        )
    return _brief(call, archive)


async def describe_archive(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    archive = find_archive(call, call.registry.snapshot, str(parameters.get("ArchiveName") or ""))
    async with call.platform.database.transaction() as tx:
        sizes = await archive_store.sizes(tx, [archive.id])
    shown = {**_shown(call, archive, sizes[archive.id]), "ArchiveArn": archive_arn(call, archive.name)}
    if archive.pattern is not None:
        shown["EventPattern"] = archive.pattern
    return shown | dict(archive.attributes)


async def list_archives(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    limit, prefix = page_wanted(constraints, max_length=48)
    state = constraints.choice("State", STATES, default=ENABLED)
    constraints.check()
    source = parameters.get("EventSourceArn")
    local_bus = None if source is None else _own_bus(call, str(source))
    own = [
        (plain(call, one.name), one)
        for one in call.registry.snapshot.archives.values()
        if one.account_id == call.account.account_id
        and plain(call, one.name).startswith(prefix)
        and local_bus in (None, one.event_bus)
        and state == ENABLED
    ]
    found, token = page(parameters, own, limit)
    async with call.platform.database.transaction() as tx:
        sizes = await archive_store.sizes(tx, [one.id for one in found])
    return {"Archives": [_shown(call, one, sizes[one.id]) for one in found], **token}


async def delete_archive(call: AwsCall, parameters: dict[str, Any]) -> None:
    async with call.registry.changing() as change:
        await change.remove(find_archive(call, change.snapshot, str(parameters.get("ArchiveName") or "")))


def find_archive(call: AwsCall, snapshot: Snapshot, name: str) -> RegisteredArchive:
    found = snapshot.archives.get(bus_name(call, name))
    if found is None:
        raise not_found(f"Archive {name} does not exist.")
    return found


def archive_arn(call: AwsCall, local: str) -> str:
    account_id, name = call.registry.names.split(local)
    return f"arn:aws:events:{call.registry.names.region}:{account_id}:archive/{name}"


def _own_bus(call: AwsCall, arn: str) -> str:
    """Local name of an event bus of the account, given by ARN."""
    if not arn.startswith("arn:"):
        raise invalid("Parameter EventSourceArn is not valid. Reason: Provided Arn is not in correct format.")
    return find_bus(call, call.registry.snapshot, bus_name(call, arn)).name


def _pattern(parameters: dict[str, Any]) -> str | None:
    pattern = parameters.get("EventPattern")
    if not pattern:
        return None
    compile_event_pattern(str(pattern))
    return str(pattern)


def _brief(call: AwsCall, archive: RegisteredArchive) -> dict[str, Any]:
    return {
        "ArchiveArn": archive_arn(call, archive.name),
        "State": ENABLED,
        "CreationTime": archive.created_at,
    }


def _shown(call: AwsCall, archive: RegisteredArchive, size: ArchiveSize) -> dict[str, Any]:
    return {
        "ArchiveName": plain(call, archive.name),
        "EventSourceArn": call.registry.names.event_bus_arn(archive.event_bus),
        "State": ENABLED,
        "RetentionDays": archive.retention_days,
        "SizeBytes": size.bytes,
        "EventCount": size.events,
        "CreationTime": archive.created_at,
    }
