"""Words of event notifications in each language: complete, and with the reason translated too."""

import html
from datetime import UTC, datetime
from typing import get_args

import pytest

from sightline.messages import EVENT_KINDS
from sightline.messages.event_words import body_of, title_of
from sightline.notifications import Language, Notification
from sightline.notifications.push.email_message import email_of

DATA = {
    "video_name": "aula.mp4",
    "error_reason": "the file is empty",
    "events": 3,
    "search_name": "Invoices",
    "query": "invoice",
    "hits": 2,
    "quota": "videos",
    "percent": 80,
    "used": "8",
    "limit": "10",
    "summary": "A person",
    "risk_score": 80,
}


@pytest.mark.parametrize("language", get_args(Language))
@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_every_event_has_words_without_gaps(kind, language):
    assert "–" not in title_of(kind, language, DATA) + body_of(kind, language, DATA)


@pytest.mark.req(1110)
@pytest.mark.parametrize("language", get_args(Language))
@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_the_email_of_every_event_is_in_its_language(kind, language):
    title, body = title_of(kind, language, DATA), body_of(kind, language, DATA)
    notification = Notification("m-1", kind, "ana@example.com", title, body, datetime(2026, 1, 17, tzinfo=UTC))
    email = email_of(notification, language)
    assert (email.language, email.subject, email.text) == (language, title, f"{body}\n")
    assert f'<html lang="{language}"><body><h1>{html.escape(title)}</h1><p>{html.escape(body)}</p>' in email.html


@pytest.mark.req(447, 448, 1110)
@pytest.mark.parametrize(
    ("language", "title", "body"),
    [
        ("en", "Video failed: aula.mp4", "aula.mp4 could not be processed: the file is empty"),
        ("pt", "Vídeo com falha: aula.mp4", "Não foi possível processar aula.mp4: o arquivo está vazio"),
        ("es", "Vídeo fallido: aula.mp4", "No se pudo procesar aula.mp4: el archivo está vacío"),
        ("de", "Video fehlgeschlagen: aula.mp4", "aula.mp4 konnte nicht verarbeitet werden: die Datei ist leer"),
    ],
)
def test_a_failure_is_told_in_the_language_of_its_reader(language: Language, title: str, body: str):
    assert title_of("video_failed", language, DATA) == title
    assert body_of("video_failed", language, DATA) == body


def test_what_is_missing_is_a_dash_and_what_looks_like_a_placeholder_stays():
    assert body_of("video_failed", "en", {"video_name": "{summary}"}) == "{summary} could not be processed: –"
