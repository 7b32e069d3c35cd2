"""Queues of clients: creating, changing and deleting them, tags and permissions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from sightline.bus.limits import BusRefusal
from sightline.bus.names import Names
from sightline.bus.queue_attributes import queue_settings
from sightline.bus.registry import Account, Change, RegisteredQueue, Registry
from sightline.bus.sqs.attributes import (
    check_attributes_of_queue,
    check_name,
    check_redrive,
    check_same,
    merged,
    normalised,
)
from sightline.timing import Clock, utc_now

MAX_TAGS = 50
PURGE_EVERY = timedelta(seconds=60)

NO_SUCH_QUEUE = "AWS.SimpleQueueService.NonExistentQueue"


class QueueControl:
    """Every method takes the account that acts; queues of other accounts do not exist for it."""

    def __init__(
        self,
        registry: Registry,
        *,
        recreate_after: timedelta = timedelta(seconds=60),
        clock: Clock = utc_now,
    ) -> None:
        self._registry = registry
        self._recreate_after = recreate_after
        self._clock = clock

    @property
    def names(self) -> Names:
        return self._registry.names

    async def find(self, account: Account, name: str) -> RegisteredQueue:
        """The queue, also if another process created it a moment ago."""
        local = self.names.local_name(account.account_id, name)
        found = self._registry.snapshot.queues.get(local)
        if found is None and "/" not in name:
            await self._registry.refresh()
            found = self._registry.snapshot.queues.get(local)
        if found is None:
            raise no_such_queue()
        return found

    def queues_of(self, account: Account, prefix: str = "") -> list[RegisteredQueue]:
        """The queues of the account in the order of their names."""
        start = self.names.local_name(account.account_id, prefix)
        queues = self._registry.snapshot.queues.values()
        found = (one for one in queues if one.account_id == account.account_id and one.name.startswith(start))
        return sorted(found, key=lambda one: one.name)

    def sources(self, queue: RegisteredQueue) -> list[RegisteredQueue]:
        """The queues whose dead letters come into this one."""
        queues = self._registry.snapshot.queues.values()
        found = (one for one in queues if one.settings.dead_letter_queue == queue.name)
        return sorted(found, key=lambda one: one.name)

    async def create(
        self, account: Account, name: str, attributes: Mapping[str, str], tags: Mapping[str, str]
    ) -> RegisteredQueue:
        """Creates the queue, or returns the one that exists if no attribute differs."""
        attributes = normalised(attributes)
        is_fifo = attributes.get("FifoQueue") == "true"
        check_name(name, is_fifo=is_fifo)
        check_attributes_of_queue(attributes, is_fifo=is_fifo, is_new=True)
        _check_tags(tags)
        local = self.names.local_name(account.account_id, name)
        if (present := self._registry.snapshot.queues.get(local)) is not None:
            check_same(present, attributes, self.names)
            return present
        async with self._registry.changing() as change:
            if (present := change.snapshot.queues.get(local)) is not None:
                check_same(present, attributes, self.names)
                return present
            kept = merged({}, attributes)
            check_redrive(local, kept, change.snapshot, self.names)
            queue = RegisteredQueue(
                local,
                account.account_id,
                queue_settings(local, kept, self.names),
                attributes=kept,
                tags=tags,
            )
            await self._check_not_deleted_lately(change, queue)
            await change.put(queue)
        return self._registry.snapshot.queues[local]

    async def _check_not_deleted_lately(self, change: Change, queue: RegisteredQueue) -> None:
        removed_at = await change.removed_at(queue)
        if removed_at is not None and self._clock() - removed_at < self._recreate_after:
            raise BusRefusal(
                "You must wait 60 seconds after deleting a queue before you can create another with the same name.",
                "AWS.SimpleQueueService.QueueDeletedRecently",
            )

    async def delete(self, account: Account, name: str) -> None:
        async with self._registry.changing() as change:
            await change.remove(self._changeable(change, account, name))

    async def set_attributes(self, account: Account, name: str, attributes: Mapping[str, str]) -> None:
        async with self._registry.changing() as change:
            queue = self._changeable(change, account, name)
            attributes = normalised(attributes)
            check_attributes_of_queue(attributes, is_fifo=queue.is_fifo, is_new=False)
            kept = merged(queue.attributes, attributes)
            check_redrive(queue.name, kept, change.snapshot, self.names)
            await self._put(change, queue, kept)

    async def tag(self, account: Account, name: str, tags: Mapping[str, str]) -> None:
        async with self._registry.changing() as change:
            queue = self._changeable(change, account, name)
            together = {**queue.tags, **tags}
            _check_tags(together)
            await change.put(replace(queue, tags=together))

    async def untag(self, account: Account, name: str, keys: Sequence[str]) -> None:
        async with self._registry.changing() as change:
            queue = self._changeable(change, account, name)
            await change.put(replace(queue, tags={key: tag for key, tag in queue.tags.items() if key not in keys}))

    async def begin_purge(self, account: Account, name: str) -> RegisteredQueue:
        """Allows one purge in 60 seconds."""
        async with self._registry.changing() as change:
            queue = self._changeable(change, account, name)
            if queue.purged_at is not None and self._clock() - queue.purged_at < PURGE_EVERY:
                raise BusRefusal(
                    f"Only one PurgeQueue operation on {name} is allowed every 60 seconds.",
                    "AWS.SimpleQueueService.PurgeQueueInProgress",
                )
            await change.put(replace(queue, purged_at=self._clock()))
        return queue

    async def add_permission(
        self, account: Account, name: str, label: str, account_ids: Sequence[str], actions: Sequence[str]
    ) -> None:
        """Writes the permission into the queue's policy, which is kept and shown. Access stays with the owner."""
        async with self._registry.changing() as change:
            queue = self._changeable(change, account, name)
            policy = _policy(queue, self.names)
            if any(one.get("Sid") == label for one in policy["Statement"]):
                raise BusRefusal(f"Value {label} for parameter Label is invalid. Reason: Already exists.")
            principals = [f"arn:aws:iam::{one}:root" for one in account_ids]
            names = [f"SQS:{one}" for one in actions]
            statement = {
                "Sid": label,
                "Effect": "Allow",
                "Principal": {"AWS": principals[0] if len(principals) == 1 else principals},
                "Action": names[0] if len(names) == 1 else names,
                "Resource": self.names.queue_arn(queue.name),
            }
            policy["Statement"].append(statement)
            await self._put(change, queue, {**queue.attributes, "Policy": json.dumps(policy)})

    async def remove_permission(self, account: Account, name: str, label: str) -> None:
        async with self._registry.changing() as change:
            queue = self._changeable(change, account, name)
            policy = _policy(queue, self.names)
            left = [one for one in policy["Statement"] if one.get("Sid") != label]
            if len(left) == len(policy["Statement"]):
                raise BusRefusal(f"Value {label} for parameter Label is invalid. Reason: can't find label.")
            kept = {key: value for key, value in queue.attributes.items() if key != "Policy"}
            if left:
                kept["Policy"] = json.dumps({**policy, "Statement": left})
            await self._put(change, queue, kept)

    async def _put(self, change: Change, queue: RegisteredQueue, attributes: Mapping[str, str]) -> None:
        settings = queue_settings(queue.name, attributes, self.names)
        await change.put(replace(queue, attributes=attributes, settings=settings))

    def _changeable(self, change: Change, account: Account, name: str) -> RegisteredQueue:
        queue = change.snapshot.queues.get(self.names.local_name(account.account_id, name))
        if queue is None:
            raise no_such_queue()
        if queue.is_declared:
            raise BusRefusal(
                f"The queue {name} belongs to the platform and cannot be changed.",
                "AWS.SimpleQueueService.UnsupportedOperation",
            )
        return queue


def no_such_queue() -> BusRefusal:
    return BusRefusal("The specified queue does not exist.", NO_SUCH_QUEUE)


def _policy(queue: RegisteredQueue, names: Names) -> dict[str, Any]:
    text = queue.attributes.get("Policy")
    if text:
        return {"Statement": [], **json.loads(text)}
    arn = names.queue_arn(queue.name)
    return {"Version": "2008-10-17", "Id": f"{arn}/SQSDefaultPolicy", "Statement": []}


def _check_tags(tags: Mapping[str, str]) -> None:
    if len(tags) > MAX_TAGS:
        raise BusRefusal(f"Too many tags added for queue. The maximum number of tags is {MAX_TAGS}.")
    for key, value in tags.items():
        if not 1 <= len(key) <= 128 or len(value) > 256:
            raise BusRefusal("Tag keys must be between 1 and 128 characters in length, tag values at most 256.")
