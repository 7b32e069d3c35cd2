"""Emails about videos: rules, templates, the record of each email, and the channels that send it."""

from sightline.notifications.mail.address import RecipientRejected, check_address, parse_sender
from sightline.notifications.mail.channel import MailChannel, check_mail_server, open_mail_channel
from sightline.notifications.mail.email import Email, EmailContent
from sightline.notifications.mail.mail import Language, Mail, MailStatus, NewMail, TemplateName
from sightline.notifications.mail.plain_text import one_line, shorten
from sightline.notifications.mail.reasons import is_known_kind, is_known_reason, reason_in
from sightline.notifications.mail.resend import is_resendable, resend
from sightline.notifications.mail.retention import MailRetention
from sightline.notifications.mail.rules import mail_for
from sightline.notifications.mail.ses_client import open_ses
from sightline.notifications.mail.ses_templates import SesTemplate, TemplateChange, put_templates, ses_templates
from sightline.notifications.mail.sink_channel import is_kept_id
from sightline.notifications.mail.store import MAIL_STATUSES, existing_mail, list_mails, unknown_mail
from sightline.notifications.mail.worker import NotificationWorker

__all__ = [
    "MAIL_STATUSES",
    "Email",
    "EmailContent",
    "Language",
    "Mail",
    "MailChannel",
    "MailRetention",
    "MailStatus",
    "NewMail",
    "NotificationWorker",
    "RecipientRejected",
    "SesTemplate",
    "TemplateChange",
    "TemplateName",
    "check_address",
    "check_mail_server",
    "existing_mail",
    "is_kept_id",
    "is_known_kind",
    "is_known_reason",
    "is_resendable",
    "list_mails",
    "mail_for",
    "one_line",
    "open_mail_channel",
    "open_ses",
    "parse_sender",
    "put_templates",
    "reason_in",
    "resend",
    "ses_templates",
    "shorten",
    "unknown_mail",
]
