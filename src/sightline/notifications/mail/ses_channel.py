"""The mail channel to Amazon SES: sends the template's name and the values of its variables.

SES gives every accepted call a message of its own and offers no way to repeat one safely. `X-Sightline-Mail` identifies
repetitions on the receiving side.
"""

import asyncio
import json
from collections.abc import Mapping
from email.utils import formataddr
from typing import Any

from sightline.errors import BackendUnavailable, NotFound, Throttled
from sightline.notifications.mail.address import RecipientRejected, parse_sender
from sightline.notifications.mail.mail import Mail
from sightline.notifications.mail.ses_client import translated
from sightline.notifications.mail.ses_templates import ses_name
from sightline.notifications.settings import NotificationsSettings
from sightline.timing import Backoff

TRIES = 5

# SES puts values into HTML as they are, and the same values into subject and text: escaped they would be wrong there, so what could
# open a tag is replaced by what looks like it. No value but the link stands inside a tag, and that one is quoted.
_NO_TAGS = str.maketrans("<>", "‹›")


class SesChannel:
    name = "ses"
    is_sink = False

    def __init__(self, client: Any, settings: NotificationsSettings, *, backoff: Backoff | None = None) -> None:
        self._client = client
        self._backoff = backoff or Backoff(first_s=0.5, max_s=8.0)
        self._configuration_set = settings.ses_configuration_set
        sender = parse_sender(settings.from_address)
        self._sender = formataddr((sender.display_name, sender.addr_spec))  # SES wants names beyond ASCII encoded

    async def send(self, mail: Mail, address: str) -> str:
        if not address.isascii():
            raise RecipientRejected(f"SES delivers to ASCII addresses only; {address!r} is not ASCII")
        template = ses_name(mail.template, mail.language)
        request: dict[str, Any] = {
            "FromEmailAddress": self._sender,
            "Destination": {"ToAddresses": [address]},
            "Content": {
                "Template": {
                    "TemplateName": template,
                    "TemplateData": json.dumps(template_data(mail.variables)),
                    "Headers": [
                        {"Name": "X-Sightline-Mail", "Value": str(mail.id)},
                        {"Name": "Auto-Submitted", "Value": "auto-generated"},
                    ],
                }
            },
        }
        if self._configuration_set is not None:
            request["ConfigurationSetName"] = self._configuration_set
        try:
            response = await self._send(request)
        except NotFound as error:
            # A problem of the account, not of the email: it can be sent once an operator has fixed that.
            raise BackendUnavailable(
                "ses", f"{error.message}; `sightline aws mail-templates` creates the templates"
            ) from error
        return str(response["MessageId"])

    async def _send(self, request: Mapping[str, Any]) -> Any:
        """SES accepts a few emails a second. A throttled one was not accepted, so only that is retried at once."""
        for failures in range(1, TRIES + 1):
            try:
                with translated():
                    return await self._client.send_email(**request)
            except Throttled:
                if failures == TRIES:
                    raise
            await asyncio.sleep(self._backoff.delay_s(failures))


def template_data(variables: Mapping[str, str]) -> dict[str, str]:
    """All variables, also those that the template does not use: SES drops an email silently if one is missing."""
    return {name: value.translate(_NO_TAGS) for name, value in variables.items()}
