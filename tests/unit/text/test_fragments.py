"""Fragments of a line are dropped, in time that grows with the number of lines and not with its square."""

import random
from unittest.mock import Mock

import pytest

from sightline.text import Box
from sightline.text.segments import fragments
from sightline.text.segments.runs import TextRun
from support.screen_text import reading


def _run(text, start, end, *, x=10):
    return TextRun.of([reading(text, start, end, box=Box(x, 20, 10 * len(text), 30))])


def _typed(count, *, every_ms):
    """Lines that are typed in two stages, each of which is a run."""
    found = []
    for number in range(count):
        line, at = f"line {number} of the listing", number * every_ms
        found += [_run(line[:9], at, at + 500), _run(line, at + 500, at + 2000)]
    return found


@pytest.mark.req(708)
def test_stages_of_a_line_are_dropped_and_each_run_is_compared_with_those_near_it_only(monkeypatch):
    compare = Mock(side_effect=fragments._is_fragment)
    monkeypatch.setattr(fragments, "_is_fragment", compare)
    kept = fragments.drop_fragments(_typed(600, every_ms=3000))
    assert sorted(len(run.readings[0].text) for run in kept) == sorted(
        len(f"line {n} of the listing") for n in range(600)
    )
    assert compare.call_count < 10 * 1200


@pytest.mark.req(708)
def test_the_same_is_dropped_as_when_every_run_is_compared_with_every_other():
    draw = random.Random(7)
    line = "the quick brown fox jumps over the lazy dog"
    runs = []
    for _ in range(300):
        first, start = draw.randrange(30), draw.randrange(60_000)
        text = line[first : first + draw.randrange(4, 40)].strip()
        runs.append(_run(text, start, start + draw.choice((100, 900, 2400, 9000)), x=draw.randrange(400)))
    expected: list[TextRun] = []
    for run in sorted(runs, key=lambda run: (-len(run.normalized), run.t_start)):
        if run.duration > fragments.MAX_FRAGMENT_MS or not any(fragments._is_fragment(run, one) for one in expected):
            expected.append(run)
    assert fragments.drop_fragments(runs) == expected
    assert len(expected) < len(runs)


@pytest.mark.req(1131)
def test_a_cell_whose_text_occurs_in_another_cell_of_its_row_is_no_fragment():
    name = TextRun.of([reading("Travel, 240 km", 0, 2000, box=Box(10, 20, 200, 30))])
    hours = TextRun.of([reading("240", 0, 2000, box=Box(400, 20, 50, 30))])
    assert len(fragments.drop_fragments([name, hours])) == 2


@pytest.mark.req(1131)
def test_what_moves_beside_the_line_it_is_cut_out_of_is_a_fragment():
    whole = TextRun.of(
        [reading("Bridge reopens", at, at + 500, box=Box(300 - at // 10, 20, 200, 30)) for at in (0, 500, 1000)]
    )
    part = TextRun.of([reading("reopens", 500, 1000, box=Box(560, 20, 90, 30))])
    assert fragments.drop_fragments([whole, part]) == [whole]
