"""API destinations: web addresses that rules call."""

import re
from typing import Any
from uuid import uuid4

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.constraints import NAME_PATTERN, Constraints
from sightline.api.aws.events.connections import find_connection, is_same
from sightline.api.aws.events.requests import invalid, not_found, over_quota, page_wanted
from sightline.api.aws.pages import key_after, page_of_rows
from sightline.bus import ApiDestination, connection_store
from sightline.db import Transaction

METHODS = ("HEAD", "POST", "PATCH", "DELETE", "PUT", "GET", "OPTIONS")
DEFAULT_RATE = 300
_CONNECTION_ARN = (
    r"^arn:aws([a-z]|\-)*:events:([a-z]|\d|\-)*:([0-9]{12})?:connection\/[\.\-_A-Za-z0-9]+\/[\-A-Za-z0-9]+$"
)
_ENDPOINT = re.compile(r"https?://[!-~]+")


async def create_api_destination(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    values = _read(call, parameters)
    limit = call.platform.settings.bus.max_connections
    async with call.platform.database.transaction() as tx:
        if await connection_store.count_destinations(tx, call.account.account_id) >= limit:
            raise over_quota()
        await _check_connection(call, tx, values["connection_arn"])
        made = await connection_store.add_destination(tx, **values, destination_id=uuid4())
    if made is None:
        raise AwsError("ResourceAlreadyExistsException", f"An api-destination '{values['name']}' already exists.")
    return _brief(call, made)


async def update_api_destination(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    async with call.platform.database.transaction() as tx:
        present = await _find(call, tx, parameters)
        kept = {
            "ConnectionArn": present.connection_arn,
            "InvocationEndpoint": present.endpoint,
            "HttpMethod": present.method,
            "InvocationRateLimitPerSecond": present.rate_limit,
            "Description": present.description,
        }
        values = _read(call, {**kept, **parameters})
        if values["connection_arn"] != present.connection_arn:
            await _check_connection(call, tx, values["connection_arn"])
        changed = await connection_store.update_destination(tx, **values)
    assert changed is not None, "the row was read in the same transaction"
    return _brief(call, changed)


async def describe_api_destination(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    async with call.platform.database.transaction() as tx:
        found = await _find(call, tx, parameters)
    shown = _listed(call, found)
    return shown if found.description is None else {**shown, "Description": found.description}


async def list_api_destinations(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    limit, prefix = page_wanted(constraints)
    constraints.check()
    async with call.platform.database.transaction() as tx:
        found = await connection_store.list_destinations(
            tx,
            call.account.account_id,
            after=key_after(parameters),
            prefix=prefix,
            connection_arn=parameters.get("ConnectionArn"),
            limit=limit + 1,
        )
    shown, token = page_of_rows(found, limit)
    return {"ApiDestinations": [_listed(call, one) for one in shown], **token}


async def delete_api_destination(call: AwsCall, parameters: dict[str, Any]) -> None:
    name = str(parameters.get("Name") or "")
    async with call.platform.database.transaction() as tx:
        if not await connection_store.remove_destination(tx, call.account.account_id, name):
            raise _unknown(name)


async def _find(call: AwsCall, tx: Transaction, parameters: dict[str, Any]) -> ApiDestination:
    name = str(parameters.get("Name") or "")
    found = await connection_store.find_destination(tx, call.account.account_id, name)
    if found is None:
        raise _unknown(name)
    return found


def _unknown(name: str) -> AwsError:
    return not_found(f"Failed to describe the api-destination(s). An api-destination '{name}' does not exist.")


def _read(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    name = constraints.text("Name", is_required=True, pattern=NAME_PATTERN, max_length=64)
    connection_arn = constraints.text("ConnectionArn", is_required=True, pattern=_CONNECTION_ARN, max_length=1600)
    endpoint = constraints.text("InvocationEndpoint", is_required=True, max_length=2048)
    method = constraints.choice("HttpMethod", METHODS)
    rate_limit = constraints.number("InvocationRateLimitPerSecond", 1, DEFAULT_RATE, DEFAULT_RATE)
    constraints.text("Description", min_length=0, max_length=512)
    constraints.check()
    if not _ENDPOINT.fullmatch(endpoint):
        raise invalid("Parameter InvocationEndpoint is not valid. Reason: It must begin with https:// or http://.")
    return {
        "account_id": call.account.account_id,
        "name": name,
        "description": parameters.get("Description"),
        "connection_arn": connection_arn,
        "endpoint": endpoint,
        "method": method,
        "rate_limit": rate_limit,
    }


async def _check_connection(call: AwsCall, tx: Transaction, arn: str) -> None:
    """The connection has to be one of the account."""
    name, _, connection_id = arn.partition(":connection/")[2].partition("/")
    connection = await find_connection(call, tx, name)
    if arn.split(":")[4] != call.account.account_id or not is_same(connection, connection_id):
        raise not_found(f"Failed to describe the connection(s). Connection '{name}' does not exist.")


def _brief(call: AwsCall, destination: ApiDestination) -> dict[str, Any]:
    return {
        "ApiDestinationArn": destination.arn(call.registry.names),
        "ApiDestinationState": "ACTIVE" if destination.is_active else "INACTIVE",
        "CreationTime": destination.created_at,
        "LastModifiedTime": destination.changed_at,
    }


def _listed(call: AwsCall, destination: ApiDestination) -> dict[str, Any]:
    return {
        **_brief(call, destination),
        "Name": destination.name,
        "ConnectionArn": destination.connection_arn,
        "InvocationEndpoint": destination.endpoint,
        "HttpMethod": destination.method,
        "InvocationRateLimitPerSecond": destination.rate_limit,
    }
