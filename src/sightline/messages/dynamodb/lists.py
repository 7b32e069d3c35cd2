"""Queries on the two indexes of the table. Pure."""

from datetime import datetime, timedelta
from typing import Any

from sightline.contracts.message_events import Stage
from sightline.messages.dynamodb.table import BY_STAGE, BY_STATUS
from sightline.messages.dynamodb.values import moment, number, text
from sightline.messages.store import MessageFilter
from sightline.paging import Cursor

_SMALLEST = timedelta(microseconds=1)


def list_request(
    table: str,
    criteria: MessageFilter,
    *,
    stage: Stage,
    before: Cursor[str] | None,
    now: datetime,
    stored_date: str | None = None,
) -> dict[str, Any]:
    """Newest first; by the status index if a status is given, by the stage index otherwise. Other criteria are filters.

    `stored_date` is the creation date of the message `before`, as the program that created it wrote it.
    """
    key, value = ("status", criteria.status) if criteria.status is not None else ("stage", criteria.stage or stage)
    names = {"#key": key, "#ttl": "ttl"}
    values: dict[str, Any] = {":key": text(value), ":now": number(int(now.timestamp())), ":text": text("S")}
    # Other programs write no time to live, or write it as text, which is compared after reading.
    filters = ["(attribute_not_exists(#ttl) OR attribute_type(#ttl, :text) OR #ttl > :now)"]
    fields = {"message_type": criteria.message_type, "created_by": criteria.created_by}
    fields["owner_id"] = None if criteria.owner_id is None else str(criteria.owner_id)
    if key == "status":
        fields["stage"] = criteria.stage
    for name, content in fields.items():
        if content is not None:
            names[f"#{name}"] = name
            values[f":{name}"] = text(content)
            filters.append(f"#{name} = :{name}")
    request: dict[str, Any] = {
        "TableName": table,
        "IndexName": BY_STATUS if key == "status" else BY_STAGE,
        "KeyConditionExpression": "#key = :key" + _span(criteria.created_after, criteria.created_before, values),
        "FilterExpression": " AND ".join(filters),
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": values,
        "ScanIndexForward": False,
    }
    if before is not None:
        request["ExclusiveStartKey"] = {
            "message_id": text(before.id),
            "created_date": moment(before.at) if stored_date is None else text(stored_date),
            key: text(value),
        }
    return request


def statistics_request(table: str, *, stage: Stage, since: datetime) -> dict[str, Any]:
    return {
        "TableName": table,
        "IndexName": BY_STAGE,
        "KeyConditionExpression": "#stage = :stage AND created_date >= :since",
        "ProjectionExpression": "#status, processing_started_at, processing_completed_at",
        "ExpressionAttributeNames": {"#stage": "stage", "#status": "status"},
        "ExpressionAttributeValues": {":stage": text(stage), ":since": moment(since)},
    }


def _span(after: datetime | None, until: datetime | None, values: dict[str, Any]) -> str:
    """The index takes one condition on its second key, and BETWEEN includes both ends."""
    if after is not None:
        values[":after"] = moment(after)
    if until is not None:
        values[":before"] = moment(until - _SMALLEST if after is not None else until)
    match after, until:
        case None, None:
            return ""
        case _, None:
            return " AND created_date >= :after"
        case None, _:
            return " AND created_date < :before"
        case _:
            return " AND created_date BETWEEN :after AND :before"
