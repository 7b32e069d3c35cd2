"""What is stored of a message in a queue besides its body and attributes. Pure."""

import json
from collections.abc import Mapping
from typing import Any

TRACE_HEADER = "AWSTraceHeader"
ENVELOPE = "Envelope"
"""The key of what only the notification around a message says; SQS shows everything else."""


def stored_system_attributes(
    *,
    trace_header: str | None = None,
    group_id: str | None = None,
    deduplication_id: str | None = None,
    envelope: Mapping[str, str] | None = None,
) -> str | None:
    if not (trace_header or group_id or deduplication_id or envelope):
        return None
    kept: dict[str, Any] = {
        TRACE_HEADER: trace_header,
        "MessageGroupId": group_id,
        "MessageDeduplicationId": deduplication_id,
        ENVELOPE: envelope,
    }
    return json.dumps({name: value for name, value in kept.items() if value})
