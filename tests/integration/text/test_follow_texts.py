"""Texts that are found by the detector and followed over frames, with the real models."""

from itertools import pairwise
from uuid import UUID

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

from sightline.text import Box, TextReading, merge_readings
from sightline.text.reading import combined_engine
from sightline.text.reading.combined import open_engine
from sightline.text.reading.following import TextFollower
from sightline.text.reading.frame_view import view_of
from support.clip_maker.fonts import font
from support.written_frame import written_frame

WIDTH, HEIGHT, STEP_MS = 960, 540, 100


@pytest.fixture(scope="module")
def engine():
    return open_engine(["eng"])


def _ground(number, *, moving):
    """Coloured waves; a film if they move."""
    at = number * 7 if moving else 0
    x, y = np.arange(WIDTH)[None, :], np.arange(HEIGHT)[:, None]
    waves = [
        128 + 60 * np.sin((x + at) / (17 + 9 * channel)) * np.cos((y - at) / (23 - 5 * channel)) for channel in range(3)
    ]
    return np.stack(waves, axis=2).astype(np.uint8)


def _write(picture, text, at=(200, 460), scale=1.3):
    for colour, thickness in (((0, 0, 0), 8), ((255, 255, 255), 2)):
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, colour, thickness, cv2.LINE_AA)


def _sightings(engine, pictures):
    views = [view_of(picture, n * STEP_MS, (n + 1) * STEP_MS) for n, picture in enumerate(pictures)]
    follower = TextFollower(engine)
    for number, view in enumerate(views):
        follower.follow(view, [views[other] for other in (number - 1, number + 1) if 0 <= other < len(views)])
    return follower.finish()


def _followed(engine, pictures):
    """Text, first and last time of what the frames show, in the order of time."""
    shown: dict[str, tuple[int, int]] = {}
    for one in _sightings(engine, pictures):
        start, end = shown.get(one.line.text, (one.start_ms, one.end_ms))
        shown[one.line.text] = min(start, one.start_ms), max(end, one.end_ms)
    return [(text, *times) for text, times in shown.items()]


@pytest.mark.req(699, 701)
def test_captions_over_a_film_are_found_with_the_times_they_were_shown(engine):
    pictures = []
    for number in range(24):
        picture = _ground(number, moving=True)
        if 5 <= number < 12:
            _write(picture, "Room 3400")
        if 14 <= number < 22:
            _write(picture, "We leave at 10:45")
        pictures.append(picture)
    assert _followed(engine, pictures) == [("Room 3400", 500, 1200), ("We leave at 10:45", 1400, 2200)]


@pytest.mark.req(701)
def test_a_text_that_stood_for_a_tenth_of_a_second_is_found_and_so_are_those_of_the_first_and_last_frames(engine):
    texts = {0: "Opening", 7: "Flash 129", 15: "The end"}
    pictures = []
    for number in range(16):
        picture = np.full((HEIGHT, WIDTH, 3), (92, 214, 246), np.uint8)
        if number in texts:
            _write(picture, texts[number])
        pictures.append(picture)
    assert _followed(engine, pictures) == [("Opening", 0, 100), ("Flash 129", 700, 800), ("The end", 1500, 1600)]


@pytest.mark.req(700)
def test_a_digit_that_changes_in_every_frame_is_read_in_every_frame(engine):
    pictures = [np.full((HEIGHT, WIDTH, 3), 240, np.uint8) for _ in range(10)]
    for number, picture in enumerate(pictures):
        cv2.putText(picture, f"Score {100 + 9 * number}", (60, 300), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 20), 2)
    assert _followed(engine, pictures) == [
        (f"Score {100 + 9 * number}", number * 100, number * 100 + 100) for number in range(10)
    ]


@pytest.mark.req(704)
@pytest.mark.parametrize(
    ("text", "typeface"),
    [
        ("Größe und Straße", "open-sans"),
        ("A situação não é fácil", "open-sans"),
        ("L'été dernier à Noël", "open-sans"),
        ("viața și oțel", "source-sans"),
        ("Gəncə və Bakı", "source-sans"),
    ],
)
def test_accents_are_read_without_naming_the_language(engine, text, typeface):
    picture = cv2.imdecode(np.frombuffer(written_frame(text, typeface=typeface), np.uint8), cv2.IMREAD_COLOR)
    assert [one[0] for one in _followed(engine, [picture])] == [text]


