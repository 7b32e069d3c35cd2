"""Files of marks, CSV and JSON: what is exported can be changed in a spreadsheet and imported again. Pure.

Both have the fields `id`, `version`, `start`, `end` (`HH:MM:SS.mmm`), `category`, `technique`, `role`, `confidence`, `finished`
(yes, no or nothing), `state`, `analyzer` and `note`. A file that people write needs no more than start, end, category, technique
and role; frames instead of times, and `reasoning` for `note`, work as in files of annotations.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sightline.contracts.technique_events import Category, clock_time
from sightline.spreadsheet_cells import safe_cell
from sightline.techniques.clip import plain_text
from sightline.techniques.marks.mark import (
    MAX_NAME_LENGTH,
    MarkState,
    MarkValues,
    NewMark,
    TechniqueMark,
    values_problem,
)
from sightline.techniques.rows import (
    RowError,
    check_fields,
    first_value,
    frame_of,
    frame_rate,
    number_of,
    open_rows,
    parse_rows,
    seconds_of,
    text_of,
)

COLUMNS = (
    *("id", "version", "start", "end", "category", "technique", "role", "confidence"),
    *("finished", "state", "analyzer", "note"),
)
_FIELDS = frozenset({*COLUMNS, "start_frame", "end_frame", "specific_technique", "skill_name", "reasoning"})
_YES, _NO = frozenset({"yes", "true", "1", "sim"}), frozenset({"no", "false", "0", "não", "nao"})


@dataclass(slots=True)
class MarkImport:
    """What an import does with the marks of a video."""

    new: list[NewMark] = field(default_factory=list)
    changed: list[tuple[TechniqueMark, MarkValues]] = field(default_factory=list)
    unchanged: int = 0


@dataclass(frozen=True, slots=True)
class _Row:
    values: MarkValues
    analyzer: str | None
    mark_id: UUID | None
    version: int | None


def encode_csv(marks: Iterable[TechniqueMark]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for mark in marks:
        row = _exported(mark)
        row["finished"] = {True: "yes", False: "no", None: ""}[row["finished"]]
        writer.writerow([safe_cell("" if row[name] is None else row[name]) for name in COLUMNS])
    return text.getvalue()


def encode_json(marks: Iterable[TechniqueMark], *, video_id: UUID, revision: int) -> str:
    content = {"video_id": str(video_id), "revision": revision, "marks": [_exported(mark) for mark in marks]}
    return json.dumps(content, ensure_ascii=False, indent=1)


def _exported(mark: TechniqueMark) -> dict[str, Any]:
    values = mark.values
    return {
        "id": str(mark.id),
        "version": mark.version,
        "start": _clock(values.start_ms),
        "end": _clock(values.end_ms),
        "category": values.category.value,
        "technique": values.name,
        "role": values.role,
        "confidence": values.confidence,
        "finished": values.finished,
        "state": values.state.value,
        "analyzer": mark.analyzer,
        "note": values.note,
    }


def _clock(ms: int) -> str:
    return f"{clock_time(ms // 1000)}.{ms % 1000:03d}"


def plan_import(
    content: bytes,
    present: Iterable[TechniqueMark],
    *,
    name: str,
    video_fps: float | None,
    duration_ms: int | None,
) -> MarkImport:
    """What the file changes, or one error that names every invalid line (up to twenty).

    A row with the id of a mark of this video changes that mark, unless it was changed after the file was exported. Other rows are
    new marks, unless the video has one with the same times, category, name and role.
    """
    by_id = {mark.id: mark for mark in present}
    known = {mark.values.found for mark in by_id.values()}
    file = open_rows(content, name=name, lists=("marks", "clips"), row_name="mark")
    fps = frame_rate(file, video_fps)
    plan, seen = MarkImport(), set[UUID]()

    def add(raw: Mapping[str, Any]) -> None:
        row = _parse(raw, fps, duration_ms)
        mark = None if row.mark_id is None else by_id.get(row.mark_id)
        if mark is None:
            if row.values.found in known:
                plan.unchanged += 1
            else:
                known.add(row.values.found)
                plan.new.append(NewMark(row.values, row.analyzer))
            return
        if mark.id in seen:
            raise RowError(f"id: {mark.id} is in the file twice")
        seen.add(mark.id)
        if mark.values == row.values:
            plan.unchanged += 1
        elif row.version is not None and row.version != mark.version:
            raise RowError("the mark was changed after the file was exported; export again")
        else:
            plan.changed.append((mark, row.values))

    parse_rows(file, add)
    return plan


def _parse(row: Mapping[str, Any], fps: float | None, duration_ms: int | None) -> _Row:
    check_fields(row, _FIELDS)
    note = first_value(row, "note", "reasoning")
    confidence = row.get("confidence")
    values = MarkValues(
        start_ms=_ms(row, "start", fps),
        end_ms=_ms(row, "end", fps),
        category=_category(row.get("category")),
        name=_name(first_value(row, "technique", "specific_technique", "skill_name"), "technique"),
        role=_name(row.get("role"), "role"),
        confidence=1.0 if confidence is None else _share(confidence),
        note="" if note in (None, "") else plain_text(text_of(note, "note")),
        finished=_yes_no(row.get("finished")),
        state=_state(row.get("state")),
    )
    if (problem := values_problem(values, duration_ms=duration_ms)) is not None:
        raise RowError(problem)
    analyzer = row.get("analyzer")
    version = row.get("version")
    return _Row(
        values,
        None if analyzer in (None, "") else _name(analyzer, "analyzer"),
        _uuid(row.get("id")),
        None if version is None else int(number_of(version, "version")),
    )


def _ms(row: Mapping[str, Any], side: str, fps: float | None) -> int:
    frame = frame_of(row, side, fps)
    return round(seconds_of(row[side], side) * 1000) if frame is None or fps is None else round(frame * 1000 / fps)


def _category(value: Any) -> Category:
    word = text_of(value, "category").upper()
    if word not in Category.__members__:
        raise RowError(f"category: {value!r} is none of {', '.join(Category)}")
    return Category(word)


def _name(value: Any, field_name: str) -> str:
    text = plain_text(text_of(value, field_name))
    if not text or len(text) > MAX_NAME_LENGTH:
        raise RowError(f"{field_name}: from 1 to {MAX_NAME_LENGTH} characters are allowed")
    return text


def _share(value: Any) -> float:
    number = number_of(value, "confidence")
    if not 0 <= number <= 1:
        raise RowError(f"confidence: {value!r} is not between 0 and 1")
    return number


def _yes_no(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word not in _YES | _NO:
        raise RowError(f"finished: {value!r} is not yes or no")
    return word in _YES


def _state(value: Any) -> MarkState:
    if value is None:
        return MarkState.ACCEPTED
    try:
        return MarkState(str(value).strip().lower())
    except ValueError:
        raise RowError(f"state: {value!r} is none of {', '.join(MarkState)}") from None


def _uuid(value: Any) -> UUID | None:
    if value is None:
        return None
    try:
        return UUID(str(value))
    except ValueError:
        raise RowError(f"id: {value!r} is not an id; leave it empty for a new mark") from None
