"""The channel of an installation without a mail server: mails are kept where people can look at them, and that is all."""

from sightline.notifications.mail.email import EmailContent


class SinkChannel:
    name = "sink"

    async def send(self, mail: EmailContent, address: str) -> str:
        # The record of the mail is what people look at, and it is there already.
        return str(mail.id)
