"""The mail channel without a mail server: emails are only recorded, for people to look at."""

from sightline.notifications.mail.email import EmailContent


class SinkChannel:
    name = "sink"

    async def send(self, mail: EmailContent, address: str) -> str:
        # People look at the record of the email, which exists already.
        return str(mail.id)
