"""Hits in the terminal: readable, and harmless whatever a video shows."""

from uuid import UUID

import pytest

from sightline.api.answers.search import SearchAnswer
from sightline.api.answers.text import BoxAnswer, HitAnswer, HitLineAnswer, MarkAnswer
from sightline.cli.output.durations import media_time
from sightline.cli.output.search import hits_table, marked, summary


def hit(text="Invoice total", *marks, name="talk.mp4", is_by_meaning=False):
    box = BoxAnswer(x=0, y=0, width=1, height=1)
    highlights = [MarkAnswer(start=start, end=end) for start, end in marks]
    return HitAnswer(
        video_id=UUID(int=1),
        video_name=name,
        segment_id=UUID(int=2),
        text=text,
        highlights=highlights,
        match="meaning" if is_by_meaning else "exact",
        matched="meaning" if is_by_meaning else "words",
        similarity=0.5 if is_by_meaning else None,
        may_be_misread=False,
        scope="line",
        lines=[HitLineAnswer(segment_id=UUID(int=2), text=text, highlights=highlights, bounding_box=box)],
        t_start=61_500,
        t_end=64_000,
        confidence=0.9,
        unsure=False,
        bounding_box=box,
        language="eng",
        frame_ms=61_500,
        kind="text",
        thumbnail_url="u",
        play_url="p",
        stream_url="s",
    )


def answer(hits, total, page=1):
    return SearchAnswer(
        query="invoice", page=page, page_size=20, total=total, hits=hits, meaning_used=False, meaning_total=0
    )


@pytest.mark.parametrize(("ms", "text"), [(0, "0:00.0"), (61_550, "1:01.5"), (3_725_300, "1:02:05.3")])
def test_times_read_as_on_a_player(ms, text):
    assert media_time(ms) == text


def test_what_was_found_is_bold():
    text = marked(hit("The invoice", (4, 11)))
    assert text.plain == "The invoice"
    assert [(span.start, span.end, span.style) for span in text.spans] == [(4, 11, "bold")]


def test_what_is_similar_in_meaning_is_labelled():
    assert marked(hit("The bill", is_by_meaning=True)).plain == "Similar in meaning: The bill"


def test_all_lines_of_a_match_are_shown():
    found = hit("Doctor", (0, 6))
    found.lines += hit("Who", (0, 3)).lines
    assert marked(found).plain == "Doctor / Who"


def test_what_a_video_shows_cannot_command_the_terminal():
    assert "\x1b" not in marked(hit("\x1b[2Jgone [bold]", (0, 3))).plain
    assert "[bold]" in marked(hit("\x1b[2Jgone [bold]")).plain
    assert hits_table(answer([hit(name="\x1b]0;x")], 1)).row_count == 1


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (answer([], 0), "No results"),
        (answer([hit()], 1), "1 result"),
        (answer([hit()] * 20, 50), "1–20 of 50 results; --page 2 shows more"),
        (answer([], 50, page=9), "50 results, none on page 9"),
    ],
)
def test_the_number_of_results_is_printed(found, text):
    assert summary(found) == text
