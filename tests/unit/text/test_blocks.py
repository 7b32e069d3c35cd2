"""Blocks and reading order: paragraphs, columns, lists, tables and captions, by where and when lines are shown."""

import random
import sys
from uuid import UUID, uuid5

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.text import Box, TextSegment
from sightline.text.segments import find_blocks, layout
from sightline.text.segments.blocks import lines_of_blocks
from sightline.text.segments.layout import are_shown_together
from sightline.text.segments.reading_order import reading_order

VIDEO = UUID(int=1)


def line(text, x, y, *, width=None, height=30, t_start=0, t_end=5000, kind="text") -> TextSegment:
    return TextSegment(
        id=uuid5(VIDEO, f"{text}{x}{y}{t_start}"),
        video_id=VIDEO,
        text=text,
        normalized_text=text.lower(),
        t_start=t_start,
        t_end=t_end,
        confidence=0.9,
        box=Box(x, y, width or 15 * len(text), height),
        language="eng",
        frame_ms=t_start,
        readings=3,
        kind=kind,
    )


def blocks(*lines: TextSegment) -> list[tuple[str, list[str]]]:
    places = find_blocks(lines)
    return [(places[block[0].id].kind, [one.text for one in block]) for block in lines_of_blocks(lines, places)]


@pytest.mark.req(723)
def test_lines_below_each_other_are_one_block_and_a_headline_of_another_size_is_its_own():
    assert blocks(
        line("Who", 100, 140), line("Doctor", 100, 100), line("Tonight on television", 90, 10, height=60)
    ) == [("paragraph", ["Tonight on television"]), ("paragraph", ["Doctor", "Who"])]


@pytest.mark.req(724)
def test_columns_are_read_one_after_the_other_below_what_spans_them():
    left = [line(f"left column with line {at}", 50, 100 + 40 * at, width=480) for at in range(4)]
    right = [line(f"right column with line {at}", 600, 100 + 40 * at, width=480) for at in range(4)]
    found = blocks(*right, *left, line("A headline across both", 50, 20, width=1000, height=60))
    assert [block for _, block in found] == [
        ["A headline across both"],
        [one.text for one in left],
        [one.text for one in right],
    ]


@pytest.mark.req(724)
def test_the_cells_of_a_table_are_blocks_that_are_read_row_by_row():
    columns = {50: "Name", 400: "Price", 800: "Stock"}
    cells = [line(f"{name} {row}", x, 100 + 60 * row, width=120) for row in range(3) for x, name in columns.items()]
    random.Random(1).shuffle(cells)
    assert blocks(*cells) == [("cell", [f"{name} {row}"]) for row in range(3) for name in columns.values()]


@pytest.mark.req(724)
def test_a_cell_of_two_lines_is_one_block():
    table = [
        line(f"{name} {row}", x, 100 + 80 * row, width=200) for row in range(3) for x, name in ((50, "A"), (600, "B"))
    ]
    assert ("cell", ["A 1", "and more"]) in blocks(*table, line("and more", 50, 216, width=200))


@pytest.mark.req(724)
def test_a_list_whose_items_appear_one_by_one_is_one_block():
    items = [
        line("• apples", 50, 100),
        line("• pears and", 50, 140, t_start=1500),
        line("plums", 80, 180, t_start=1500),
        line("• nuts", 50, 220, t_start=3000),
    ]
    assert blocks(*items) == [("list", ["• apples", "• pears and", "plums", "• nuts"])]


@pytest.mark.req(724)
def test_subtitles_are_captions_and_those_that_follow_are_others():
    screen = line("Channel 4", 1700, 20, width=200, t_end=60_000)
    first = [line("I never said that we", 700, 900, width=520), line("would leave", 800, 940, width=320)]
    second = [line("You did", 850, 900, width=220, t_start=5000, t_end=8000)]
    assert blocks(screen, *first, *second) == [
        ("caption", ["I never said that we", "would leave"]),
        ("paragraph", ["Channel 4"]),
        ("caption", ["You did"]),
    ]


@pytest.mark.req(724)
def test_parts_of_one_line_that_were_read_apart_are_in_its_row():
    assert blocks(line("of mine", 100, 140), line("there friend", 190, 102), line("hello", 100, 100)) == [
        ("paragraph", ["hello", "there friend", "of mine"])
    ]


