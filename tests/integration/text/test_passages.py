"""Phrases across lines: found in a block, weaker across a screen, highlighted in each line, and only for those who may see them."""


import pytest

from sightline.text import Box
from support.screen_text import reading


def page(*lines: str, x: int = 100, y: int = 100, t_start: int = 0, t_end: int = 4000, pitch: int = 40):
    """Lines below each other at the same time."""
    return [
        reading(text, t_start, t_end, box=Box(x, y + at * pitch, 16 * len(text), 30)) for at, text in enumerate(lines)
    ]


def marks(hit):
    return [[line.text[start:end] for start, end in line.spans] for line in hit.lines]


@pytest.mark.req(723)
async def test_a_phrase_is_found_across_the_lines_of_a_block_and_marked_in_each(video_with, look_for):
    await video_with(readings=page("Tonight at nine: Doctor", "Who and the Daleks"))
    for q in ('"doctor who"', "doctor who", "who doctor", '"nine doctor who and"'):
        found = await look_for(q)
        assert found.total == 1, q
        (hit,) = found.hits
        assert (hit.text, hit.scope, hit.found_as) == ("Tonight at nine: Doctor", "block", "exact"), q
    assert marks((await look_for('"doctor who"')).hits[0]) == [["Doctor"], ["Who"]]
    assert (await look_for('"who doctor"')).total == 0
