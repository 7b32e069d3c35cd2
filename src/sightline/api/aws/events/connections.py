"""Connections: how API destinations are authorized. Secrets are stored sealed, and never shown."""

import re
from typing import Any
from uuid import UUID, uuid4, uuid5

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.constraints import NAME_PATTERN, Constraints
from sightline.api.aws.events.requests import invalid, not_found, over_quota, page_wanted
from sightline.api.aws.pages import key_after, page_of_rows
from sightline.bus import ApiConnection, connection_store, without_secrets

TYPES = ("BASIC", "OAUTH_CLIENT_CREDENTIALS", "API_KEY")
OAUTH = "OAUTH_CLIENT_CREDENTIALS"
_NEEDED = {
    "BASIC": ("BasicAuthParameters", ("Username", "Password")),
    "API_KEY": ("ApiKeyAuthParameters", ("ApiKeyName", "ApiKeyValue")),
    OAUTH: ("OAuthParameters", ("AuthorizationEndpoint", "HttpMethod", "ClientParameters")),
}
_LISTS = ("HeaderParameters", "QueryStringParameters", "BodyParameters")
_HEADER_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,512}")
MAX_LISTED = 100


async def create_connection(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    name, kind = _read(parameters)
    authorization = _authorization(kind, parameters.get("AuthParameters"))
    limit = call.platform.settings.bus.max_connections
    async with call.platform.database.transaction() as tx:
        if await connection_store.count_connections(tx, call.account.account_id) >= limit:
            raise over_quota()
        made = await connection_store.add_connection(
            tx,
            **_values(call, name, kind, authorization, parameters.get("Description")),
            connection_id=uuid4(),
        )
    if made is None:
        raise AwsError("ResourceAlreadyExistsException", f"Connection {name} already exists.")
    return _brief(call, made)


async def update_connection(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    async with call.platform.database.transaction() as tx:
        present = await find_connection(call, tx, str(parameters.get("Name") or ""))
        name, kind = _read({"AuthorizationType": present.authorization_type, **parameters})
        given = parameters.get("AuthParameters")
        if given is None and kind == present.authorization_type:
            authorization = call.platform.sealing.unseal(present.sealed_parameters)
        else:
            authorization = _authorization(kind, given)
        description = parameters.get("Description", present.description)
        changed = await connection_store.update_connection(tx, **_values(call, name, kind, authorization, description))
    assert changed is not None, "the row was read in the same transaction"
    return {**_brief(call, changed), "LastAuthorizedTime": changed.authorized_at}


async def describe_connection(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    async with call.platform.database.transaction() as tx:
        found = await find_connection(call, tx, str(parameters.get("Name") or ""))
    names = call.registry.names
    secret_id = uuid5(found.connection_id, "secret")
    secret = f"secret:events!connection/{found.name}/{secret_id}-{secret_id.hex[:6]}"
    shown = {
        **_listed(call, found),
        "SecretArn": f"arn:aws:secretsmanager:{names.region}:{found.account_id}:{secret}",
        "AuthParameters": dict(found.shown_parameters),
    }
    return shown if found.description is None else {**shown, "Description": found.description}


async def list_connections(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    constraints = Constraints(parameters)
    limit, prefix = page_wanted(constraints)
    constraints.check()
    state = parameters.get("ConnectionState")
    async with call.platform.database.transaction() as tx:
        found = await connection_store.list_connections(
            tx,
            call.account.account_id,
            after=key_after(parameters),
            prefix=prefix,
            is_authorized=None if state is None else state == "AUTHORIZED",
            limit=limit + 1,
        )
    shown, token = page_of_rows(found, limit)
    return {"Connections": [_listed(call, one) for one in shown], **token}


async def delete_connection(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    name = str(parameters.get("Name") or "")
    async with call.platform.database.transaction() as tx:
        removed = await connection_store.remove_connection(tx, call.account.account_id, name)
    if removed is None:
        raise _unknown(name)
    return {**_brief(call, removed), "ConnectionState": "DELETING", "LastAuthorizedTime": removed.authorized_at}


async def find_connection(call: AwsCall, tx: Any, name: str) -> ApiConnection:
    found = await connection_store.find_connection(tx, call.account.account_id, name)
    if found is None:
        raise _unknown(name)
    return found


def is_same(connection: ApiConnection, connection_id: str) -> bool:
    try:
        return connection.connection_id == UUID(connection_id)
    except ValueError:
        return False


def _unknown(name: str) -> AwsError:
    return not_found(f"Failed to describe the connection(s). Connection '{name}' does not exist.")


def _read(parameters: dict[str, Any]) -> tuple[str, str]:
    constraints = Constraints(parameters)
    name = constraints.text("Name", is_required=True, pattern=NAME_PATTERN, max_length=64)
    kind = constraints.choice("AuthorizationType", TYPES)
    constraints.text("Description", min_length=0, max_length=512)
    constraints.check()
    return name, kind


def _authorization(kind: str, given: Any) -> dict[str, Any]:
    member, needed = _NEEDED[kind]
    if not isinstance(given, dict) or not isinstance(given.get(member), dict):
        raise invalid(f"Parameter(s) AuthParameters.{member} must be specified.")
    missing = [name for name in needed if not given[member].get(name)]
    if missing:
        raise invalid(
            f"Parameter(s) {', '.join(f'AuthParameters.{member}.{name}' for name in missing)} must be specified."
        )
    holders = [given.get("InvocationHttpParameters"), (given.get("OAuthParameters") or {}).get("OAuthHttpParameters")]
    for holder in filter(None, holders):
        _check_http(holder)
    if kind == "API_KEY":
        _check_header(given[member]["ApiKeyName"], given[member]["ApiKeyValue"])
    return {member: given[member], **{key: given[key] for key in ("InvocationHttpParameters",) if key in given}}


def _check_http(holder: Any) -> None:
    for name in _LISTS:
        listed = holder.get(name) or [] if isinstance(holder, dict) else None
        if not isinstance(listed, list) or len(listed) > MAX_LISTED:
            raise invalid(f"Parameter {name} is not valid.")
        for one in listed:
            if not isinstance(one, dict) or not one.get("Key"):
                raise invalid(f"Parameter {name} is not valid. Reason: Each needs a Key.")
            if name == "HeaderParameters":
                _check_header(one["Key"], one.get("Value", ""))


def _check_header(name: Any, value: Any) -> None:
    if not _HEADER_NAME.fullmatch(str(name)) or not str(value).isprintable():
        raise invalid(
            "Parameter HeaderParameters is not valid. Reason: A name or value has characters that no header has."
        )


def _values(call: AwsCall, name: str, kind: str, authorization: dict[str, Any], description: Any) -> dict[str, Any]:
    return {
        "account_id": call.account.account_id,
        "name": name,
        "description": description,
        "authorization_type": kind,
        "shown_parameters": without_secrets(authorization),
        "sealed_parameters": call.platform.sealing.seal(authorization),
        "is_authorized": kind != OAUTH,
    }


def _brief(call: AwsCall, connection: ApiConnection) -> dict[str, Any]:
    return {
        "ConnectionArn": connection.arn(call.registry.names),
        "ConnectionState": "AUTHORIZED" if connection.is_authorized else "AUTHORIZING",
        "CreationTime": connection.created_at,
        "LastModifiedTime": connection.changed_at,
    }


def _listed(call: AwsCall, connection: ApiConnection) -> dict[str, Any]:
    return {
        **_brief(call, connection),
        "Name": connection.name,
        "AuthorizationType": connection.authorization_type,
        "LastAuthorizedTime": connection.authorized_at,
    }
