"""Gives a mail another chance: its state and the message that brings it about commit together."""

import json
from uuid import UUID

from sightline.bus import NOTIFICATION_QUEUE, QueueMessage, Sender
from sightline.db import Transaction
from sightline.errors import Conflict
from sightline.notifications.mail import store
from sightline.notifications.mail.mail import Mail
from sightline.notifications.mail.queue_messages import ResendMail


async def resend(tx: Transaction, bus: Sender, mail_id: UUID) -> Mail:
    """Of a failed mail, or of one that waits: then it is tried now.

    One that was sent is not sent twice. Whatever other messages there are of the mail, dead letters included, find it sent.
    """
    is_queued = await store.requeue(tx, mail_id)
    found = await store.existing_mail(tx, mail_id)
    if not is_queued and found.status != "queued":
        raise Conflict(
            f"mail {mail_id} is {found.status}; only one that failed or waits can be sent again",
            details={"status": found.status},
        )
    await bus.send(tx, NOTIFICATION_QUEUE, QueueMessage(json.dumps(ResendMail(mail_id).to_payload())))
    return found
