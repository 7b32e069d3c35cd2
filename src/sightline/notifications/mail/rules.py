"""Rules for emails about videos: which event sends which email, with which content. Pure."""

from urllib.parse import quote, urlsplit

from sightline.contracts.video_events import VideoStatusChanged
from sightline.errors import InvalidInput
from sightline.notifications.mail.mail import Language, NewMail, TemplateName
from sightline.notifications.mail.plain_text import one_line, storable
from sightline.notifications.mail.reasons import reason_in
from sightline.notifications.mail.rendering import mail_template, unknown_reason

MAX_NAME_LENGTH = 80
MAX_REASON_LENGTH = 500
MAX_ADDRESS_LENGTH = 320
MAX_URL_LENGTH = 4096

# PROCESSING reaches the queue too, as document 004 asks; its table of emails has none for it.
_DUE = {"PRINTING": TemplateName.ALMOST_DONE, "COMPLETED": TemplateName.DONE, "FAILED": TemplateName.FAILED}
_URL_CHARACTERS = "%/:?#[]@!$&'()*+,;=~-._"


def due_template(event: VideoStatusChanged) -> TemplateName | None:
    """The template of the email that the event sends, or None."""
    template = _DUE.get(event.status)
    if template is TemplateName.ALMOST_DONE and event.previous_status == "FAILED":
        return None  # a failed video that is resumed was almost done before, and its owner was notified then
    return template


def mail_for(event: VideoStatusChanged, language: Language) -> NewMail | None:
    """The email for the event, or None."""
    template = due_template(event)
    if template is None:
        return None
    # An address is never corrected: a corrected one would be another person's.
    recipient = storable((event.user_email or "").strip(), max_length=MAX_ADDRESS_LENGTH) or None
    values = {
        "email": one_line(recipient or "", max_length=MAX_ADDRESS_LENGTH),
        "videoName": one_line(event.video_name, max_length=MAX_NAME_LENGTH) or str(event.video_id),
        "downloadUrl": _link(event) if template is TemplateName.DONE else "",
        "errorReason": one_line(reason_in(language, event.error_reason or ""), max_length=MAX_REASON_LENGTH)
        or unknown_reason(language),
    }
    mail = mail_template(template, language).fill(values)
    return NewMail(
        video_id=event.video_id,
        template=template,
        move=event.move,
        owner_id=event.user_id,
        language=language,
        recipient=recipient,
        subject=mail.subject,
        text=mail.text,
        html=mail.html,
        variables=values,
    )


def _link(event: VideoStatusChanged) -> str:
    """The download link, checked to be an http or https address."""
    given = event.download_url or ""
    try:
        parts = urlsplit(given)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_web = False
    if not is_web or len(given) > MAX_URL_LENGTH:
        raise InvalidInput(
            f"the event of COMPLETED video {event.video_id} has no valid downloadUrl; it must be an http or https address"
        )
    return quote(given, safe=_URL_CHARACTERS)
