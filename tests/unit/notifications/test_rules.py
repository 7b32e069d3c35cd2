"""Which mail is due for which move, and what stands in it."""

from uuid import UUID

import pytest

from sightline.errors import InvalidInput
from sightline.notifications.mail.mail import Language, NewMail, TemplateName
from sightline.notifications.mail.rules import mail_for
from support.mailing import LINK, VIDEO, event


def _mail(status: str, language: Language = "pt", **changes) -> NewMail:
    found = mail_for(event(status, **changes), language)
    assert found is not None
    return found


@pytest.mark.req(284, 285, 286, 287)
@pytest.mark.parametrize(
    ("status", "template", "pt", "en"),
    [
        ("PRINTING", TemplateName.ALMOST_DONE, "Quase lá: aula.mp4", "Almost there: aula.mp4"),
        ("COMPLETED", TemplateName.DONE, "Concluído: aula.mp4", "Done: aula.mp4"),
        ("FAILED", TemplateName.FAILED, "Falha: aula.mp4", "Failed: aula.mp4"),
    ],
)
def test_each_of_three_moves_has_its_mail_in_two_languages(status: str, template: TemplateName, pt: str, en: str):
    assert (_mail(status).template, _mail(status).subject) == (template, pt)
    assert (_mail(status, "en").template, _mail(status, "en").subject) == (template, en)


@pytest.mark.parametrize("status", ["CREATED", "UPLOADING", "UPLOADED", "PROCESSING", "SPLITTING", "printing", "?"])
def test_other_moves_have_none(status: str):
    assert mail_for(event(status), "pt") is None


@pytest.mark.req(284)
def test_a_failed_video_that_is_taken_up_again_was_almost_there_already():
    assert mail_for(event("PRINTING", previous_status="FAILED"), "pt") is None
    assert mail_for(event("PRINTING", previous_status="SPLITTING"), "pt") is not None
    assert mail_for(event("COMPLETED", previous_status="FAILED"), "pt") is not None


@pytest.mark.req(289)
def test_the_variables_are_those_of_the_document():
    assert _mail("COMPLETED").variables == {
        "email": "ana@example.com",
        "videoName": "aula.mp4",
        "downloadUrl": LINK,
        "errorReason": "não informado",
    }
    assert _mail("FAILED").variables["errorReason"] == "o áudio não pôde ser lido"


def test_a_move_is_named_by_video_template_and_number():
    same, other = _mail("FAILED", video_name="other name", user_email=None), _mail("FAILED", move=9)
    assert _mail("FAILED").id == same.id
    assert _mail("FAILED").id != other.id
    assert _mail("FAILED").id != _mail("FAILED", video_id=UUID(int=3)).id
    assert _mail("FAILED").id != _mail("PRINTING").id


@pytest.mark.parametrize("given", [None, "", "  ", "\t"])
def test_without_an_address_there_is_no_recipient(given: str | None):
    assert _mail("FAILED", user_email=given).recipient is None


@pytest.mark.parametrize("given", ["ana@example.com\nBcc: all@example.com", "ana\u202e@example.com", "a b@c"])
def test_an_address_is_kept_as_given_rather_than_mended(given: str):
    assert _mail("FAILED", user_email=given).recipient == given


def test_what_no_database_keeps_is_replaced():
    mail = _mail("FAILED", user_email="a\0\ud800@b", video_name="n\0\ud800m", error_reason="e\0\ud800r")
    assert mail.recipient == "a\ufffd\ufffd@b"
    assert "n \ufffdm" in mail.subject
    for part in (mail.text, mail.html, *mail.variables.values()):
        assert "\0" not in part.encode().decode()


def test_a_failure_without_a_reason_says_so():
    assert "Motivo: não informado" in _mail("FAILED", error_reason=None).text
    assert "Reason: not given" in _mail("FAILED", "en", error_reason=" \n").text


def test_a_name_of_nothing_visible_gives_way_to_the_id():
    assert _mail("FAILED", video_name="\u202e\u2028 ").subject == f"Falha: {VIDEO}"


@pytest.mark.parametrize(
    "given",
    [
        None,
        "",
        "/ui/videos/1",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://",
        "http://[x",
        "https://e/" + "x" * 5000,
    ],
)
def test_a_finished_video_needs_a_link_to_the_web(given: str | None):
    with pytest.raises(InvalidInput, match="downloadUrl"):
        mail_for(event("COMPLETED", download_url=given), "pt")


def test_a_link_cannot_leave_its_quotes():
    mail = _mail("COMPLETED", download_url='https://e/v?a=1&b=2"><script>x</script>\n')
    assert mail.variables["downloadUrl"] == "https://e/v?a=1&b=2%22%3E%3Cscript%3Ex%3C/script%3E%0A"
    assert 'href="https://e/v?a=1&amp;b=2%22%3E' in mail.html
    assert "<script" not in mail.html
