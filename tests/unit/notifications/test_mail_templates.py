"""Words and layout: every language, both forms, and nothing of a stranger's text that could act."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.notifications.mail.mail import Language, TemplateName
from sightline.notifications.mail.rendering import LANGUAGES, VARIABLES, mail_template
from sightline.notifications.mail.rules import mail_for
from support.mailing import event

GOLDEN = Path(__file__).with_name("golden")
STATUS_OF = {TemplateName.ALMOST_DONE: "PRINTING", TemplateName.DONE: "COMPLETED", TemplateName.FAILED: "FAILED"}
EVERY = [(name, language) for name in TemplateName for language in LANGUAGES]


class _Tags(HTMLParser):
    """What a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.text = ""
        self.links: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self.links += [value for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        self.text += data


def _seen(html: str) -> _Tags:
    parser = _Tags()
    parser.feed(html)
    parser.close()
    return parser


@pytest.mark.req(287, 289, 1110)
@pytest.mark.parametrize(("name", "language"), EVERY)
def test_the_mails_read_as_they_should(name: TemplateName, language: Language):
    mail = mail_for(event(STATUS_OF[name]), language)
    assert mail is not None
    written = {"subject.txt": f"{mail.subject}\n", "txt": mail.text, "html": mail.html}
    for ending, content in written.items():
        assert content == (GOLDEN / f"{name}.{language}.{ending}").read_text(), f"{name}.{language}.{ending}"


@pytest.mark.req(289)
@pytest.mark.parametrize(("name", "language"), EVERY)
def test_templates_use_the_variables_that_they_are_given(name: TemplateName, language: Language):
    template = mail_template(name, language)
    used = {part: set(re.findall(r"\{\{(.*?)\}\}", getattr(template, part))) for part in ("subject", "text", "html")}
    assert used["subject"] == {"videoName"}
    assert used["text"] == used["html"] <= set(VARIABLES)
    assert used["text"] >= {"email", "videoName"}
    assert ("downloadUrl" in used["text"]) == (name is TemplateName.DONE)
    assert ("errorReason" in used["text"]) == (name is TemplateName.FAILED)
    assert "{%" not in template.text + template.html


@pytest.mark.req(285, 294)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_mail_of_a_finished_video_links_to_it(language: Language):
    link = "https://sightline.example/ui/videos/1?a=1&b=2"
    mail = mail_for(event("COMPLETED", download_url=link), language)
    assert mail is not None
    assert f"\n{link}\n" in mail.text
    assert _seen(mail.html).links == [link]


hostile = st.text() | st.sampled_from(
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "</title></head><b>",
        "{{errorReason}}{{email}}",
        "{% include 'x' %}{{ 7*7 }}",
        "a\r\nBcc: all@example.com",
        "&lt;b&gt;&amp;",
        "\u202egpj.exe",
    ]
)


@given(name=hostile, reason=hostile, address=hostile)
def test_text_of_strangers_adds_no_tag_no_line_and_no_variable(name: str, reason: str, address: str):
    plain = mail_for(event("FAILED"), "pt")
    mail = mail_for(event("FAILED", video_name=name, error_reason=reason, user_email=address), "pt")
    assert plain is not None
    assert mail is not None
    seen = _seen(mail.html)
    assert seen.tags == _seen(plain.html).tags
    for value in (mail.variables["videoName"], mail.variables["errorReason"]):
        assert value in mail.text
        assert value in seen.text  # shown as it is, not as markup and not escaped twice
    assert len(mail.text.split("\n")) == len(plain.text.split("\n"))
    assert mail.subject == f"Falha: {mail.variables['videoName']}"
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]", mail.subject)


def test_a_missing_value_is_an_error_rather_than_a_gap():
    with pytest.raises(KeyError):
        mail_template(TemplateName.DONE, "pt").fill({"videoName": "x"})
