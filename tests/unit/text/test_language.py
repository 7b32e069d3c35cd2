"""The language of a text: corrected where it is certain, else as it was read."""

from uuid import UUID

import pytest

from sightline.text import Box, TextReading, merge_readings
from sightline.text.segments.language import detect_language


@pytest.mark.req(734)
@pytest.mark.parametrize(
    ("text", "read_as", "language"),
    [
        ("Der Geschäftsführer und die Bank", "eng", "deu"),
        ("The history of the island", "eng", "eng"),
        ("Les résultats sont dans le tableau", "eng", "fra"),
        ("Não é para você, é uma aula", "eng", "por"),
        ("東京タワーの夜景", "eng", "jpn"),
        ("人工智能改变我们的生活", "eng", "chi_sim"),
        ("人工智慧", "chi_tra", "chi_tra"),
        ("Привет из Москвы", "eng", "rus"),
        ("Привіт", "ukr", "ukr"),
        ("한국어 자막", "eng", "kor"),
        ("Router", "eng", "eng"),
        ("die", "eng", "eng"),
        ("Room 101", "deu", "deu"),
        ("", "eng", "eng"),
    ],
)
def test_it_is_corrected_only_where_it_is_certain(text, read_as, language):
    assert detect_language(text, read_as) == language


@pytest.mark.req(734)
def test_the_lines_of_a_block_have_the_language_of_the_block():
    lines = ["Der Vorstand", "übernimmt die", "Verantwortung"]
    readings = [TextReading(text, 0, 4000, 0.9, Box(100, 100 + 40 * at, 300, 30)) for at, text in enumerate(lines)]
    found = merge_readings(UUID(int=1), readings, gap_ms=300)
    assert [one.language for one in found] == ["deu"] * 3
