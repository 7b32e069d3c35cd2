"""Layout: lines of text grouped into rows, tables and blocks by where and when they are shown. Pure."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Self

from sightline.text.segments.segment import Box, TextSegment

MAX_JITTER_MS = 1000
"""Lines that appear, or disappear, within this time of each other are shown together."""
MIN_SHARED_TIME = 0.6
"""Lines are also shown together if both are visible for this part of the time in which one of them is."""
MAX_HEIGHT_RATIO = 1.5
"""Lines of one block are of similar size."""
MAX_WORD_GAP = 1.2
MAX_CELL_GAP = 30.0
"""The longest distance between pieces of one row, and between cells of one table row, in heights of a line."""
MAX_LINE_GAP = 1.2
MAX_TABLE_ROW_GAP = 2.5
"""The longest distance between two lines of a block, and between two rows of a table, in heights of a line."""
MAX_CELL_WORDS = 3
"""Cells of a table have few words; columns of longer lines are columns of prose."""
MAX_COMPARED = 100
"""Lines near one line that it is compared with: a limit for pictures full of signs, and for hostile ones."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a block: one segment, or several side by side that were read apart."""

    lines: tuple[TextSegment, ...]
    box: Box
    t_start: int
    t_end: int

    @classmethod
    def of(cls, lines: Sequence[TextSegment]) -> Self:
        return cls(
            tuple(lines),
            enclosing([one.box for one in lines]),
            min(one.t_start for one in lines),
            max(one.t_end for one in lines),
        )

    @property
    def text(self) -> str:
        return " ".join(one.text for one in self.lines)


@dataclass(frozen=True, slots=True)
class Reach:
    """How far apart two rows may be, in heights of a line: to the right or left, and up or down."""

    right: float = 0.0
    down: float = 0.0


@dataclass(frozen=True, slots=True)
class Layout:
    """Blocks of rows from top to bottom, and those of them that are cells of tables, row by row."""

    blocks: list[list[Row]]
    tables: list[list[int]]
    """The numbers of blocks that are cells of one table, in reading order."""


def enclosing(boxes: Sequence[Box]) -> Box:
    x, y = min(one.x for one in boxes), min(one.y for one in boxes)
    right, bottom = max(one.x + one.width for one in boxes), max(one.y + one.height for one in boxes)
    return Box(x, y, right - x, bottom - y)


def find_layout(segments: Sequence[TextSegment]) -> Layout:
    """Every segment is in exactly one row, and every row in exactly one block."""
    singles = [Row.of([one]) for one in segments]
    words = _chains(singles, _word_distance, Reach(right=MAX_WORD_GAP))
    rows = [Row.of([one for row in chain for one in row.lines]) for chain in words]
    tables = _find_tables(rows)
    cells = {id(cell) for table in tables for band in table for cell in band}
    chains = _chains(
        rows,
        lambda one, other: None if id(other) in cells else _line_distance(one, other),
        Reach(down=MAX_LINE_GAP),
    )
    blocks = [block for chain in chains for block in _visible_at_once(chain)]
    number = {id(chain[0]): at for at, chain in enumerate(blocks)}
    return Layout(blocks, [[number[id(cell)] for band in table for cell in band] for table in tables])


def _find_tables(rows: list[Row]) -> list[list[list[Row]]]:
    """Tables as lists of table rows: at least two columns and three rows, or three columns and two rows, of few words."""
    bands = [band for band in _chains(rows, _cell_distance, Reach(right=MAX_CELL_GAP)) if len(band) > 1]
    keep = [Row.of([one for cell in band for one in cell.lines]) for band in bands]
    wide = {id(row): band for row, band in zip(keep, bands, strict=True)}

    def distance(one: Row, other: Row) -> float | None:
        return _table_row_distance(one, other, wide[id(one)], wide[id(other)])

    # Columns may share no more than the middle of their cells, and those less than a height apart.
    chains = _chains(keep, distance, Reach(right=1.0, down=MAX_TABLE_ROW_GAP))
    tables = [[wide[id(row)] for row in chain] for chain in chains]
    return [
        table
        for table in tables
        if len(table) + len(table[0]) >= 5
        and len(table) > 1
        and median(len(cell.text.split()) for band in table for cell in band) <= MAX_CELL_WORDS
    ]


def _chains(rows: Sequence[Row], distance: Callable[[Row, Row], float | None], reach: Reach) -> list[list[Row]]:
    """Rows that follow one another: each is the nearest successor of the one before it, which is its nearest predecessor."""
    after: dict[int, tuple[float, int, int]] = {}
    before: dict[int, tuple[float, int, int]] = {}
    for one, other in near_pairs(rows, reach):
        for first, second in ((one, other), (other, one)):
            far = distance(rows[first], rows[second])
            if far is None:
                continue
            apart = abs(rows[first].t_start - rows[second].t_start)
            after[first] = min(after.get(first, (far, apart, second)), (far, apart, second))
            before[second] = min(before.get(second, (far, apart, first)), (far, apart, first))
    following = {one: other for one, (_, _, other) in after.items() if before[other][2] == one}
    found = []
    for start in sorted(set(range(len(rows))) - set(following.values())):
        chain = [start]
        while chain[-1] in following:
            chain.append(following[chain[-1]])
        found.append([rows[at] for at in chain])
    return found


