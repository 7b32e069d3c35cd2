"""The message event of document 002."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from sightline.contracts.message_events import MessageCreated, MessageIds, Metadata, parse_message_event
from sightline.errors import InvalidInput, is_retryable

DOCUMENT_EXAMPLE: dict[str, Any] = {
    "schema_version": "1.0",
    "event_type": "message_created",
    "event_id": "770f9600-g49d-62f6-c938-668877662222",
    "timestamp": "2025-10-21T14:30:00.000Z",
    "source": "scheduler",
    "message": {
        "message_id": "550e8400-e29b-41d4-a716-446655440000",
        "message_type": "scheduled_hello",
        "stage": "dev",
        "created_by": "scheduler",
        "correlation_id": "660e9500-f39c-52e5-b827-557766551111",
    },
    "metadata": {"region": "us-east-1", "environment": "dev"},
}


@pytest.mark.req(148)
def test_the_documents_example_is_read_although_its_ids_are_no_uuids():
    assert parse_message_event(DOCUMENT_EXAMPLE).event_id == DOCUMENT_EXAMPLE["event_id"]


@pytest.mark.req(147)
def test_an_event_survives_writing_and_reading():
    event = MessageCreated(
        event_id="e",
        timestamp=datetime(2025, 10, 21, 14, 30, tzinfo=UTC),
        source="web-api",
        message=MessageIds(message_id="m", message_type="x", stage="prod", created_by="user:a@b.c", correlation_id="c"),
        metadata=Metadata(region="us-east-1", environment="prod"),
    )
    assert parse_message_event(json.loads(event.to_json())) == event
    assert json.loads(event.to_json())["timestamp"] == "2025-10-21T14:30:00.000Z"
    assert len(event.to_json()) < 1024


@pytest.mark.req(161)
def test_version_2_may_add_priority_and_retry_policy_and_unknown_fields_are_ignored():
    more = {**DOCUMENT_EXAMPLE, "schema_version": "2.0", "priority": "high", "retry_policy": {"n": 1}, "new": True}
    assert parse_message_event(more).priority == "high"


@pytest.mark.req(160)
@pytest.mark.parametrize("version", ["3.0", "1", 1.0, None])
def test_any_other_version_is_unsupported_and_never_tried_again(version):
    with pytest.raises(InvalidInput, match="unsupported schema version") as caught:
        parse_message_event({**DOCUMENT_EXAMPLE, "schema_version": version})
    assert not is_retryable(caught.value)


@pytest.mark.req(145)
def test_an_unknown_stage_is_rejected_by_name():
    with pytest.raises(InvalidInput, match=r"message\.stage"):
        parse_message_event({**DOCUMENT_EXAMPLE, "message": {**dict(DOCUMENT_EXAMPLE["message"]), "stage": "test"}})
