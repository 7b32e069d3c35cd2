"""Sends outbox entries to SNS, SQS and EventBridge in as few calls as they allow, and says what became of each."""

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
from sightline.bus.names import Names
from sightline.errors import BackendUnavailable, InvalidInput, PlatformError

MAX_ENTRIES_PER_CALL = 10
MAX_PARALLEL_CALLS = 8
# A relay holds a transaction open meanwhile; what is not known by then is sent again later.
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
        """By id of the entry. Never raises for what AWS says or fails to say."""
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
                error: PlatformError = BackendUnavailable("bus", f"no answer within {CALL_TIMEOUT_S:g} s")
            except PlatformError as said:
                error = said
            except Exception as unknown:
                # Whatever it is, it must not keep the relay from sending the rest.
                error = InvalidInput(f"{type(unknown).__name__}: {unknown}")
        if isinstance(error, InvalidInput) and len(entries) > 1:
            # One of them spoiled the call for all; alone, each gets what it deserves.
            outcomes: dict[int, Outcome] = {}
            for entry in entries:
                outcomes |= await self._send_call([entry])
            return outcomes
        return {entry.id: error for entry in entries}

    async def _call(self, entries: Sequence[OutboxEntry]) -> dict[int, Outcome]:
        ways: dict[str, Callable[[Sequence[OutboxEntry]], Awaitable[dict[int, Outcome]]]] = {
            "topic": self._publish,
            "queue": self._send_messages,
            "event": self._put_events,
        }
        return await ways[entries[0].kind](entries)

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
            answer = await self._clients.sns.publish_batch(
                TopicArn=self._names.topic_arn(entries[0].target), PublishBatchRequestEntries=request
            )
        return _outcomes(entries, answer, SNS)

    async def _send_messages(self, entries: Sequence[OutboxEntry]) -> dict[int, Outcome]:
        request = [
            {
                "Id": str(number),
                "MessageBody": entry.body,
                "MessageAttributes": attributes_to_aws(_attributes(entry)),
                # The delay runs from when the message was said, not from when a relay got round to it.
                **({} if entry.delay_s is None else {"DelaySeconds": math.ceil(max(0.0, entry.delay_s - entry.age_s))}),
            }
            for number, entry in enumerate(entries)
        ]
        queue = entries[0].target
        with translate_errors(SQS, queue=queue):
            url = await self._clients.queue_url(queue)
            answer = await self._clients.sqs.send_message_batch(QueueUrl=url, Entries=request)
        return _outcomes(entries, answer, SQS)

    async def _put_events(self, entries: Sequence[OutboxEntry]) -> dict[int, Outcome]:
        with translate_errors(EVENT_BRIDGE):
            answer = await self._clients.events.put_events(Entries=[self._event(entry) for entry in entries])
        outcomes = _unknown(entries, EVENT_BRIDGE)
        for entry, said in zip(entries, answer["Entries"], strict=False):
            # EventBridge does not say whose fault it was; these two are its own.
            is_theirs = said.get("ErrorCode") in {"InternalFailure", "InternalException"}
            failed = {"Code": said.get("ErrorCode"), "Message": said.get("ErrorMessage"), "SenderFault": not is_theirs}
            outcomes[entry.id] = entry_error(failed, EVENT_BRIDGE) if said.get("ErrorCode") else None
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
    """Entries of one target, ten to a call and together no more than 256 KB."""
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


def _outcomes(entries: Sequence[OutboxEntry], answer: dict[str, Any], service: ServiceErrors) -> dict[int, Outcome]:
    outcomes = _unknown(entries, service)
    for said in answer.get("Successful", ()):
        outcomes[entries[int(said["Id"])].id] = None
    for said in answer.get("Failed", ()):
        entry = entries[int(said["Id"])]
        outcomes[entry.id] = entry_error(said, service, queue=entry.target)
    return outcomes


def _unknown(entries: Sequence[OutboxEntry], service: ServiceErrors) -> dict[int, Outcome]:
    """Of what is not mentioned nobody knows whether it was taken; sending it again is the safe side."""
    return {
        entry.id: BackendUnavailable("bus", f"{service.name} did not report what became of it") for entry in entries
    }


def _carried(entry: OutboxEntry) -> MessageContext:
    return MessageContext(entry.message_id, entry.context)


def _attributes(entry: OutboxEntry) -> Any:
    return add_to_attributes(entry.attributes, entry.body, _carried(entry))