def _visible_at_once(chain: list[Row]) -> Iterator[list[Row]]:
    """Parts of a chain whose rows are all visible at some time: of text that rolls, the first line and the last never are."""
    part: list[Row] = []
    for row in chain:
        together = [*part, row]
        if part and min(one.t_end for one in together) <= max(one.t_start for one in together):
            yield part
            together = [row]
        part = together
    yield part


def near_pairs(rows: Sequence[Row], reach: Reach) -> Iterator[tuple[int, int]]:
    """Pairs of rows of similar size that are shown together and not farther apart than `reach`.

    The work grows with the number of rows times what is near each of them at its time, which has a limit.
    """
    bands: dict[tuple[int, int], list[int]] = {}
    shown = [at for at in range(len(rows)) if rows[at].box.height > 0]
    for at in sorted(shown, key=lambda at: (rows[at].t_start, rows[at].box.y, rows[at].box.x, at)):
        row, box = rows[at], rows[at].box
        size = int(math.log(box.height, MAX_HEIGHT_RATIO))
        left, right = box.x - reach.right * box.height, box.x + box.width + reach.right * box.height
        top, bottom = box.y - reach.down * box.height, box.y + (1 + reach.down) * box.height
        compared: set[int] = set()
        for band in [band for near_size in (size - 1, size, size + 1) for band in _bands(near_size, top, bottom)]:
            if band not in bands:
                continue
            bands[band] = [other for other in bands[band][-MAX_COMPARED:] if rows[other].t_end > row.t_start]
            for other in bands[band]:
                near = rows[other].box
                if near.x > right or near.x + near.width < left or near.y > bottom or near.y + near.height < top:
                    continue
                if other in compared or len(compared) == MAX_COMPARED:
                    continue
                compared.add(other)
                if are_shown_together(rows[other], row):
                    yield other, at
        for band in _bands(size, box.y, box.y + box.height):
            bands.setdefault(band, []).append(at)


def _bands(size: int, top: float, bottom: float) -> Iterator[tuple[int, int]]:
    """The bands of the picture between two heights. Rows of each size have bands of their own, about two rows high."""
    band = 2 * MAX_HEIGHT_RATIO**size
    return ((size, at) for at in range(int(top // band), int(bottom // band) + 1))


def are_shown_together(one: Row, other: Row) -> bool:
    shared = min(one.t_end, other.t_end) - max(one.t_start, other.t_start)
    if shared <= 0:
        return False
    longer = max(one.t_end - one.t_start, other.t_end - other.t_start)
    return (
        abs(one.t_start - other.t_start) <= MAX_JITTER_MS
        or abs(one.t_end - other.t_end) <= MAX_JITTER_MS
        or shared >= longer * MIN_SHARED_TIME
    )


def _is_in_row(one: Box, other: Box) -> bool:
    shared = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return shared * 2 > min(one.height, other.height) and _are_alike(one, other)


def _are_alike(one: Box, other: Box) -> bool:
    low, high = sorted((one.height, other.height))
    return low > 0 and high <= low * MAX_HEIGHT_RATIO


def _distance_right(one: Box, other: Box) -> float | None:
    """From the end of one to the beginning of the other in the same row, in heights; they may overlap a little."""
    if not _is_in_row(one, other) or other.x <= one.x or other.x + other.width <= one.x + one.width:
        return None
    far = (other.x - one.x - one.width) / min(one.height, other.height)
    return None if far < -MAX_WORD_GAP / 2 else far


def _word_distance(one: Row, other: Row) -> float | None:
    far = _distance_right(one.box, other.box)
    return None if far is None or far > MAX_WORD_GAP else far


def _cell_distance(one: Row, other: Row) -> float | None:
    far = _distance_right(one.box, other.box)
    return None if far is None or far > MAX_CELL_GAP else far


def _distance_down(one: Box, other: Box) -> float | None:
    """From the bottom of one to the top of the other, in heights; lines may overlap a little."""
    if not _are_alike(one, other) or one.y + one.height / 2 >= other.y + other.height / 2:
        return None
    far = (other.y - one.y - one.height) / min(one.height, other.height)
    return None if far < -0.4 else far


def _line_distance(one: Row, other: Row) -> float | None:
    far = _distance_down(one.box, other.box)
    if far is None or far > MAX_LINE_GAP:
        return None
    shared = min(one.box.x + one.box.width, other.box.x + other.box.width) - max(one.box.x, other.box.x)
    is_aligned = abs(one.box.x - other.box.x) <= MAX_HEIGHT_RATIO * one.box.height
    if shared <= 0 or not (is_aligned or shared * 5 >= 2 * min(one.box.width, other.box.width)):
        return None
    # Of two lines at the same distance, the one that begins at the same edge continues the block.
    return max(far, 0.0) + (0 if is_aligned else 0.5)


def _table_row_distance(one: Row, other: Row, upper: list[Row], lower: list[Row]) -> float | None:
    far = _distance_down(one.box, other.box)
    if far is None or far > MAX_TABLE_ROW_GAP or len(upper) != len(lower):
        return None
    if not all(_are_in_column(above.box, below.box) for above, below in zip(upper, lower, strict=True)):
        return None
    return max(far, 0.0)


def _are_in_column(above: Box, below: Box) -> bool:
    """Whether both begin, end, or have their middle at the same place."""
    reach = min(above.height, below.height)
    ends: Iterable[float] = (
        above.x - below.x,
        above.x + above.width - below.x - below.width,
        above.x + above.width / 2 - below.x - below.width / 2,
    )
    return any(abs(end) <= reach for end in ends)
