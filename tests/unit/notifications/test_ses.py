"""What SES is given, and what its answers mean."""

import pytest

from sightline.aws import error_for
from sightline.errors import BackendUnavailable, NotFound, PermanentFailure, Throttled
from sightline.notifications.mail.rendering import VARIABLES
from sightline.notifications.mail.ses_channel import template_data
from sightline.notifications.mail.ses_client import SES
from sightline.notifications.mail.ses_templates import ses_templates
from support.mailing import mail


@pytest.mark.req(289)
def test_ses_has_the_documents_three_names_and_one_with_a_suffix_for_each_other_language():
    names = [one.name for one in ses_templates()]
    document = ["VideoQuaseFinalizado", "VideoConcluido", "VideoFalhou"]
    assert names == document + [f"{name}_{language}" for language in ("en", "es", "de") for name in document]


@pytest.mark.req(289)
def test_ses_gets_every_variable_and_no_tags():
    data = template_data(mail("FAILED", video_name="<b>a & b</b>", error_reason="<urlopen error>").variables)
    assert tuple(data) == VARIABLES
    assert (data["videoName"], data["errorReason"], data["downloadUrl"]) == ("‹b›a & b‹/b›", "‹urlopen error›", "")


@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [
        ("MessageRejected", 400, PermanentFailure),
        ("BadRequestException", 400, PermanentFailure),
        ("TooManyRequestsException", 429, Throttled),
        ("LimitExceededException", 400, Throttled),
        ("NotFoundException", 404, NotFound),
        ("SendingPausedException", 400, BackendUnavailable),
        ("AccountSuspendedException", 400, BackendUnavailable),
        ("MailFromDomainNotVerifiedException", 400, BackendUnavailable),
        ("AccessDeniedException", 403, BackendUnavailable),
        ("InternalServiceErrorException", 500, BackendUnavailable),
        ("", 502, BackendUnavailable),
    ],
)
def test_what_is_wrong_with_the_mail_is_final_and_with_the_account_is_not(
    code: str, status: int, kind: type[Exception]
):
    error = error_for(SES, code, "why", status=status)
    assert type(error) is kind
    assert "why" in error.message
