"""Dead letters made by hand."""

from datetime import UTC, datetime, timedelta

from sightline.bus import Attribute, PlainReceived, Received

NOW = datetime(2026, 1, 17, 12, tzinfo=UTC)


def id_of(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def letter(
    number: int,
    body: str = "{}",
    *,
    attributes: dict[str, str] | None = None,
    source: str | None = "work",
    reason: str | None = None,
    hours: float | None = 1,
    redrives: int = 0,
) -> Received:
    sent = NOW - timedelta(days=1)
    return PlainReceived(
        queue="work-dlq",
        message_id=id_of(number),
        receipt="",
        receive_count=4,
        sent_at=sent,
        first_received_at=sent,
        body=body,
        attributes={name: Attribute("String", value) for name, value in (attributes or {}).items()},
        source_queue=source,
        dead_reason=reason,
        entered_at=None if hours is None else NOW - timedelta(hours=hours),
        redrives=redrives,
    )
