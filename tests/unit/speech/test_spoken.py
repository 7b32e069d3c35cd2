"""Words become segments as subtitles show them; what the process sends is checked."""

import math

import pytest

from sightline.speech.languages import iso_language, whisper_language
from sightline.speech.spoken import (
    MAX_LETTERS,
    MAX_SEGMENT_MS,
    SpokenWord,
    UnreadableWords,
    read_words,
    spoken_segments,
)
from sightline.speech.windows import BYTES_PER_MS, WINDOW_MS, SoundWindow


def words(*texts, step_ms=300, pause_after=()):
    made, at = [], 0
    for text in texts:
        made.append(SpokenWord(f" {text}", at, at + step_ms - 50, 0.9))
        at += step_ms + (1000 if text in pause_after else 0)
    return made


def texts(found):
    return [segment.text for segment in found]


@pytest.mark.req(718)
def test_sentences_and_pauses_end_a_segment():
    found = spoken_segments(words("Hello", "there.", "Next", "one", "goes", "on", pause_after=("one",)), "eng")
    assert texts(found) == ["Hello there.", "Next one", "goes on"]
    assert [segment.t_start for segment in found] == [0, 600, 2200]
    assert {segment.language for segment in found} == {"eng"}


@pytest.mark.req(718)
def test_long_speech_without_pause_is_cut_to_the_length_of_subtitles():
    found = spoken_segments(words(*["word"] * 200, step_ms=120), "eng")
    assert all(len(segment.text) <= MAX_LETTERS for segment in found)
    assert all(segment.t_end - segment.t_start <= MAX_SEGMENT_MS for segment in found)
    assert " ".join(texts(found)).split() == ["word"] * 200


def test_languages_without_spaces_stay_without():
    found = spoken_segments([SpokenWord("東京", 0, 300, 0.9), SpokenWord("タワー。", 300, 700, 0.9)], "jpn")
    assert texts(found) == ["東京タワー。"]


def test_the_confidence_is_the_mean_certainty_of_the_letters():
    (found,) = spoken_segments([SpokenWord(" a", 0, 100, 0.0), SpokenWord(" bcdefg", 100, 200, 1.0)], "eng")
    assert found.confidence == pytest.approx(7 / 9)


def test_words_are_placed_in_the_video_and_kept_within_their_window():
    found = read_words(
        [[" two", 1.0, 99.0, 1.2], [" one", -0.2, 0.5, 0.7], ["  ", 0.6, 0.7, 0.5]], offset_ms=60_000, duration_ms=2000
    )
    assert [(word.text, word.t_start, word.t_end, word.probability) for word in found] == [
        (" one", 60_000, 60_500, 0.7),
        (" two", 61_000, 62_000, 1.0),
    ]


@pytest.mark.parametrize(
    "found",
    [None, {}, [["a", 0.0, 1.0]], [["a", math.nan, 1.0, 0.5]], [[1, 0.0, 1.0, 0.5]], [["a" * 300, 0.0, 1.0, 0.5]]],
)
def test_what_is_no_list_of_words_is_refused(found):
    with pytest.raises(UnreadableWords):
        read_words(found, offset_ms=0, duration_ms=1000)


def test_a_window_keeps_what_was_not_heard():
    window = SoundWindow()
    window.add(5000, b"\0" * (WINDOW_MS * BYTES_PER_MS))
    assert window.is_full
    window.drop(50 * 16_000)
    assert (window.at_ms, window.end_ms) == (55_000, 65_000)
    assert window.continues_at(65_100)
    assert not window.continues_at(66_000)


def test_languages_are_named_as_segments_name_them():
    assert iso_language("de") == "deu"
    assert iso_language("xx") == "und"
    assert whisper_language("deu") == whisper_language("de") == "de"
    assert whisper_language("tlh") is None