@pytest.mark.req(704)
def test_curly_quotes_are_read_as_those_that_people_type(engine):
    picture = cv2.imdecode(np.frombuffer(written_frame("It’s “open” until ‘nine’"), np.uint8), cv2.IMREAD_COLOR)
    (found,) = _sightings(engine, [picture])
    assert found.line.text == "It's \"open\" until 'nine'"
    assert found.line.confidence >= 0.6


@pytest.mark.req(698)
def test_cells_of_a_table_and_columns_are_kept_apart(engine):
    picture = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    cells = [["Item", "Count", "Price"], ["Bolt M8", "50", "1,307.17"], ["Lamp E27", "7", "29.5%"]]
    for row, texts in enumerate(cells):
        for column, text in enumerate(texts):
            at = (40 + column * 260, 80 + row * 60)
            cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2, cv2.LINE_AA)
    assert {one[0] for one in _followed(engine, [picture] * 5)} == {text for row in cells for text in row}


@pytest.mark.req(706)
def test_text_that_stands_on_its_side_is_read(engine):
    upright = np.full((WIDTH, HEIGHT, 3), 255, np.uint8)
    cv2.putText(upright, "Side entrance", (60, 400), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (0, 0, 0), 3, cv2.LINE_AA)
    for turn in (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE):
        assert [one[0] for one in _followed(engine, [cv2.rotate(upright, turn)])] == ["Side entrance"]


@pytest.mark.req(703)
def test_a_film_without_words_yields_nothing(engine):
    assert _followed(engine, [_ground(number, moving=True) for number in range(20)]) == []


@pytest.mark.req(710)
def test_a_language_that_ppocr_does_not_know_is_read_by_tesseract_in_the_boxes_of_the_detector(monkeypatch):
    monkeypatch.setattr(combined_engine, "unread_by_ppocr", list)
    picture = _ground(0, moving=False)
    _write(picture, "Harbour closed")
    assert [one[0] for one in _followed(open_engine(["eng"]), [picture] * 3)] == ["Harbour closed"]


@pytest.mark.req(711)
def test_lines_of_rolling_credits_are_one_text_each_while_they_are_on_screen(engine):
    pictures = []
    for number in range(40):
        picture = np.full((HEIGHT, WIDTH, 3), 6, np.uint8)
        for row, text in enumerate(("Directed by", "Ingrid Solheim")):
            at = (300, 620 + 90 * row - 18 * number)
            cv2.putText(picture, text, at, cv2.FONT_HERSHEY_DUPLEX, 1.2, (235, 235, 235), 2, cv2.LINE_AA)
        pictures.append(picture)
    readings = [
        TextReading(one.line.text, one.start_ms, one.end_ms, one.line.confidence, Box(*one.line.rect))
        for one in _sightings(engine, pictures)
    ]
    merged = merge_readings(UUID(int=1), readings, gap_ms=300)
    assert [one.text for one in merged] == ["Directed by", "Ingrid Solheim"]
    tops = [one.box.y for one in readings if one.text == "Directed by"]
    # The last frame shows it partly outside.
    assert {before - after for before, after in pairwise(tops[:-1])} == {18}
    # The first line is whole from frame 5 to frame 32, give or take what its box leaves around it.
    assert 400 <= merged[0].t_start <= 700
    assert 3000 <= merged[0].t_end <= 3500


