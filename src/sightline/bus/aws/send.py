"""Sending of outbox entries to SNS, SQS and EventBridge in as few calls as they allow."""

import asyncio
import json
import math
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

from sightline.aws import ServiceErrors, translate_errors
from sightline.bus.aws.clients import AwsClients
from sightline.bus.aws.context import MessageContext, add_to_attributes, add_to_resources, size_bytes
from sightline.bus.aws.errors import EVENT_BRIDGE, SNS, SQS, entry_error
from sightline.bus.aws.messages import attributes_to_aws
from sightline.bus.aws.outbox import OutboxEntry
from sightline.bus.limits import MAX_MESSAGE_BYTES
from sightline.bus.message import Attributes
from sightline.bus.names import Names, topic_arn_of
from sightline.errors import BackendUnavailable, InvalidInput, PlatformError

MAX_ENTRIES_PER_CALL = 10
MAX_PARALLEL_CALLS = 8
# A relay holds a transaction open in the meantime; an entry without a response by then is sent again later.
CALL_TIMEOUT_S = 15.0

Outcome = PlatformError | None
"""None: AWS has accepted it."""


class AwsSender:
    def __init__(self, clients: AwsClients, names: Names, *, event_bus: str = "default") -> None:
        self._clients = clients
        self._names = names
        self._event_bus = event_bus
        self._free = asyncio.Semaphore(MAX_PARALLEL_CALLS)

    async def send(self, entries: Sequence[OutboxEntry]) -> dict[int, Outcome]:
        """Outcomes by entry id. Errors of AWS are returned and never raised."""
        groups: dict[tuple[str, str], list[OutboxEntry]] = defaultdict(list)
        for entry in entries:
            groups[entry.kind, entry.target].append(entry)
        calls = [self._send_call(call) for group in groups.values() for call in in_calls(group)]
        outcomes: dict[int, Outcome] = {}
        for found in await asyncio.gather(*calls):
            outcomes |= found
        return outcomes

    async def _send_call(self, entries: Sequence[OutboxEntry]) -> dict[int, Outcome]:
        async with self._free:
            try:
                async with asyncio.timeout(CALL_TIMEOUT_S):
                    return await self._call(entries)
            except TimeoutError:
                error: PlatformError = BackendUnavailable("bus", f"no response within {CALL_TIMEOUT_S:g} s")
            except PlatformError as translated:
                error = translated
            except Exception as unknown:
                # An unknown error must not keep the relay from sending the rest.
                error = InvalidInput(f"{type(unknown).__name__}: {unknown}")
        if isinstance(error, InvalidInput) and len(entries) > 1:
            # One invalid entry fails the whole call; sent alone, each gets its own outcome.
            outcomes: dict[int, Outcome] = {}
            for entry in entries:
                outcomes |= await self._send_call([entry])
            return outcomes
        return {entry.id: error for entry in entries}

    async def _call(self, entries: Sequence[OutboxEntry]) -> dict[int, Outcome]:
        senders: dict[str, Callable[[Sequence[OutboxEntry]], Awaitable[dict[int, Outcome]]]] = {
            "topic": self._publish,
            "queue": self._send_messages,
            "event": self._put_events,
        }
        return await senders[entries[0].kind](entries)

    async def _publish(self, entries: Sequence[OutboxEntry]) -> dict[int, Outcome]:
        request = [
            {
                "Id": str(number),
                "Message": entry.body,
                "MessageAttributes": attributes_to_aws(_attributes(entry)),
                **({} if entry.subject is None else {"Subject": entry.subject}),
            }
            for number, entry in enumerate(entries)
        ]
        with translate_errors(SNS):
            response = await self._clients.sns.publish_batch(
                TopicArn=topic_arn_of(entries[0].target, self._names), PublishBatchRequestEntries=request
            )
        return _outcomes(entries, response, SNS)

    async def _send_messages(self, entries: Sequence[OutboxEntry]) -> dict[int, Outcome]:
        request = [
            {
                "Id": str(number),
                "MessageBody": entry.body,
                "MessageAttributes": attributes_to_aws(_attributes(entry)),
                # The delay counts from when the message was sent, not from when the relay processed it.
                **({} if entry.delay_s is None else {"DelaySeconds": math.ceil(max(0.0, entry.delay_s - entry.age_s))}),
            }
            for number, entry in enumerate(entries)
        ]
        queue = entries[0].target
        with translate_errors(SQS, queue=queue):
            url = await self._clients.queue_url(queue)
            response = await self._clients.sqs.send_message_batch(QueueUrl=url, Entries=request)
        return _outcomes(entries, response, SQS)

    async def _put_events(self, entries: Sequence[OutboxEntry]) -> dict[int, Outcome]:
        with translate_errors(EVENT_BRIDGE):
            response = await self._clients.events.put_events(Entries=[self._event(entry) for entry in entries])
        outcomes = _unknown(entries, EVENT_BRIDGE)
        for entry, result in zip(entries, response["Entries"], strict=False):
            # EventBridge does not report whose fault it was; these two codes are server errors.
            is_server_error = result.get("ErrorCode") in {"InternalFailure", "InternalException"}
            failed = {
                "Code": result.get("ErrorCode"),
                "Message": result.get("ErrorMessage"),
                "SenderFault": not is_server_error,
            }
            outcomes[entry.id] = entry_error(failed, EVENT_BRIDGE) if result.get("ErrorCode") else None
        return outcomes

    def _event(self, entry: OutboxEntry) -> dict[str, Any]:
        event = json.loads(entry.body)
        return {
            "EventBusName": self._event_bus,
            "Source": event["source"],
            "DetailType": event["detail-type"],
            "Detail": json.dumps(event["detail"], ensure_ascii=False),
            "Resources": add_to_resources(event["resources"], _carried(entry)),
            "Time": event["time"],
        }


def in_calls(entries: Sequence[OutboxEntry]) -> Iterator[list[OutboxEntry]]:
    """Splits entries of one target into calls of at most ten entries and 256 KB."""
    call: list[OutboxEntry] = []
    total = 0
    for entry in entries:
        size = size_bytes(entry.body, _attributes(entry))
        if call and (len(call) == MAX_ENTRIES_PER_CALL or total + size > MAX_MESSAGE_BYTES):
            yield call
            call, total = [], 0
        call.append(entry)
        total += size
    if call:
        yield call


def _outcomes(entries: Sequence[OutboxEntry], response: dict[str, Any], service: ServiceErrors) -> dict[int, Outcome]:
    outcomes = _unknown(entries, service)
    for result in response.get("Successful", ()):
        outcomes[entries[int(result["Id"])].id] = None
    for result in response.get("Failed", ()):
        entry = entries[int(result["Id"])]
        outcomes[entry.id] = entry_error(result, service, queue=entry.target)
    return outcomes


def _unknown(entries: Sequence[OutboxEntry], service: ServiceErrors) -> dict[int, Outcome]:
    """Default outcomes: an entry missing from the response may not have been accepted, so it is sent again."""
    return {
        entry.id: BackendUnavailable("bus", f"{service.name} did not report what became of it") for entry in entries
    }


def _carried(entry: OutboxEntry) -> MessageContext:
    return MessageContext(entry.message_id, entry.context)


def _attributes(entry: OutboxEntry) -> Attributes:
    """Topic messages have the attributes of their contract and no other; receivers find their context in the database."""
    return (
        entry.attributes if entry.kind == "topic" else add_to_attributes(entry.attributes, entry.body, _carried(entry))
    )
