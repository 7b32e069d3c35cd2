"""Words of event notifications in each language: complete, and with the reason translated too."""

from typing import get_args

import pytest

from sightline.messages import EVENT_KINDS
from sightline.messages.event_words import body_of, title_of
from sightline.notifications import Language

DATA = {
    "video_name": "aula.mp4",
    "error_reason": "the file is empty",
    "events": 3,
    "search_name": "Invoices",
    "query": "invoice",
    "hits": 2,
    "summary": "A person",
    "risk_score": 80,
}


@pytest.mark.parametrize("language", get_args(Language))
@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_every_event_has_words_without_gaps(kind, language):
    assert "–" not in title_of(kind, language, DATA) + body_of(kind, language, DATA)


@pytest.mark.req(447, 448)
def test_a_failure_is_told_in_the_language_of_its_reader():
    assert title_of("video_failed", "pt", DATA) == "Vídeo com falha: aula.mp4"
    assert body_of("video_failed", "pt", DATA) == "Não foi possível processar aula.mp4: o arquivo está vazio"
    assert body_of("video_failed", "en", DATA) == "aula.mp4 could not be processed: the file is empty"


def test_what_is_missing_is_a_dash_and_what_looks_like_a_placeholder_stays():
    assert body_of("video_failed", "en", {"video_name": "{summary}"}) == "{summary} could not be processed: –"
