"""The whole way as document 004 draws it: EventBridge → SNS → SQS → worker → SES, over HTTP to an emulator."""

from functools import partial

import httpx
import pytest
from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from conformance.aws_backend import AwsBackend, serving
from sightline.bus import NOTIFICATION_QUEUE, BusEvent, default_topology
from sightline.contracts.video_events import STATUS_CHANGED, VIDEO_SOURCE
from sightline.db import Database
from sightline.notifications import MailMetrics, NotificationsSettings, NotificationWorker, list_mails
from sightline.notifications.mail.ses_client import open_ses
from sightline.notifications.mail.ses_templates import put_templates
from support import emulators
from support.mailing import LINK, event
from support.postgres import DatabaseAddresses
from support.waiting import until


@pytest.mark.req(285, 288, 289)
async def test_an_event_on_eventbridge_is_one_mail_of_ses(database: Database, fresh_database: DatabaseAddresses):
    emulator = emulators.shared("ministack")
    settings = NotificationsSettings(
        channel="ses",
        language="pt",
        from_address="videos@example.com",
        retry_after_s=0.1,
        ses_endpoint=emulator.endpoint,
        ses_access_key_id="test",
        ses_secret_access_key=SecretStr("test"),
    )
    async with open_ses(settings) as client:
        await put_templates(client)
        if not (await client.list_email_identities())["EmailIdentities"]:
            await client.create_email_identity(EmailIdentity="example.com")
    once = event("COMPLETED", user_email="on-aws@example.com")
    told = BusEvent(VIDEO_SOURCE, STATUS_CHANGED, once.to_detail())
    async with AwsBackend(database, fresh_database, emulator).open(default_topology(stage="dev", bucket="v")) as bus:
        await bus.create()
        await bus.purge(NOTIFICATION_QUEUE)

        registry = CollectorRegistry()

        def is_counted(outcome: str) -> bool:
            labels = {"template": "VideoConcluido", "channel": "ses", "outcome": outcome}
            return registry.get_sample_value("sightline_mails_total", labels) == 1

        worker = NotificationWorker(settings, queues=bus, database=database, metrics=MailMetrics(registry))
        async with serving(worker):
            for outcome in ("sent", "repeated"):
                async with database.transaction() as tx:
                    await bus.put_events(tx, told)
                await until(partial(is_counted, outcome))
        async with database.transaction() as tx:
            assert [mail.status for mail in await list_mails(tx)] == ["sent"]
    async with httpx.AsyncClient(timeout=None) as asking:
        accounts = (await asking.get(f"{emulator.endpoint}/_ministack/ses/messages")).json()["messages"]
    (sent,) = [one for found in accounts.values() for one in found if "on-aws@example.com" in one["To"]]
    assert (sent["Subject"], LINK in sent["BodyText"]) == ("Concluído: aula.mp4", True)
