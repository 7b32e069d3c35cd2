"""Resending of emails: the new status and the queue message commit together."""

import json
from uuid import UUID

from sightline.bus import NOTIFICATION_QUEUE, QueueMessage, Sender
from sightline.db import Transaction
from sightline.errors import Conflict
from sightline.notifications.mail import store
from sightline.notifications.mail.mail import Mail
from sightline.notifications.mail.queue_messages import ResendMail


def is_resendable(mail: Mail, *, has_mail_server: bool) -> bool:
    """Whether it can be sent now: it failed, waits, or was kept while no mail server was set. Pure."""
    return mail.status in ("failed", "queued") or (mail.status == "kept" and has_mail_server)


async def resend(tx: Transaction, bus: Sender, mail_id: UUID, *, has_mail_server: bool) -> Mail:
    """Queues a failed email, or one that was only kept, again; one that is waiting is tried now.

    An email that was sent is never resent. Other queue messages of it, dead letters included, find it sent.
    """
    found = await store.existing_mail(tx, mail_id)
    if found.status == "kept" and not has_mail_server:
        raise Conflict(
            f"mail {mail_id} is kept here: no mail server is set (SIGHTLINE_NOTIFICATIONS_CHANNEL)",
            details={"status": found.status},
        )
    is_queued = await store.requeue(tx, mail_id)
    found = await store.existing_mail(tx, mail_id)
    if not is_queued and found.status != "queued":
        raise Conflict(
            f"mail {mail_id} is {found.status}; only failed, kept and waiting emails can be resent",
            details={"status": found.status},
        )
    lane = None if found.owner_id is None else str(found.owner_id)
    await bus.send(tx, NOTIFICATION_QUEUE, QueueMessage(json.dumps(ResendMail(mail_id).to_payload()), lane=lane))
    return found