@pytest.mark.req(724)
def test_what_was_never_on_screen_together_is_not_one_block():
    assert len(blocks(line("before", 100, 100, t_end=2000), line("after", 100, 140, t_start=2000))) == 2
    rolling = [line(f"line {at}", 100, 100 + 40 * at, t_start=at * 900, t_end=at * 900 + 2000) for at in range(9)]
    for _, block in blocks(*rolling):
        assert len(block) <= 3


@pytest.mark.req(725)
def test_what_appears_within_one_fade_is_listed_in_reading_order():
    lines = [
        line("second", 100, 140, t_start=0),
        line("first", 100, 100, t_start=300),
        line("later", 100, 400, t_start=900),
    ]
    places = find_blocks(lines)
    listed = sorted(lines, key=lambda one: (places[one.id].appears_ms, places[one.id].block, places[one.id].line))
    assert [one.text for one in listed] == ["first", "second", "later"]


def test_speech_is_in_no_block():
    said = line("hello", 0, 0, kind="speech")
    assert find_blocks([said]) == {}
    assert set(find_blocks([said, line("shown", 10, 10)])) == {line("shown", 10, 10).id}


_boxes = st.builds(
    Box,
    st.integers(-50, 1900),
    st.integers(-50, 1000),
    st.integers(0, 900),
    st.sampled_from([0, 1, 20, 30, 36, 200, 5000]),
)


@st.composite
def _lines(draw):
    found = []
    for number in range(draw(st.integers(0, 25))):
        start = draw(st.integers(0, 40)) * 250
        box = draw(_boxes)
        made = line(
            f"text {number}", box.x, box.y, height=box.height, t_start=start, t_end=start + draw(st.integers(0, 9000))
        )
        found.append(made)
    return found


@settings(max_examples=60)
@given(_lines(), st.randoms())
def test_every_line_has_one_place_and_the_order_of_the_lines_does_not_matter(lines, chance):
    places = find_blocks(lines)
    assert set(places) == {one.id for one in lines}
    assert len({(one.block, one.line) for one in places.values()}) == len(lines)
    assert {one.block for one in places.values()} == set(range(len({one.block for one in places.values()})))
    shuffled = list(lines)
    chance.shuffle(shuffled)
    assert find_blocks(shuffled) == places


@settings(max_examples=60)
@given(st.lists(_boxes, max_size=80))
def test_reading_order_has_every_box_once(boxes):
    assert sorted(reading_order(boxes)) == list(range(len(boxes)))


def _steps(lines: list[TextSegment]) -> int:
    """How many lines of code find_blocks runs: its cost on any machine."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        find_blocks(lines)
    finally:
        sys.settrace(before)
    return count


def _slides(count: int) -> list[TextSegment]:
    return [
        line(
            f"line {at}",
            100 + at % 2 * 500,
            40 + at % 20 // 2 * 40,
            t_start=at // 20 * 5000,
            t_end=at // 20 * 5000 + 5000,
        )
        for at in range(count)
    ]


def _signs(count: int) -> list[TextSegment]:
    """All on screen at once, on top of each other."""
    chance = random.Random(count)
    return [line(f"sign {at}", chance.randrange(300), chance.randrange(150)) for at in range(count)]


@pytest.mark.req(800)
@pytest.mark.parametrize("lines", [_slides, _signs])
def test_twice_the_lines_are_twice_the_work_however_many_are_on_screen_together(lines, monkeypatch):
    monkeypatch.setattr(layout, "MAX_COMPARED", 10)  # so that few lines are enough to reach it
    assert _steps(lines(400)) < 2.2 * _steps(lines(200))


@pytest.mark.req(800)
def test_a_line_of_a_full_screen_is_compared_only_with_those_near_it(monkeypatch):
    screen = [line(f"cell {at}", at % 12 * 160, at // 12 * 40) for at in range(12 * 25)]
    compared = 0

    def counted(one, other):
        nonlocal compared
        compared += 1
        return are_shown_together(one, other)

    monkeypatch.setattr(layout, "are_shown_together", counted)
    find_blocks(screen)
    assert compared < 10 * len(screen), "once for each way in which lines can belong together"
