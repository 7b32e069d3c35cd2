"""Blocks: lines of text that belong together (paragraph, list, table cell, caption), and their reading order. Pure."""

import re
from collections.abc import Sequence
from itertools import groupby
from uuid import UUID

from sightline.text.segments.layout import Row, enclosing, find_layout
from sightline.text.segments.reading_order import reading_order
from sightline.text.segments.segment import BlockKind, BlockLine, Box, TextSegment

SAME_APPEARANCE_MS = 500
"""What appears within this time is listed in reading order rather than by time: frames of one fade."""
MAX_CAPTION_ROWS = 3
MAX_CAPTION_MS = 10_000
_LIST_ITEM = re.compile(r"\s*(?:[•●▪◦‣·*–—-]\s+|\(?\d{1,2}[.)]\s+|\(?[a-z][.)]\s+|[☐☑✓✔]\s*)", re.IGNORECASE)


def find_blocks(segments: Sequence[TextSegment]) -> dict[UUID, BlockLine]:
    """The block and line of each text on screen. Blocks are numbered from 0 by when they appear and in reading order.

    The same segments give the same blocks, in whatever order they are given. Speech is in no block.
    """
    texts = sorted((one for one in segments if one.kind == "text"), key=lambda one: (one.t_start, one.id))
    if not texts:
        return {}
    layout = find_layout(texts)
    appears = _appearances([one.t_start for one in texts])
    screen = enclosing([one.box for one in texts])
    screen = Box(0, 0, screen.x + screen.width, screen.y + screen.height)
    cells = {at for table in layout.tables for at in table}
    found: dict[UUID, BlockLine] = {}
    for number, at in enumerate(_order(layout.blocks, layout.tables, appears)):
        rows = layout.blocks[at]
        kind: BlockKind = "cell" if at in cells else _kind(rows, screen)
        lines = [one for row in rows for one in row.lines]
        for line, one in enumerate(lines):
            found[one.id] = BlockLine(number, kind, line, appears[one.t_start])
    return found


def lines_of_blocks(segments: Sequence[TextSegment], places: dict[UUID, BlockLine]) -> list[list[TextSegment]]:
    """The lines of each block in reading order, blocks by number."""
    placed = sorted((one for one in segments if one.id in places), key=lambda one: place_order(places[one.id]))
    return [list(lines) for _, lines in groupby(placed, key=lambda one: places[one.id].block)]


def place_order(place: BlockLine) -> tuple[int, int]:
    return place.block, place.line


def _appearances(starts: Sequence[int]) -> dict[int, int]:
    """For each time at which a text begins, the first one of those around it."""
    found: dict[int, int] = {}
    first = None
    for start in sorted(set(starts)):
        if first is None or start - first > SAME_APPEARANCE_MS:
            first = start
        found[start] = first
    return found


def _order(blocks: list[list[Row]], tables: list[list[int]], appears: dict[int, int]) -> list[int]:
    """The numbers of the blocks by appearance, then in reading order. The cells of a table follow each other."""
    table_of = {at: number for number, table in enumerate(tables) for at in table}
    units: list[list[int]] = [*tables, *([at] for at in range(len(blocks)) if at not in table_of)]
    by_time: dict[int, list[list[int]]] = {}
    for unit in units:
        start = min(row.t_start for at in unit for row in blocks[at])
        by_time.setdefault(appears[start], []).append(unit)
    ordered: list[int] = []
    for start in sorted(by_time):
        together = sorted(by_time[start], key=lambda unit: _key(unit, blocks))
        boxes = [enclosing([row.box for at in unit for row in blocks[at]]) for unit in together]
        ordered += [at for place in reading_order(boxes) for at in together[place]]
    return ordered


def _key(unit: list[int], blocks: list[list[Row]]) -> tuple[int, int, str]:
    first = blocks[unit[0]][0]
    return first.box.y, first.box.x, str(first.lines[0].id)


def _kind(rows: list[Row], screen: Box) -> BlockKind:
    items = sum(_LIST_ITEM.match(row.text) is not None for row in rows)
    if items * 2 >= len(rows) and (items > 1 or (items == 1 and rows[0].text.lstrip()[:1] in "•●▪◦‣☐☑✓✔")):
        return "list"
    box = enclosing([row.box for row in rows])
    duration = max(row.t_end for row in rows) - min(row.t_start for row in rows)
    is_low = box.y * 3 >= screen.height * 2
    is_centred = abs(2 * box.x + box.width - screen.width) * 20 <= 3 * 2 * screen.width
    return (
        "caption"
        if is_low and is_centred and len(rows) <= MAX_CAPTION_ROWS and duration <= MAX_CAPTION_MS
        else "paragraph"
    )
