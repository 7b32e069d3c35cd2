"""Tables fit a terminal of 80 columns, and lose nothing in a pipe."""

import io
from datetime import UTC, datetime

import pytest
from rich.console import Console

from sightline.cli.output.tables import fact_lines, new_table, print_table, time_text

ID = "0197b2a4-6c3e-7a11-8f00-3d1c5a9be210"
REASON = "a long reason " * 20


def _printed(*, is_terminal: bool, width: int = 80) -> list[str]:
    table = new_table("id", "queue", "reason")
    table.add_row(ID, "rez-agent-message-queue-dev", REASON)
    output = io.StringIO()
    print_table(table, console=Console(file=output, force_terminal=is_terminal, width=width, color_system=None))
    return output.getvalue().splitlines()


@pytest.mark.parametrize("width", [60, 80, 200])
def test_on_a_terminal_no_line_is_wider_and_nothing_is_cut(width: int):
    lines = _printed(is_terminal=True, width=width)
    assert max(map(len, lines)) <= width
    assert any(ID in line for line in lines)
    assert "…" not in "".join(lines)
    assert "".join(lines).count("reason") == 1 + REASON.count("reason")


def test_in_a_pipe_a_row_is_one_line_with_everything_and_no_blanks_at_its_end():
    head, row = _printed(is_terminal=False)
    assert head.split() == ["id", "queue", "reason"]
    assert row == f"{ID}  rez-agent-message-queue-dev  {REASON}".rstrip()


def test_a_time_is_short_only_on_a_narrow_terminal():
    moment = datetime(2026, 11, 16, 12, 30, 5, tzinfo=UTC)
    assert time_text(moment, narrow=False) == "2026-11-16T12:30:05.000Z"
    assert len(time_text(moment, narrow=True)) == len("11-16 12:30")


def test_facts_are_aligned_and_show_what_is_missing():
    assert fact_lines({"id": 1, "created_at": None}) == ["id          1", "created at  –"]