@pytest.mark.req(700)
def test_a_number_that_is_centred_anew_is_another_number_and_has_not_moved(engine):
    pictures = []
    for text in ("104 km/h", "97 km/h", "104 km/h"):
        picture = np.full((HEIGHT, WIDTH, 3), 30, np.uint8)
        (wide, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 1.6, 2)
        cv2.putText(picture, text, ((WIDTH - wide) // 2, 300), cv2.FONT_HERSHEY_DUPLEX, 1.6, (250, 250, 250), 2)
        pictures += [picture] * 4
    texts = [one.line.text for one in _sightings(engine, pictures)]
    assert texts == ["104 km/h"] * 4 + ["97 km/h"] * 4 + ["104 km/h"] * 4


@pytest.mark.req(700)
def test_a_digit_that_another_replaces_a_little_further_right_has_not_moved(engine):
    pictures = []
    for text, x in (("0", 300), ("8", 304)):
        picture = np.full((HEIGHT, WIDTH, 3), 30, np.uint8)
        cv2.putText(picture, text, (x, 300), cv2.FONT_HERSHEY_DUPLEX, 2.4, (250, 250, 250), 4, cv2.LINE_AA)
        pictures += [picture] * 6
    assert _followed(engine, pictures) == [("0", 0, 600), ("8", 600, 1200)]


def _segments(engine, pictures):
    readings = [
        TextReading(one.line.text, one.start_ms, one.end_ms, one.line.confidence, Box(*one.line.rect))
        for one in _sightings(engine, pictures)
    ]
    return merge_readings(UUID(int=1), readings, gap_ms=300)


@pytest.mark.req(787)
def test_a_line_that_is_typed_ends_up_whole(engine):
    line = "$ make install all"
    pictures = []
    for number in range(len(line) + 8):
        picture = np.full((HEIGHT, WIDTH, 3), 30, np.uint8)
        cv2.putText(picture, line[:number], (80, 200), cv2.FONT_HERSHEY_DUPLEX, 0.9, (200, 250, 200), 1, cv2.LINE_AA)
        pictures.append(picture)
    (segment,) = [one for one in _segments(engine, pictures) if one.t_end == len(pictures) * STEP_MS]
    assert segment.text == line


@pytest.mark.req(783)
def test_brackets_on_lines_of_their_own_are_read_and_bullets_are_not(engine):
    code = ["if (total > 5) {", "    send(mail);", "}", "while (is_open) {", "    wait(2);", "}", "return total;"]
    lines = sorted(one.strip() for one in code)
    assert sorted(_read_still(engine, _code(code))) == lines
    bulleted = _code([line.replace("}", " ") for line in code])
    for row in (2, 5):
        cv2.circle(bulleted, (86, 86 + 20 * row), 3, (215, 215, 215), -1)
    assert set(_read_still(engine, bulleted)) == set(lines) - {"}"}


def _code(lines):
    picture = Image.new("RGB", (WIDTH, HEIGHT), (30, 32, 40))
    face = font("droid-mono", 12)
    for row, line in enumerate(lines):
        ImageDraw.Draw(picture).text((80, 80 + 20 * row), line, font=face, fill=(215, 215, 215))
    return np.array(picture)


def _read_still(engine, picture):
    follower = TextFollower(engine)
    follower.follow(view_of(picture, 0, 1000), [])
    return [one.line.text for one in follower.finish()]


@pytest.mark.req(786)
def test_a_ticker_item_that_is_wider_than_the_picture_is_one_segment(engine):
    item = "Heavy snow closes the northern pass; lorries over 7.5 tonnes must use the coast road until noon"
    (wide, _), _ = cv2.getTextSize(item, cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)
    assert wide > 1.4 * WIDTH
    pictures = []
    for number in range((wide + WIDTH) // 30):
        picture = np.full((HEIGHT, WIDTH, 3), (110, 40, 20), np.uint8)
        at = (WIDTH - 30 * number, 500)
        cv2.putText(picture, item, at, cv2.FONT_HERSHEY_DUPLEX, 1.0, (255, 255, 255), 2, cv2.LINE_AA)
        pictures.append(picture)
    segments = _segments(engine, pictures)
    assert [one.text for one in segments if one.t_end - one.t_start > 1000] == [item]
    assert len(segments) <= 2


@pytest.mark.req(788)
def test_a_letter_on_its_own_is_kept_also_where_it_may_be_a_digit(engine):
    picture = Image.new("RGB", (1280, 720), (255, 255, 255))
    for number, letter in enumerate("OAx7"):
        ImageDraw.Draw(picture).text((200 + 200 * number, 300), letter, font=font("open-sans", 24), fill=(20, 20, 20))
    follower = TextFollower(engine)
    follower.follow(view_of(np.array(picture), 0, 1000), [])
    found = sorted(follower.finish(), key=lambda one: one.line.rect.x)
    assert [one.line.text.upper().replace("0", "O") for one in found] == ["O", "A", "X", "7"]
    confidences = {one.line.text.upper(): one.line.confidence for one in found}
    assert min(confidences.values()) < 0.95 < confidences["A"]


@pytest.mark.req(789)
def test_a_counter_that_moves_with_every_count_is_read_in_every_frame(engine):
    """Its digits differ in width, so that all of it moves, as a film does."""
    texts = [f"PTS = {number / 10:.1f}s" for number in range(5, 17)]
    pictures = []
    for number, text in enumerate(texts):
        picture = np.full((HEIGHT, WIDTH, 3), 30, np.uint8)
        (wide, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 2.4, 4)
        at = ((WIDTH - wide) // 2 + 5 * (number % 3), 300)
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_DUPLEX, 2.4, (250, 250, 250), 4, cv2.LINE_AA)
        pictures.append(picture)
    expected = [(text, number * 100, number * 100 + 100) for number, text in enumerate(texts)]
    assert _followed(engine, pictures) == expected
