"""Publication of states: what changes together is written together, and nothing is left out at the end."""

from typing import Any

import pytest

from sightline.status_publisher import StatusPublisher
from sightline.supervisor import ServiceStatus
from sightline.timing import utc_now
from support.waiting import until


def states(*names):
    return [ServiceStatus(name, "running", utc_now()) for name in names]


@pytest.mark.req(1088)
async def test_changes_in_quick_succession_are_written_once_with_the_last_of_them():
    written: list[Any] = []
    publisher = StatusPublisher(lambda services: written.append([one.name for one in services]))
    for count in range(1, 50):
        publisher.changed(states(*"a" * count, "b"))
    assert written == [["a", "b"]]  # the first at once
    await until(lambda: len(written) == 2)
    assert len(written[1]) == 50


@pytest.mark.req(1088)
async def test_what_waits_can_be_written_now_and_is_not_written_twice():
    written: list[Any] = []
    publisher = StatusPublisher(written.append)
    first, second = states("a"), states("a", "b")
    publisher.changed(first)
    publisher.changed(second)
    publisher.publish()
    publisher.publish()
    assert written == [first, second]


@pytest.mark.req(1088)
async def test_nothing_is_written_after_the_end():
    written: list[Any] = []
    publisher = StatusPublisher(written.append)
    publisher.changed(states("a"))
    publisher.changed(states("b"))
    publisher.close()
    publisher.changed(states("c"))
    publisher.publish()
    assert [[one.name for one in services] for services in written] == [["a"]]
