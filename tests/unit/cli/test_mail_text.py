"""Mails on a terminal: what strangers wrote is shown and never obeyed."""

import io
from dataclasses import replace
from functools import partial
from uuid import UUID

import pytest
from rich.console import Console
from typer.testing import CliRunner

from sightline.api.answers.mails import MailAnswer
from sightline.cli import app
from sightline.cli.options import as_id
from sightline.cli.outbox import as_status, as_template
from sightline.cli.output.mails import mail_text, mails_table
from sightline.errors import InvalidInput
from support.mailing import mail


def _drawn(*mails) -> str:
    stream = io.StringIO()
    Console(file=stream, width=200).print(mails_table(mails))
    return stream.getvalue()


def test_the_list_tells_when_to_whom_about_what_and_how_it_went():
    one = replace(mail(), status="failed", last_error="550 no such user")
    shown = _drawn(one)
    for part in (str(one.id), "2026-01-17T10:00:00.000Z", "ana@example.com", "Concluído: aula.mp4", "smtp"):
        assert part in shown
    assert "failed: 550 no such user" in shown
    assert " – " in _drawn(replace(one, recipient=None))


def test_a_terminal_is_told_nothing_by_a_name():
    one = replace(
        mail(), recipient="a\x1b[2J@b", subject="[red]x[/] \x1b]0;title\x07 \u202egpj.exe", last_error="e\x9b1m"
    )
    shown = _drawn(one) + mail_text(MailAnswer.of(one), is_html=False)
    assert not set("\x1b\x07\x9b\u202e") & set(shown)
    assert "[red]x[/]" in shown
    assert "\\u202egpj.exe" in shown


def test_a_whole_mail_is_its_facts_and_its_text_or_html():
    answer = MailAnswer.of(mail())
    text, html = mail_text(answer, is_html=False), mail_text(answer, is_html=True)
    assert answer.text in text
    assert "<!DOCTYPE html>" not in text
    assert answer.html in html
    assert "sent at      –" in text


def test_options_that_mean_nothing_are_refused():
    for read, text in ((partial(as_id, what="mail"), "x"), (as_status, "dead"), (as_template, "Welcome")):
        with pytest.raises(InvalidInput):
            read(text)


@pytest.mark.parametrize("option", [["--json"], ["--state-dir", "x"], ["--limit", "3"], ["--status", "failed"]])
def test_options_before_the_command_are_refused_rather_than_ignored(option: list[str]):
    result = CliRunner().invoke(app, ["outbox", *option, "show", str(UUID(int=1))])
    assert isinstance(result.exception, InvalidInput)
    assert "put options after the command" in result.exception.message
