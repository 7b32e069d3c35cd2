"""Spaces: where the network hardly sees one, and what number and letter beside each other tell."""

import numpy as np
import pytest

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.engine import RecognizedLine, ScoredLetter
from sightline.text.reading.following.followed_text import FollowedText
from sightline.text.reading.frame_view import view_of
from sightline.text.reading.ppocr.lookalikes import with_lookalikes
from sightline.text.reading.ppocr.word_gaps import PlacedLetter, with_spaces
from sightline.text.segments.runs import TextRun
from support.screen_text import reading


def _spaced(text, gaps, *, step=2.0):
    """`gaps` are the probabilities of spaces before letters, by number."""
    placed = [
        PlacedLetter(ScoredLetter(letter, 0.99), number * step, gaps.get(number, 0.0))
        for number, letter in enumerate(text)
    ]
    return with_spaces(placed)


def _text(letters):
    return "".join(one.text for one in letters)


@pytest.mark.req(1132)
@pytest.mark.parametrize(
    ("text", "at", "gap", "step", "expected"),
    [
        ("AMMO9", 4, 0.3, 2.0, "AMMO 9"),
        ("AMMO9", 4, 0.15, 2.0, "AMMO9"),
        ("AMMO9", 4, 0.15, 4.0, "AMMO 9"),
        ("250g", 3, 0.3, 2.0, "250 g"),
        ("notnow", 3, 0.3, 4.0, "notnow"),
        ("notnow", 3, 0.6, 2.0, "not now"),
        ("1024", 1, 0.4, 4.0, "1024"),
        ("第3章", 1, 0.4, 4.0, "第3章"),
    ],
)
def test_between_a_word_and_a_number_a_doubtful_gap_is_a_space(text, at, gap, step, expected):
    assert _text(_spaced(text, {at: gap}, step=step)) == expected


@pytest.mark.req(1132)
def test_a_doubtful_gap_makes_the_line_doubtful():
    certain, doubtful = _spaced("ab1", {2: 0.02}), _spaced("ab1", {2: 0.2})
    assert min(one.score for one in certain) > 0.95
    assert min(one.score for one in doubtful) == pytest.approx(0.8)


@pytest.mark.req(1132)
@pytest.mark.parametrize(("spaced_ms", "expected"), [(300, "SCORE 90"), (100, "SCORE90")])
def test_few_readings_with_the_space_before_a_number_suffice(spaced_ms, expected):
    run = TextRun.of([reading("SCORE90", 0, 1000), reading("SCORE 90", 1000, 1000 + spaced_ms)])
    assert run.text == expected


@pytest.mark.req(1132)
def test_spaces_between_words_are_decided_by_most_of_the_readings():
    assert TextRun.of([reading("into", 0, 1000), reading("in to", 1000, 1900)]).text == "into"


def _letters(text, digits):
    """Letters of which some look like these digits."""
    return [
        ScoredLetter(letter, 0.6, ((digits[number], 0.3),) if number in digits else ())
        for number, letter in enumerate(text)
    ]


@pytest.mark.req(1133)
@pytest.mark.parametrize(
    ("text", "digits", "expected"),
    [
        ("ZZ:OO", {0: "2", 1: "2", 3: "0", 4: "0"}, "22:00"),
        ("AT ZZ:OO", {3: "2", 4: "2", 6: "0", 7: "0"}, "AT 22:00"),
        ("SO:OK", {0: "5", 1: "0", 3: "0"}, "SO:OK"),
        ("ZOO", {0: "2", 1: "0", 2: "0"}, "ZOO"),
        ("O", {0: "0"}, "0"),
        ("l", {0: "1"}, "1"),
        ("I", {0: "1"}, "I"),
        ("O", {}, "O"),
    ],
)
def test_a_word_of_look_alikes_with_the_signs_of_a_number_is_one(text, digits, expected):
    assert _text(with_lookalikes(_letters(text, digits))) == expected


def _followed(text, *, others=(), certainty=0.98):
    """A text over motion that is read four times, in a frame each."""
    picture = np.random.default_rng(2).integers(0, 255, (80, 200, 3)).astype(np.uint8)
    box = TextBox(Rect(20, 20, 60, 30))
    lines = [RecognizedLine(one, 0.97, certainty, box.rect, "eng") for one in (text, *(others or (text,) * 3))]
    followed = FollowedText.of(view_of(picture, 0, 100), box, lines[0])
    followed.is_over_motion = True
    for number, line in enumerate(lines[1:]):
        followed.show(view_of(picture, 100 * (number + 1), 100 * (number + 2)))
        followed.add_reading(line)
    return followed


@pytest.mark.req(1137)
def test_a_word_of_two_letters_that_reads_the_same_in_four_frames_is_text():
    assert _followed("to").is_credible
    assert not _followed("to", others=("to", "ta", "to")).is_credible
    assert not _followed("to", certainty=0.9).is_credible
