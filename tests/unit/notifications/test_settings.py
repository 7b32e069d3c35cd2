"""Settings that do not go together are refused at the start, by name."""

import pytest

from sightline.config import load_settings
from sightline.errors import ConfigurationError


def _load(**fields: str):
    named = {f"SIGHTLINE_NOTIFICATIONS_{name.upper()}": value for name, value in fields.items()}
    return load_settings(named, env_file=None).settings.notifications


def test_mails_are_kept_in_portuguese_unless_told_otherwise():
    settings = _load()
    assert (settings.channel, settings.language, settings.retention_days) == ("sink", "en", 90)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"channel": "smtp", "from_address": "a@b"}, "SIGHTLINE_NOTIFICATIONS_SMTP_HOST"),
        ({"channel": "smtp", "smtp_host": "m"}, "SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS"),
        ({"channel": "ses"}, "SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS"),
        ({"channel": "pigeon"}, "SIGHTLINE_NOTIFICATIONS_CHANNEL"),
        ({"language": "fr"}, "SIGHTLINE_NOTIFICATIONS_LANGUAGE"),
        ({"from_address": "nobody"}, "SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS"),
        ({"retention_days": "29"}, "SIGHTLINE_NOTIFICATIONS_RETENTION_DAYS"),
        ({"smtp_user": "u"}, "password"),
        ({"smtp_user": "u", "smtp_password": "geheim", "smtp_tls": "none"}, "unencrypted"),
        ({"ses_access_key_id": "k"}, "secret"),
    ],
)
def test_what_is_missing_is_named(fields: dict[str, str], said: str):
    with pytest.raises(ConfigurationError, match=said) as caught:
        _load(**fields)
    assert "geheim" not in str(caught.value)


def test_a_mail_server_with_login_is_taken():
    settings = _load(channel="smtp", smtp_host="m", from_address="V <a@b>", smtp_user="u", smtp_password="p")
    assert settings.complaint() is None
