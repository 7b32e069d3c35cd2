"""The DynamoDB table: its key, two indexes and time to live; created if it is missing."""

import asyncio
from typing import Any

from sightline.errors import BackendUnavailable, PlatformError
from sightline.messages.dynamodb.client import TableMissing, translated

BY_STAGE = "stage-created_date-index"
BY_STATUS = "status-created_date-index"
READY_WITHIN_S = 120.0
TIME_TO_LIVE_ATTRIBUTE = "ttl"


def table_definition(table: str) -> dict[str, Any]:
    """The arguments of `create_table`. Pure."""

    def index(name: str, key: str) -> dict[str, Any]:
        return {
            "IndexName": name,
            "KeySchema": [
                {"AttributeName": key, "KeyType": "HASH"},
                {"AttributeName": "created_date", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }

    return {
        "TableName": table,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "message_id", "KeyType": "HASH"}],
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": "S"} for name in ("message_id", "stage", "status", "created_date")
        ],
        "GlobalSecondaryIndexes": [index(BY_STAGE, "stage"), index(BY_STATUS, "status")],
    }


async def make_table(client: Any, table: str) -> None:
    """Safe to repeat, and from many processes at once."""
    if await make_bare_table(client, table):
        await _enable_time_to_live(client, table)


async def make_bare_table(client: Any, table: str) -> bool:
    """Creates key and indexes only; False if the table exists."""
    try:
        with translated():
            await client.describe_table(TableName=table)
        return False
    except TableMissing:
        pass
    try:
        with translated():
            await client.create_table(**table_definition(table))
    except BackendUnavailable as error:
        if "ResourceInUse" not in error.message:  # another process is creating it
            raise
    await _until_active(client, table)
    return True


async def _enable_time_to_live(client: Any, table: str) -> None:
    try:
        with translated():
            await client.update_time_to_live(
                TableName=table, TimeToLiveSpecification={"Enabled": True, "AttributeName": TIME_TO_LIVE_ATTRIBUTE}
            )
    except PlatformError as error:
        if "already enabled" not in error.message:
            raise


async def _until_active(client: Any, table: str) -> None:
    deadline = asyncio.get_running_loop().time() + READY_WITHIN_S
    while True:
        with translated():
            response = await client.describe_table(TableName=table)
        found = response["Table"]
        indexes = found.get("GlobalSecondaryIndexes", [])
        if found["TableStatus"] == "ACTIVE" and all(one.get("IndexStatus", "ACTIVE") == "ACTIVE" for one in indexes):
            return
        if asyncio.get_running_loop().time() > deadline:
            raise BackendUnavailable(
                "messages", f"the table {table} is still {found['TableStatus']}; check it in the AWS console"
            )
        await asyncio.sleep(0.2)
