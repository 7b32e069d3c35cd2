"""Tickers: fragments of a line that scrolls by become the line again."""

from uuid import UUID

import pytest

from sightline.text import Box, merge_readings
from sightline.text.segments.ticker import has_entered, step_between
from support.screen_text import reading

LINE = (
    "BREAKING NEWS: Stocks rise as markets rally worldwide while rain falls in the north and trains are late again today "
    "with more to come after the weather at half past nine"
)
STRIP = Box(0, 700, 640, 30)


def scroll(line: str, *, letters: int = 30, step: int = 2, frame_ms: int = 100):
    """What is read of a line that moves by `step` letters a frame."""
    return [
        reading(line[at : at + letters].strip(), number * frame_ms, (number + 1) * frame_ms, box=STRIP)
        for number, at in enumerate(range(0, len(line) - letters + 1, step))
    ]


def merged(readings):
    return merge_readings(UUID(int=1), readings, gap_ms=300)


@pytest.mark.parametrize("step", [1, 2, 3, 5])
def test_a_scrolling_line_becomes_few_segments_that_hold_every_word_whole(step):
    frames = scroll(LINE, step=step)
    segments = merged(frames)
    assert len(segments) < len(frames) / 5
    words = {word for one in segments for word in one.text.split()}
    cut_off_at_the_end = LINE.split()[-2:]
    assert set(LINE.split()) - words <= set(cut_off_at_the_end)


def test_each_segment_has_the_time_its_words_were_on_screen():
    segments = merged(scroll(LINE))
    (rain,) = [
        one for one in segments if one.text.split()[0] in ("rain", "while", "worldwide") or "rain falls" in one.text
    ][:1]
    # The words enter at the right edge when the line has moved so far.
    enters_ms = (LINE.index("rain") - 30) // 2 * 100
    assert rain.t_start <= enters_ms + 500
    assert segments[0].t_start == 0
    assert all(one.t_end > one.t_start for one in segments)


def test_words_misread_in_one_fragment_do_not_break_the_line():
    frames = scroll(LINE, step=2)
    frames[5] = reading(frames[5].text.replace("Stocks", "Stocxs"), frames[5].t_start, frames[5].t_end, box=STRIP)
    assert len(merged(frames)) < len(frames) / 4


def test_segments_of_a_ticker_count_all_their_readings():
    frames = scroll(LINE)
    assert sum(one.readings for one in merged(frames)) == len(frames)


def test_consecutive_lines_at_one_position_are_not_a_ticker():
    frames = [
        reading(f"Subtitle number {number} of this film", number * 900, number * 900 + 900, box=STRIP)
        for number in range(6)
    ]
    assert len(merged(frames)) == 6


def test_a_line_being_typed_is_not_a_ticker():
    typed = "git commit -m fixed the thing"
    frames = [reading(typed[:end], end * 100, end * 100 + 100) for end in range(14, len(typed) + 1)]
    assert typed in [one.text for one in merged(frames)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("BREAKING NEWS: Stocks ri", "REAKING NEWS: Stocks rise", (0, True)),
        ("BREAKING NEWS: Stocks rise", "NEWS: Stocks rise as", (1, True)),
        ("one two three four", "one two three four five", (0, False)),
        ("one two three", "four five six", None),
        ("two three four", "one two three", None),
    ],
)
def test_the_inner_words_show_how_far_a_line_moved(before, after, expected):
    assert step_between(before.split(), after.split()) == expected


def test_a_slow_line_entering_from_the_right_is_a_ticker():
    words = ["Bright", "engine", "protects", "the", "bridge", "every", "day", "of"]
    frames = []
    for number in range(6):
        box = Box(900 - number * 100, 700, 380 + number * 100, 30)
        frames.append(reading(" ".join(words[: 3 + number]), number * 1500, number * 1500 + 1500, box=box))
    assert [(one.text, one.t_start, one.t_end) for one in merged(frames)] == [(" ".join(words), 0, 9000)]


def test_a_line_read_at_different_heights_is_still_one():
    frames = scroll(LINE)
    for number in range(0, len(frames), 3):
        one = frames[number]
        frames[number] = reading(one.text, one.t_start, one.t_end, box=Box(0, 660, 640, 90))
    assert len(merged(frames)) < len(frames) / 5


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (Box(900, 700, 380, 30), Box(800, 700, 480, 30), True),
        (Box(100, 700, 380, 30), Box(100, 700, 480, 30), False),
        (Box(400, 700, 400, 30), Box(350, 700, 500, 30), False),
        (Box(900, 700, 380, 30), Box(895, 700, 385, 30), False),
    ],
    ids=["enters", "is typed", "is centred", "hardly moved"],
)
def test_a_line_entering_from_the_right_differs_from_one_that_grows(before, after, expected):
    assert has_entered(before, after) == expected


@pytest.mark.req(786)
@pytest.mark.parametrize("speed", [1, 3, 6])
def test_an_item_wider_than_the_screen_becomes_one_segment_from_its_first_to_its_last_trace(speed):
    item = "City council votes 14 to 9 to reopen the old tram depot as a covered market from next April"
    letters, frames = 40, []
    for number, at in enumerate(range(12 - letters, len(item) - 14, speed)):
        text = item[max(0, at) : at + letters].strip()
        box = Box(max(0, -at * 16), 700, 16 * len(text), 30)
        frames.append(reading(text, number * 100, number * 100 + 100, box=box))
    (segment,) = merged(frames)
    assert (segment.text, segment.t_end) == (item, 100 * len(frames))
    assert segment.t_start <= 200, "its first two words alone are not yet known to move"


@pytest.mark.req(786)
def test_the_end_of_an_item_that_leaves_slowly_belongs_to_it():
    item = "Researchers find that bees remember faces for up to 3 weeks, says a study of 1,240 hives"
    frames = [
        reading(item[at : at + 50].strip(), number * 100, number * 100 + 100, box=STRIP)
        for number, at in enumerate(range(0, len(item) - 50, 2))
    ]
    end = frames[-1].t_end
    frames.append(reading(item[-48:].strip(), end, end + 5000, box=STRIP))
    assert [(one.text, one.t_end) for one in merged(frames)] == [(item, end + 5000)]
