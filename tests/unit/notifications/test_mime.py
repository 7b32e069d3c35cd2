"""Mails as SMTP carries them: nothing in a name or an address can add a header."""

import email
import email.policy
from dataclasses import replace
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.notifications.mail.address import parse_sender
from sightline.notifications.mail.mime import message_of
from support.mailing import body, mail

SENDER = parse_sender("Sightline <sightline@example.com>")
HEADERS = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Auto-Submitted",
    "MIME-Version",
    "Content-Type",
    "Content-Language",
]


def _arrived(written: EmailMessage) -> EmailMessage:
    found = email.message_from_bytes(written.as_bytes(), policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


def test_a_mail_arrives_as_it_was_written():
    one = mail("COMPLETED", video_name="aula 日本 👩\u200d🏫.mp4")
    found = _arrived(message_of(one, sender=SENDER, address="ana@example.com"))
    assert found.keys() == HEADERS
    assert found["From"] == "Sightline <sightline@example.com>"
    assert found["To"] == "ana@example.com"
    assert found["Subject"] == "Concluído: aula 日本 👩\u200d🏫.mp4" == one.subject
    assert found["Message-ID"] == f"<{one.id}@example.com>"
    assert found["Date"] == "Sat, 17 Jan 2026 10:00:00 +0000"
    assert (found["Content-Language"], found["Auto-Submitted"]) == ("pt", "auto-generated")
    assert found.get_content_type() == "multipart/alternative"
    assert body(found, "plain") == one.text
    assert body(found, "html") == one.html


def test_every_line_is_short_and_ascii():
    one = mail("FAILED", video_name="ü" * 500, error_reason="語" * 900)
    for line in message_of(one, sender=SENDER, address="ana@example.com").as_bytes().split(b"\r\n"):
        assert len(line) <= 998
        assert line.isascii()


@given(name=st.text(max_size=120), reason=st.text(max_size=120))
def test_no_name_adds_a_header(name: str, reason: str):
    one = mail("FAILED", video_name=f"{name}\r\nBcc: all@example.com\r\n\r\n{name}", error_reason=reason)
    found = _arrived(message_of(one, sender=SENDER, address="ana@example.com"))
    assert found.keys() == HEADERS
    assert found["Bcc"] is None
    assert body(found, "plain") == one.text


def test_a_subject_with_a_line_break_is_refused_even_if_one_came_this_far():
    with pytest.raises(ValueError, match="linefeed"):
        message_of(replace(mail(), subject="a\nBcc: b@c"), sender=SENDER, address="ana@example.com")


def test_written_twice_it_is_the_same_mail():
    first, second = (message_of(mail(), sender=SENDER, address="a@b").as_bytes() for _ in range(2))
    assert first == second
