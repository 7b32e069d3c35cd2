"""Deliveries to targets that could not be reached at once: queues, topics and event buses that were not there, and failures."""

from sightline.bus.endpoints.failure import TargetFailure
from sightline.bus.endpoints.record import EndpointDelivery
from sightline.bus.endpoints.worker import EndpointSenders
from sightline.bus.events.target_call import FAILED, TargetCall
from sightline.bus.postgres import PostgresBus
from sightline.bus.registry import Registry
from sightline.db import Database

_KINDS = ("sqs", "sns", "event-bus")


class TargetSender:
    """Looks again for a target that another process may have created in the meantime."""

    def __init__(self, bus: PostgresBus, database: Database, registry: Registry) -> None:
        self._bus = bus
        self._database = database
        self._registry = registry

    def add_to(self, senders: EndpointSenders) -> None:
        for service in ("events", "scheduler"):
            for kind in _KINDS:
                senders.add(f"{service}:{kind}", self.send)
            senders.add(f"{service}:{FAILED}", _fail)

    async def send(self, record: EndpointDelivery) -> None:
        await self._registry.refresh()
        service, _, kind = record.kind.partition(":")
        name = self._registry.names.local_name_of(record.endpoint)
        snapshot = self._registry.snapshot
        places = {"sqs": snapshot.queues, "sns": snapshot.topics, "event-bus": snapshot.event_buses}[kind]
        if name not in places:
            raise TargetFailure("NO_RESOURCE", f"The target {record.endpoint} does not exist.")
        target = {"Arn": record.endpoint, **record.parameters}
        call = TargetCall(
            "scheduler" if service == "scheduler" else "events",
            record.source,
            record.account_id,
            target,
            record.body,
        )
        async with self._database.transaction() as tx:
            await self._bus.call_targets(tx, [call])


async def _fail(record: EndpointDelivery) -> None:
    raise TargetFailure(str(record.parameters["error_code"]), str(record.parameters["error"]))
