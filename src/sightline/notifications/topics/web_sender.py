"""Deliveries of topics to web addresses, in the form of SNS."""

import json

from sightline.bus import DEFAULT_CONTENT_TYPE, EndpointDelivery, NotificationWriter
from sightline.http import HttpClient, check_status
from sightline.notifications.push.webhook_address import Resolve, pin, system_addresses
from sightline.timing import Clock, utc_now

_AGENT = "Amazon Simple Notification Service Agent"


class TopicWebSender:
    """`trusted_account` may be called at private addresses: without sign-in, consumers run on the same machine."""

    def __init__(
        self,
        http: HttpClient,
        writer: NotificationWriter,
        *,
        trusted_account: str | None,
        resolve: Resolve = system_addresses,
        clock: Clock = utc_now,
    ) -> None:
        self._http = http
        self._writer = writer
        self._trusted_account = trusted_account
        self._resolve = resolve
        self._clock = clock

    async def send(self, record: EndpointDelivery) -> None:
        kind = str(record.parameters.get("Type", "Notification"))
        is_raw = record.is_raw and kind == "Notification"
        body = record.body if is_raw else json.dumps(await self._writer.write(record, at=self._clock()), indent=2)
        target = await pin(
            record.endpoint, allow_private=record.account_id == self._trusted_account, resolve=self._resolve
        )
        headers = {
            "Content-Type": _content_type(record) if kind == "Notification" else DEFAULT_CONTENT_TYPE,
            "User-Agent": _AGENT,
            "Connection": "Keep-Alive",
            "Accept-Encoding": "gzip,deflate",
            "x-amz-sns-message-type": kind,
            "x-amz-sns-message-id": record.message_id,
            "x-amz-sns-topic-arn": record.topic or "",
        }
        if kind == "Notification":
            headers["x-amz-sns-subscription-arn"] = record.source
        if is_raw:
            headers["x-amz-sns-rawdelivery"] = "true"
        response = await self._http.request(
            "POST", target.url, headers=headers, content=body.encode(), connect_to=target.ip
        )
        check_status("endpoint", response, quote_body=False)


def _content_type(record: EndpointDelivery) -> str:
    return str(record.parameters.get("ContentType", DEFAULT_CONTENT_TYPE))
