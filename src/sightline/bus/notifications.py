"""Notifications as SNS writes them for endpoints outside: signed, with the links that confirm and end a subscription."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sightline.bus.endpoints.record import EndpointDelivery
from sightline.bus.envelope import attributes_to_json
from sightline.bus.names import Names
from sightline.bus.notification_signature import (
    SignatureVersion,
    SigningIdentity,
    new_identity,
    read_identity,
    signature,
)
from sightline.bus.registry.snapshot import Snapshot
from sightline.db import Database, load_queries
from sightline.timing import iso_utc

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
        identity = await self.identity()
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
            link = urlencode({"Action": "ConfirmSubscription", "TopicArn": record.topic or "", "Token": token})
            signed |= {"Token": token, "SubscribeURL": f"{self._endpoint}/?{link}"}
        version = self._version(record.topic)
        content: dict[str, Any] = {name: value for name, value in signed.items() if value is not None}
        content |= {
            "SignatureVersion": version,
            "Signature": await asyncio.to_thread(signature, identity, signed, version),
            "SigningCertURL": f"{self._endpoint}/{identity.file_name}",
        }
        if kind == "Notification":
            content["UnsubscribeURL"] = self.unsubscribe_url(record.source)
            if record.attributes:
                content["MessageAttributes"] = attributes_to_json(record.attributes)
        return content

    def unsubscribe_url(self, subscription_arn: str) -> str:
        return (
            f"{self._endpoint}/?{urlencode({'Action': 'Unsubscribe', 'SubscriptionArn': subscription_arn}, safe=':')}"
        )

    def _version(self, topic: str | None) -> SignatureVersion:
        found = self._snapshot().topics.get(self._names.local_name_of(topic or ""))
        return "2" if found is not None and found.attributes.get("SignatureVersion") == "2" else "1"
