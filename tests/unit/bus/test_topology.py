"""The topology: the names and numbers of the documents, and nothing that leads nowhere."""

import pytest

from sightline.bus import EventRule, PolicyInvalid, Queue, Subscription, Topology, default_topology
from sightline.errors import ConfigurationError

TOPOLOGY = default_topology(stage="dev", bucket="fiapx-videos")
QUEUES = {queue.name: queue for queue in TOPOLOGY.all_queues}


@pytest.mark.req(44)
def test_the_technique_queue_has_the_numbers_of_document_000():
    queue = QUEUES["video_analysis_events_db_consumer"]
    assert (queue.dead_letter_queue, queue.max_receives, queue.wait_s) == ("video_analysis_events_dlq", 3, 20)
    assert (queue.visibility_s, queue.retention_s) == (60, 14 * 86_400)


@pytest.mark.req(165, 166, 167, 170, 171)
def test_the_message_queue_has_the_numbers_of_document_002():
    queue = QUEUES["rez-agent-message-queue-dev"]
    assert (queue.visibility_s, queue.retention_s, queue.delay_s, queue.wait_s) == (300, 1_209_600, 0, 20)
    assert (queue.batch, queue.max_receives) == (10, 3)


def test_queues_to_which_their_document_gives_no_numbers_have_those_of_document_002():
    """Document 004 asks for retries and dead letters on its queues, and for no other number of receives."""
    example = QUEUES["rez-agent-message-queue-dev"]
    for name in ("notification-queue", "video-split-queue", "video-storage-events", "rez-agent-schedule-queue-dev"):
        queue = QUEUES[name]
        assert (queue.max_receives, queue.visibility_s, queue.dead_letter_queue) == (
            *(example.max_receives, example.visibility_s),
            f"{name}-dlq",
        )


@pytest.mark.req(173)
def test_dead_letters_are_kept_fourteen_days():
    assert {queue.retention_s for queue in TOPOLOGY.all_queues if queue.is_dead_letter} == {14 * 86_400}


@pytest.mark.parametrize(
    ("topology", "message"),
    [
        (lambda: Topology(("a",), (Queue("a"),)), "declared twice"),
        (lambda: Topology(("t",), (Queue("q"),), (Subscription("t", "x"),)), "no such topic or queue"),
        (lambda: Topology((), (Queue("q", retention_s=59),)), "retention must be between"),
        (lambda: Topology((), (Queue("q", max_receives=0),)), "max_receives"),
        (lambda: Topology((), (Queue("q"),), (), (EventRule("r", {"source": ["a"]}),)), "needs one target"),
        (lambda: Topology((), (Queue("q"),), (), (EventRule("r", {"source": ["a"]}, to_queue="x"),)), "no such target"),
    ],
)
def test_a_topology_with_unknown_targets_is_rejected(topology, message):
    with pytest.raises(ConfigurationError, match=message):
        topology()


@pytest.mark.req(27)
def test_a_malformed_policy_is_refused_when_subscribing():
    with pytest.raises(PolicyInvalid, match="Attributes Reason: FilterPolicy: Empty arrays are not allowed"):
        Topology(("t",), (Queue("q"),), (Subscription("t", "q", {"a": []}),))
