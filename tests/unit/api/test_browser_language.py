"""The language of small pages: the first one that the browser names and that there are words in."""

import pytest

from sightline.api.serving.browser_language import browser_language


@pytest.mark.req(1110)
@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("es-MX", "es"),
        ("DE-at, de;q=0.9", "de"),
        ("fr-CA, fr;q=0.9, de;q=0.8, en;q=0.7", "de"),
        ("en;q=0.5", "en"),
        ("est, dev", "pt"),  # Estonian and a name that no language has: their first letters are those of others
        ("fr", "pt"),
        ("*", "pt"),
        ("", "pt"),
        (None, "pt"),
    ],
)
def test_the_first_known_language_of_the_browser_is_used(accepted: str | None, language: str):
    assert browser_language(accepted, "pt") == language
