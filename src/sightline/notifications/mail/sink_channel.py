"""The mail channel without a mail server: emails are only recorded, for people to look at."""

from sightline.notifications.mail.email import EmailContent

KEPT_PREFIX = "kept:"
"""Begins the ids that this channel gives, so that no record of them can be taken for a sent email."""


class SinkChannel:
    name = "sink"
    is_sink = True

    async def send(self, mail: EmailContent, address: str) -> str:
        # People look at the record of the email, which exists already.
        return f"{KEPT_PREFIX}{mail.id}"


def is_kept_id(provider_id: str | None) -> bool:
    """Whether this is the id of an email that was only kept."""
    return provider_id is not None and provider_id.startswith(KEPT_PREFIX)
