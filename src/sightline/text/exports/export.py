"""The formats in which people take text and speech away. Each is written piece by piece from pages of segments."""

import csv
import io
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args
from uuid import UUID

from sightline.spreadsheet_cells import safe_cell
from sightline.text.exports.pages import Pages
from sightline.text.exports.subtitles import clock_time, on_one_line, srt_cue, vtt_cue
from sightline.text.segments import SegmentKind, TextSegment

ExportFormat = Literal["srt", "vtt", "txt", "json", "csv"]
EXPORT_FORMATS: Final[tuple[ExportFormat, ...]] = get_args(ExportFormat)
ExportKind = Literal["text", "speech", "both"]

MEDIA_TYPES: Mapping[ExportFormat, str] = {
    "srt": "application/x-subrip; charset=utf-8",
    "vtt": "text/vtt; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
}
BOM = "\ufeff"
CSV_COLUMNS = (
    *("kind", "start", "end", "start_ms", "end_ms", "text", "confidence", "language"),
    *("x", "y", "width", "height"),
)
_NOT_IN_FILE_NAMES = re.compile(r'[\x00-\x1f\x7f"*/:<>?\\|]+')
MAX_STEM_LENGTH = 120


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What is exported of a video, and how."""

    format: ExportFormat
    kind: ExportKind = "both"
    has_timestamps: bool = False
    """Of plain text: each line begins with its time."""
    has_bom: bool = False
    """Some spreadsheets take a CSV file for UTF-8 only with a byte order mark."""
    shift_ms: int = 0
    """Subtracted from all times, for a part of a video that is played by itself."""

    @property
    def segment_kind(self) -> SegmentKind | None:
        """As the store filters; None for both."""
        return None if self.kind == "both" else self.kind


async def export_text(
    pages: Pages, options: ExportOptions, *, video_id: UUID | None = None, name: str = ""
) -> AsyncIterator[bytes]:
    """The file in pieces, one for each page. `video_id` and `name` stand at the head of JSON."""
    yield (BOM if options.has_bom and options.format != "json" else "").encode() + _head(options, video_id, name)
    count = 0
    async for page in pages:
        yield _PIECES[options.format](page, options, count).encode()
        count += len(page)
    yield _tail(options, count)


def export_file_name(video_name: str, options: ExportOptions) -> str:
    """`talk.speech.srt` for what is said in `talk.mp4`; letters that a file system may refuse are left out."""
    stem = _NOT_IN_FILE_NAMES.sub(" ", video_name.rpartition(".")[0] or video_name).strip(" .")[:MAX_STEM_LENGTH]
    kind = "" if options.kind == "both" else f".{options.kind}"
    return f"{stem or 'video'}{kind}.{options.format}"


def _head(options: ExportOptions, video_id: UUID | None, name: str) -> bytes:
    match options.format:
        case "vtt":
            return b"WEBVTT\n"
        case "csv":
            return _csv_row(CSV_COLUMNS).encode()
        case "json":
            known = {"video_id": None if video_id is None else str(video_id), "name": name, "kind": options.kind}
            return f'{json.dumps(known, ensure_ascii=False)[:-1]}, "segments": ['.encode()
        case _:
            return b""


def _tail(options: ExportOptions, count: int) -> bytes:
    if options.format != "json":
        return b""
    return b"\n]}\n" if count else b"]}\n"


def _srt(page: Sequence[TextSegment], options: ExportOptions, count: int) -> str:
    return "".join(
        srt_cue(number, one.t_start - options.shift_ms, one.t_end - options.shift_ms, caption_text(one, options.kind))
        for number, one in enumerate(page, start=count + 1)
    )


def _vtt(page: Sequence[TextSegment], options: ExportOptions, count: int) -> str:
    return "".join(
        vtt_cue(number, one.t_start - options.shift_ms, one.t_end - options.shift_ms, caption_text(one, options.kind))
        for number, one in enumerate(page, start=count + 1)
    )


def _txt(page: Sequence[TextSegment], options: ExportOptions, _: int) -> str:
    lines = []
    for one in page:
        time = f"[{clock_time(one.t_start - options.shift_ms)}] " if options.has_timestamps else ""
        lines.append(f"{time}{caption_text(one, options.kind)}\n")
    return "".join(lines)


def _json(page: Sequence[TextSegment], options: ExportOptions, count: int) -> str:
    return "".join(
        f"{',' if number else ''}\n{json.dumps(_record(one, options), ensure_ascii=False)}"
        for number, one in enumerate(page, start=count)
    )


def _csv(page: Sequence[TextSegment], options: ExportOptions, _: int) -> str:
    return "".join(_csv_row(_cells(one, options)) for one in page)


_PIECES: Mapping[ExportFormat, Any] = {"srt": _srt, "vtt": _vtt, "txt": _txt, "json": _json, "csv": _csv}


def caption_text(segment: TextSegment, kind: ExportKind) -> str:
    """With both kinds together, what is shown stands in brackets, as subtitles do it."""
    text = on_one_line(segment.text)
    return f"[{text}]" if kind == "both" and segment.kind == "text" else text


def _record(segment: TextSegment, options: ExportOptions) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kind": segment.kind,
        "text": segment.text,
        "t_start": segment.t_start - options.shift_ms,
        "t_end": segment.t_end - options.shift_ms,
        "confidence": round(segment.confidence, 4),
        "language": segment.language,
    }
    if segment.kind == "text":
        return found | {"bounding_box": segment.box.to_json()}
    return found | {"words": segment.words or []}


def _cells(segment: TextSegment, options: ExportOptions) -> list[object]:
    start, end = segment.t_start - options.shift_ms, segment.t_end - options.shift_ms
    box = segment.box
    place: list[object] = [box.x, box.y, box.width, box.height] if segment.kind == "text" else [""] * 4
    known = [segment.kind, clock_time(start), clock_time(end), start, end, safe_cell(segment.text)]
    return [*known, round(segment.confidence, 4), safe_cell(segment.language), *place]


def _csv_row(cells: Sequence[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(cells)
    return text.getvalue()
