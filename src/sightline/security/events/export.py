"""Export of events as CSV, JSON, or a ZIP file with their pictures: streamed page by page."""

import csv
import io
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import structlog

from sightline.errors import PlatformError
from sightline.objects import ObjectStore
from sightline.security.events.comments_store import Comment
from sightline.security.events.event import Event
from sightline.security.events.history import HistoryEntry
from sightline.spreadsheet_cells import safe_cell
from sightline.timing import iso_utc
from sightline.zip_stream import ZipStream

ExportFormat = Literal["csv", "json", "zip"]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ExportedEvent:
    event: Event
    comments: Sequence[Comment]
    history: Sequence[HistoryEntry]

    @property
    def picture_name(self) -> str | None:
        """Where its picture is in the ZIP file."""
        key = self.event.picture_key
        return None if key is None else f"pictures/{self.event.id}.{key.rpartition('.')[2]}"


Pages = AsyncIterator[Sequence[ExportedEvent]]


def record_of(one: ExportedEvent) -> dict[str, Any]:
    """One event, in plain values; lists as lists."""
    event = one.event
    moments = {
        name: None if (at := getattr(event, name)) is None else iso_utc(at)
        for name in ("started_at", "ended_at", "created_at", "acknowledged_at", "resolved_at", "archived_at")
    }
    return {
        "id": event.id,
        "camera_id": event.camera_id,
        "risk_score": event.risk_score,
        "risk_level": event.risk_level,
        "state": event.state,
        "summary": event.summary,
        "reasoning": event.reasoning,
        "objects": list(event.object_types),
        "zones": list(event.zones),
        "behaviours": list(event.behaviours),
        **moments,
        "acknowledged_by": event.acknowledged_by,
        "resolved_by": event.resolved_by,
        "resolution_notes": event.resolution_notes,
        "assignee": event.assignee,
        "comments": [
            {"author": said.author, "created_at": iso_utc(said.created_at), "text": said.body} for said in one.comments
        ],
        "history": [
            {"at": iso_utc(entry.at), "action": entry.action, "by": entry.actor, "details": dict(entry.details)}
            for entry in one.history
        ],
        "batch_id": event.batch_id,
        "picture": one.picture_name,
    }


COLUMNS = (
    *("id", "camera_id", "risk_score", "risk_level", "state", "summary", "objects", "zones", "behaviours"),
    *("started_at", "ended_at", "created_at", "acknowledged_at", "acknowledged_by", "resolved_at", "resolved_by"),
    *("resolution_notes", "assignee", "comments", "archived_at", "reasoning", "batch_id", "picture"),
)


def csv_lines(records: Sequence[dict[str, Any]], *, with_head: bool = False) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    if with_head:
        writer.writerow(COLUMNS)
    for record in records:
        writer.writerow([safe_cell(_flat(name, record[name])) for name in COLUMNS])
    return text.getvalue().encode()


def _flat(name: str, value: Any) -> object:
    if name == "comments":
        return "\n".join(f"{said['author']}: {said['text']}" for said in value)
    return "; ".join(value) if isinstance(value, list) else value


async def as_csv(pages: Pages) -> AsyncIterator[bytes]:
    yield csv_lines([], with_head=True)
    async for page in pages:
        yield csv_lines([record_of(one) for one in page])


async def as_json(pages: Pages) -> AsyncIterator[bytes]:
    separator = b'{"events":[\n'
    async for page in pages:
        for one in page:
            yield separator + _json(record_of(one))
            separator = b",\n"
    yield b"]}\n" if separator == b",\n" else separator + b"]}\n"


async def as_zip(pages: Pages, objects: ObjectStore) -> AsyncIterator[bytes]:
    """Pictures as they come, then `events.csv` and `events.json`. A picture that is gone is left out."""
    file = ZipStream()
    records: list[dict[str, Any]] = []
    async for page in pages:
        for one in page:
            record = record_of(one)
            if one.picture_name is not None and one.event.picture_key is not None:
                try:
                    yield file.add(one.picture_name, await objects.get(one.event.picture_key))
                except PlatformError as error:
                    log.warning("security.export_picture_missing", event_id=one.event.id, error=str(error))
                    record["picture"] = None
            records.append(record)
    yield file.add("events.csv", csv_lines(records, with_head=True), is_text=True)
    yield file.add("events.json", b'{"events":[\n' + b",\n".join(map(_json, records)) + b"]}\n", is_text=True)
    yield file.close()


def _json(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
