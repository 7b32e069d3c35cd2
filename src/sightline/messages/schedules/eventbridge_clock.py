"""EventBridge Scheduler as the clock: has one EventBridge schedule for each of ours, which sends to our queue when due.

The table of schedules is authoritative. EventBridge is compared with it every few seconds, which repairs what a crash, a lost
response or a manual change left behind. Any number of processes may do that at the same time (ADR 0023).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

import structlog

from sightline.aws import translate_errors
from sightline.bus import BusRefusal, BusSettings, Names, schedule_queue
from sightline.bus.aws import bus_service
from sightline.db import Database
from sightline.errors import ConfigurationError, InvalidInput, NotFound
from sightline.messages.schedules import store
from sightline.messages.schedules.eventbridge_client import open_eventbridge_scheduler
from sightline.messages.schedules.eventbridge_requests import Mark, mark_of, name_of, schedule_request
from sightline.messages.schedules.store import Schedule
from sightline.messages.settings import MessagesSettings
from sightline.supervisor import Every
from sightline.timing import Clock, utc_now

SCHEDULER = bus_service("EventBridge Scheduler")
LOOK_EVERY_S = 5.0  # a new schedule is in EventBridge by then
LIST_EVERY = timedelta(hours=1)  # a manual change in EventBridge is repaired by then

log = structlog.get_logger(__name__)


class EventBridgeClock:
    def __init__(
        self,
        client: Any,
        database: Database,
        *,
        group: str,
        queue_arn: str,
        role_arn: str,
        clock: Clock = utc_now,
    ) -> None:
        self._client = client
        self._database = database
        self._group = group
        self._queue_arn = queue_arn
        self._role_arn = role_arn
        self._clock = clock
        self._known: dict[str, Mark | None] = {}
        """What EventBridge has, as far as known; None where its content is unknown."""
        self._list_at = clock()

    def service(self) -> Every:
        return Every("message-clock", LOOK_EVERY_S, self.mirror)

    async def mirror(self) -> None:
        """Creates, updates and removes schedules in EventBridge to match ours."""
        if (now := self._clock()) >= self._list_at:
            # Listed before our own are read, so that a new schedule is never taken for a leftover.
            self._known = dict.fromkeys(await self.names())
            self._list_at = now + LIST_EVERY
        async with self._database.transaction() as tx:
            schedules = {name_of(one): one for one in await store.unfinished(tx)}
        for name, schedule in schedules.items():
            if self._known.get(name) != mark_of(schedule):
                await self._put(schedule)
                self._known[name] = mark_of(schedule)
        for name in self._known.keys() - schedules.keys():
            await self._remove(name)
            del self._known[name]

    async def names(self) -> list[str]:
        """The names of all schedules in our group, which is created if it is missing."""
        with translate_errors(SCHEDULER):
            with suppress(self._client.exceptions.ConflictException):  # it exists
                await self._client.create_schedule_group(Name=self._group)
            pages = self._client.get_paginator("list_schedules").paginate(GroupName=self._group)
            return [found["Name"] async for page in pages for found in page["Schedules"]]

    async def _put(self, schedule: Schedule) -> None:
        request = schedule_request(
            schedule, group=self._group, queue_arn=self._queue_arn, role_arn=self._role_arn, now=self._clock()
        )
        try:
            with translate_errors(SCHEDULER):
                try:
                    await self._client.update_schedule(**request)
                except self._client.exceptions.ResourceNotFoundException:
                    await self._client.create_schedule(**request)
        except (BusRefusal, InvalidInput) as error:
            if isinstance(error, BusRefusal) and error.code == "ConflictException":
                raise  # another process created it first; the next round compares it
            # Logged once, until the schedule changes or the list is read again.
            log.warning("message_clock.refused", schedule=schedule.name, error=error.message)
            return
        log.info("message_clock.changed", schedule=schedule.name, change="put", state=schedule.state)

    async def _remove(self, name: str) -> None:
        try:
            with translate_errors(SCHEDULER):
                await self._client.delete_schedule(Name=name, GroupName=self._group)
        except NotFound:
            return
        log.info("message_clock.changed", schedule=name, change="removed")


@asynccontextmanager
async def open_eventbridge_clock(
    settings: MessagesSettings, bus: BusSettings, database: Database
) -> AsyncIterator[EventBridgeClock]:
    if bus.backend != "aws":
        raise ConfigurationError(
            "SIGHTLINE_MESSAGES_CLOCK is eventbridge, which sends to an SQS queue: set SIGHTLINE_BUS_BACKEND=aws"
        )
    if settings.eventbridge_role_arn is None:
        raise ConfigurationError(
            "SIGHTLINE_MESSAGES_CLOCK is eventbridge, which needs a role that may send to our queue: set "
            "SIGHTLINE_MESSAGES_EVENTBRIDGE_ROLE_ARN"
        )
    async with open_eventbridge_scheduler(bus) as client:
        yield EventBridgeClock(
            client,
            database,
            group=settings.schedule_group_for(bus.stage),
            queue_arn=Names(bus.region, bus.account_id).queue_arn(schedule_queue(bus.stage)),
            role_arn=settings.eventbridge_role_arn,
        )
