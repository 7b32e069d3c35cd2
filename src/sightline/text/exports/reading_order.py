"""Reading order of texts that appear at the same time: rows from top to bottom, and along a row. Pure."""

from collections.abc import Iterable

from sightline.text.segments import TextSegment

MIN_ROW_OVERLAP = 0.5
"""Share of the lower height by which two texts must overlap to stand in one row."""


def in_reading_order(segments: Iterable[TextSegment]) -> list[TextSegment]:
    """What is shown comes before what is said at the same moment."""
    found = list(segments)
    shown = sorted((one for one in found if one.kind == "text"), key=lambda one: (one.box.y, one.box.x, one.id))
    rows: list[list[TextSegment]] = []
    for one in shown:
        if rows and _is_same_row(rows[-1][0], one):
            rows[-1].append(one)
        else:
            rows.append([one])
    ordered = [one for row in rows for one in sorted(row, key=lambda text: (text.box.x, text.box.y))]
    return ordered + [one for one in found if one.kind != "text"]


def _is_same_row(first: TextSegment, other: TextSegment) -> bool:
    a, b = first.box, other.box
    overlap = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return overlap >= MIN_ROW_OVERLAP * max(1, min(a.height, b.height))
