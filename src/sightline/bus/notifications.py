"""Notifications as SNS writes them for endpoints outside: signed, with the links that confirm and end a subscription."""

import asyncio
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sightline.bus.endpoints.record import EndpointDelivery
from sightline.bus.envelope import attributes_to_json
from sightline.bus.message import SnsNotification
from sightline.bus.names import Names
from sightline.bus.notification_signature import (
    SignatureVersion,
    SigningIdentity,
    new_identity,
    read_identity,
    signature,
    string_to_sign,
)
from sightline.bus.registry.snapshot import Snapshot
from sightline.db import Database, load_queries
from sightline.timing import iso_utc, utc_now

MAX_REMEMBERED = 1000

_sql = load_queries(Path(__file__).with_name("notifications.sql"))


class NotificationWriter:
    """`endpoint` is the address of the AWS endpoint for clients. The key that signs is one for the installation: it is made when
    it is first needed, and stored under the given secret."""

    def __init__(
        self, database: Database, secret: bytes, endpoint: str, names: Names, snapshot: Callable[[], Snapshot]
    ) -> None:
        self._database = database
        self._secret = secret
        self._endpoint = endpoint.rstrip("/")
        self._names = names
        self._snapshot = snapshot
        self._identity: SigningIdentity | None = None
        # A message with many copies, or one that is received again, is signed once.
        self._made: dict[tuple[bytes, SignatureVersion], str] = {}

    async def identity(self) -> SigningIdentity:
        if self._identity is None:
            stored = await self._stored_identity()
            if stored is None:
                made = await asyncio.to_thread(new_identity, self._secret)
                async with self._database.transaction() as tx:
                    await _sql["add_identity"].run(tx, content=made)  # the first process wins
                stored = await self._stored_identity()
            assert stored is not None
            self._identity = await asyncio.to_thread(read_identity, stored, self._secret)
        return self._identity

    async def _stored_identity(self) -> bytes | None:
        async with self._database.transaction() as tx:
            found: bytes | None = await _sql["identity"].value(tx)
        return found

    async def write(self, record: EndpointDelivery, *, at: datetime) -> dict[str, Any]:
        """The notification of a delivery, or the request to confirm a subscription if the delivery is one."""
        kind = str(record.parameters.get("Type", "Notification"))
        signed: dict[str, str | None] = {
            "Type": kind,
            "MessageId": record.message_id,
            "TopicArn": record.topic,
            "Message": record.body,
            "Timestamp": iso_utc(at),
        }
        if kind == "Notification":
            signed["Subject"] = record.subject
        else:
            token = str(record.parameters["Token"])
            link = urlencode(
                {"Action": "ConfirmSubscription", "TopicArn": record.topic or "", "Token": token}, safe=":"
            )
            signed |= {"Token": token, "SubscribeURL": f"{self._endpoint}/?{link}"}
        content = await self._signed(signed)
        if kind == "Notification":
            content["UnsubscribeURL"] = self.unsubscribe_url(record.source)
            if record.attributes:
                content["MessageAttributes"] = attributes_to_json(record.attributes)
        return content

    async def write_text(self, record: EndpointDelivery) -> str:
        return json.dumps(await self.write(record, at=utc_now()), ensure_ascii=False)

    async def write_for_queue(self, notification: SnsNotification, *, queue_arn: str, at: datetime) -> str:
        """The envelope that a consumer of a queue reads, with the fields in the order of SNS."""
        topic = self._names.local_name_of(notification.topic_arn or "")
        found = self._snapshot().topics.get(topic)
        signed: dict[str, str | None] = {
            "Type": "Notification",
            "MessageId": notification.message_id,
            "SequenceNumber": notification.sequence_number,
            "TopicArn": notification.topic_arn,
            "Subject": notification.subject,
            "Message": notification.body,
            "Timestamp": iso_utc(at),
        }
        # SNS signs no messages of FIFO topics.
        content = await self._signed(signed) if notification.sequence_number is None else _without_none(signed)
        arn = notification.subscription_arn or self._subscription_arn(topic, queue_arn)
        content["UnsubscribeURL"] = self.unsubscribe_url(arn)
        # The contract documents show these two fields of the platform's own messages even if they are empty.
        is_contract = found is not None and found.is_declared
        if is_contract and notification.subject is None:
            content["Subject"] = None
        if notification.attributes or is_contract:
            content["MessageAttributes"] = attributes_to_json(notification.attributes)
        return json.dumps(content, ensure_ascii=False)

    async def _signed(self, fields: dict[str, str | None]) -> dict[str, Any]:
        identity = await self.identity()
        version = self._version(fields["TopicArn"])
        key = string_to_sign(fields), version
        made = self._made.get(key)
        if made is None:
            if len(self._made) >= MAX_REMEMBERED:
                self._made.clear()
            made = self._made[key] = await asyncio.to_thread(signature, identity, fields, version)
        return _without_none(fields) | {
            "SignatureVersion": version,
            "Signature": made,
            "SigningCertURL": f"{self._endpoint}/{identity.file_name}",
        }

    def _subscription_arn(self, topic: str, queue_arn: str) -> str:
        """Of the subscription that a message came by; of the topic, if that subscription is gone."""
        for one in self._snapshot().subscriptions.values():
            if one.topic == topic and one.endpoint == queue_arn:
                return self._names.subscription_arn(topic, one.id)
        return self._names.topic_arn(topic)

    def unsubscribe_url(self, subscription_arn: str) -> str:
        return (
            f"{self._endpoint}/?{urlencode({'Action': 'Unsubscribe', 'SubscriptionArn': subscription_arn}, safe=':')}"
        )

    def _version(self, topic: str | None) -> SignatureVersion:
        found = self._snapshot().topics.get(self._names.local_name_of(topic or ""))
        return "2" if found is not None and found.attributes.get("SignatureVersion") == "2" else "1"


def _without_none(fields: dict[str, str | None]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
