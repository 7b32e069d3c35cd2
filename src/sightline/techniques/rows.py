"""Rows of files with clips, CSV or JSON: their values, and errors that name the line. Pure.

JSON: a bare list, or an object that has the list and other fields. CSV: a header and one row per line.
"""

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sightline.errors import InvalidInput
from sightline.spreadsheet_cells import plain_cell

MAX_REPORTED_ERRORS = 20
MAX_TEXT_LENGTH = 2000
_CLOCK = re.compile(r"(?:(\d{1,6}):)?([0-5]?\d):([0-5]\d(?:\.\d{1,6})?)")

Parsed = TypeVar("Parsed")
NumberedRow = tuple[str, Any]
"""Where it is in the file, such as "line 3", and what is there."""


class RowError(Exception):
    """What is wrong with one row."""


@dataclass(frozen=True, slots=True)
class RowFile:
    name: str
    rows: Iterator[NumberedRow]
    header: Mapping[str, Any] = field(default_factory=dict)
    """The fields beside the list, in JSON."""


def open_rows(content: bytes, *, name: str, lists: tuple[str, ...] = ("clips",), row_name: str = "clip") -> RowFile:
    """Files whose name ends in `.csv` are CSV, others JSON, in which the list has one of these names."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{name}: not UTF-8 at byte {error.start}") from error
    if "\0" in text:
        raise InvalidInput(f"{name}: contains a NUL character")
    if name.endswith(".csv"):
        return RowFile(name, _csv_rows(name, text))
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{name}: not JSON: {error}") from error
    whole = {lists[0]: found} if isinstance(found, list) else found
    rows = next((whole[one] for one in lists if one in whole), None) if isinstance(whole, dict) else None
    if not isinstance(rows, list):
        raise InvalidInput(f"{name}: neither a list of {lists[0]} nor an object with `{lists[0]}`")
    return RowFile(name, ((f"{row_name} {number}", row) for number, row in enumerate(rows, start=1)), whole)


def parse_rows(file: RowFile, parse: Callable[[Mapping[str, Any]], Parsed]) -> list[Parsed]:
    """All rows, or one error that names every invalid line (up to twenty)."""
    parsed: list[Parsed] = []
    errors: list[dict[str, str]] = []
    for where, row in file.rows:
        try:
            if isinstance(row, RowError):
                raise row
            if not isinstance(row, Mapping):
                raise RowError("not an object")
            parsed.append(parse(row))
        except RowError as error:
            errors.append({"where": where, "message": str(error)})
    if errors:
        raise rows_refused(file.name, errors)
    return parsed


def rows_refused(name: str, errors: list[dict[str, str]]) -> InvalidInput:
    shown = "; ".join(f"{one['where']}: {one['message']}" for one in errors[:MAX_REPORTED_ERRORS])
    more = f"; and {len(errors) - MAX_REPORTED_ERRORS} more" if len(errors) > MAX_REPORTED_ERRORS else ""
    return InvalidInput(f"{name}: {shown}{more}", details={"errors": errors[:MAX_REPORTED_ERRORS]})


def _csv_rows(name: str, text: str) -> Iterator[NumberedRow]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        header = reader.fieldnames
        if header is None:
            raise InvalidInput(f"{name}: line 1: no header")
        reader.fieldnames = [column.strip().lower() for column in header]
        for row in reader:
            if None in row:
                yield f"line {reader.line_num}", RowError("more fields than the header names")
            elif None in row.values():
                yield f"line {reader.line_num}", RowError("fewer fields than the header names")
            else:
                yield f"line {reader.line_num}", {key: plain_cell(value.strip()) or None for key, value in row.items()}
    except csv.Error as error:
        raise InvalidInput(f"{name}: line {reader.line_num + 1}: {error}") from error


# Values ---------------------------------------------------------------------------------------------------------------


def check_fields(row: Mapping[str, Any], known: frozenset[str]) -> None:
    if unknown := sorted(str(key) for key in row if key not in known):
        raise RowError(f"unknown field {', '.join(unknown)}")


def first_value(row: Mapping[str, Any], *names: str) -> Any:
    """The value of the first of these fields that has one."""
    return next((value for name in names if (value := row.get(name)) is not None), None)


def seconds_of(value: Any, field_name: str) -> float:
    """Seconds, or `[HH:]MM:SS[.mmm]`."""
    if isinstance(value, str) and (found := _CLOCK.fullmatch(value.strip())):
        return int(found[1] or 0) * 3600 + int(found[2]) * 60 + float(found[3])
    number = number_of(value, field_name)
    if not 0 <= number <= 1e9:
        raise RowError(f"{field_name}: {value!r} is not a time in a video")
    return number


def frame_of(row: Mapping[str, Any], side: str, fps: float | None) -> int | None:
    """The field `start_frame` or `end_frame`; None if the row says the time by `start` or `end` instead."""
    frame, moment = row.get(f"{side}_frame"), row.get(side)
    if (frame is None) == (moment is None):
        raise RowError(f"it needs one of {side} and {side}_frame")
    if frame is None:
        return None
    if fps is None:
        raise RowError(f"{side}_frame: the frame rate is not known; say fps, or give times")
    number = number_of(frame, f"{side}_frame")
    if number < 0 or number != math.floor(number):
        raise RowError(f"{side}_frame: {frame!r} is not a frame number")
    return int(number)


def frame_rate(file: RowFile, video_fps: float | None) -> float | None:
    """The frame rate that the file names, else that of the video."""
    own = file.header.get("fps")
    try:
        fps = video_fps if own is None else number_of(own, "fps")
    except RowError as error:
        raise InvalidInput(f"{file.name}: {error}") from None
    if fps is not None and fps <= 0:
        raise InvalidInput(f"{file.name}: fps must be above 0")
    return fps


def number_of(value: Any, field_name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise RowError(f"{field_name}: a number is needed")
    try:
        number = float(value)
    except (ValueError, OverflowError):
        raise RowError(f"{field_name}: {value!r} is not a number") from None
    if not math.isfinite(number):
        raise RowError(f"{field_name}: {value!r} is not a number")
    return number


def text_of(value: Any, field_name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise RowError(f"{field_name}: a text is needed")
    if len(value) > MAX_TEXT_LENGTH:
        raise RowError(f"{field_name}: longer than {MAX_TEXT_LENGTH} characters")
    return value.strip()
