"""Dead letters of the message queues: kept fourteen days, counted from the move to the dead-letter queue."""

from datetime import timedelta

import pytest

from sightline.bus import PostgresBus
from support.messaging import ALERTS, QUEUE, Messaging

FOURTEEN_DAYS = timedelta(days=14)


async def _let_pass(messaging: Messaging, time: timedelta) -> None:
    async with messaging.database.transaction() as tx:
        await tx.execute(
            "UPDATE sightline.bus_messages SET entered_at = entered_at - $1::interval, sent_at = sent_at - $1::interval",
            time,
        )


@pytest.mark.req(173)
@pytest.mark.parametrize("queue", [QUEUE, ALERTS])
async def test_a_dead_letter_is_there_for_fourteen_days_and_gone_after(messaging: Messaging, queue: str):
    assert isinstance(messaging.bus, PostgresBus)
    message_type = "manual_notification" if queue == QUEUE else "alert_notification"
    await messaging.create(message_type=message_type)
    (received,) = await messaging.bus.receive(queue, wait_s=0)
    # Its time in the queue itself does not count.
    await _let_pass(messaging, timedelta(days=13))
    await messaging.bus.bury(received, "no good")
    await _let_pass(messaging, FOURTEEN_DAYS - timedelta(minutes=1))
    assert await messaging.bus.sweep() == 0
    assert await messaging.dead(queue) == ["no good"]
    await _let_pass(messaging, timedelta(minutes=2))
    assert await messaging.bus.sweep() == 1
    assert await messaging.dead(queue) == []
