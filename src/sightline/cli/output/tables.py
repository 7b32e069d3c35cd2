"""Tables on a terminal and in a pipe."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from rich.console import Console, JustifyMethod
from rich.table import Table

from sightline.timing import iso_utc

WIDE_TERMINAL = 120
WIDE_ENOUGH = 100_000  # in a pipe no cell is folded: a row is a line


def new_table(*columns: str, right: Iterable[str] = ()) -> Table:
    """A table without lines. On a terminal, cells that do not fit are folded, never cut; an id stays on one line."""
    table = Table(box=None, pad_edge=False)
    aligned_right = set(right)
    for column in columns:
        justify: JustifyMethod = "right" if column in aligned_right else "left"
        table.add_column(column, overflow="fold", no_wrap=column == "id", justify=justify)
    return table


def is_narrow() -> bool:
    """Whether standard output is a terminal with too few columns for everything."""
    console = Console()
    return console.is_terminal and console.width < WIDE_TERMINAL


def time_text(moment: datetime, *, narrow: bool) -> str:
    """ISO 8601; on a narrow terminal day and minute in local time."""
    return f"{moment.astimezone():%m-%d %H:%M}" if narrow else iso_utc(moment)


def print_table(table: Table, *, console: Console | None = None) -> None:
    """As wide as the terminal; in a pipe as wide as it needs to be, without blanks at the ends of lines."""
    output = console or Console()
    if output.is_terminal:
        output.print(table)
        return
    wide = Console(width=WIDE_ENOUGH, file=output.file, color_system=None)
    with wide.capture() as captured:
        wide.print(table)
    for line in captured.get().splitlines():
        output.file.write(line.rstrip() + "\n")


def fact_lines(facts: dict[str, Any]) -> list[str]:
    """One line per field, the names padded to one width."""
    width = max(map(len, facts))
    return [f"{name.replace('_', ' '):<{width}}  {'–' if value is None else value}" for name, value in facts.items()]
