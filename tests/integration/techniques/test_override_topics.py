"""Topics and locations that a job names: used where they exist and are allowed, refused with the reason everywhere else."""

from uuid import UUID, uuid4

import pytest

from sightline import job_types
from sightline.bus import Queue, RegisteredQueue, RegisteredSubscription, RegisteredTopic, Subscription
from sightline.bus import topology as topology_module
from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.jobs import get_job
from sightline.techniques import TechniquesSettings
from support.asking import is_error
from support.technique_rig import new_video, running
from support.waiting import until

ARN = "arn:aws:sns:us-east-1:000000000000:"
SWEEP = {"start": 1.5, "end": 3, "category": "GUARD_PLAY", "technique": "Sweep", "role": "white gi"}


@pytest.fixture
def with_team_topic(monkeypatch):
    """A topic of a team, and the queue that is subscribed to it."""
    usual = topology_module.default_topology

    def wider(**names):
        found = usual(**names)
        return topology_module.Topology(
            (*found.topics, "team"),
            (*found.queues, Queue("team-queue", wait_s=0)),
            (*found.subscriptions, Subscription("team", "team-queue")),
            found.rules,
        )

    monkeypatch.setattr("sightline.bootstrap.default_topology", wider)


async def ask(client, topic, **more):
    platform = client._transport.app.state.platform
    video = await new_video(platform)
    assert (await client.put(f"/videos/{video}/annotations", json=[SWEEP])).status_code == 200
    return await client.post("/jobs", json={"video_id": str(video), "sns_topic_arn": topic, **more})


@pytest.mark.req(453)
async def test_an_allowed_topic_that_does_not_exist_is_refused_by_name(client_with):
    client = await client_with(techniques=TechniquesSettings(topics=(f"{ARN}team-*",)))
    error = is_error(await ask(client, f"{ARN}team-a"), 422, "VALIDATION_ERROR")
    assert f"Topic does not exist: {ARN}team-a" in error["message"]
    assert error["details"]["topic"] == f"{ARN}team-a"
    assert error["details"]["allowed"] == [f"{ARN}video_analysis_events", f"{ARN}team-*"]


@pytest.mark.req(453)
async def test_a_topic_of_another_account_is_not_taken_for_the_own_one_of_that_name(client_with):
    foreign = "arn:aws:sns:eu-west-1:999999999999:video_analysis_events"
    client = await client_with(techniques=TechniquesSettings(topics=(foreign,)))
    error = is_error(await ask(client, foreign), 422, "VALIDATION_ERROR")
    assert f"Topic does not exist: {foreign}" in error["message"]


@pytest.mark.req(453)
async def test_a_topic_without_subscription_is_refused_and_not_swallowed(client_with):
    client = await client_with(techniques=TechniquesSettings(topics=("lonely",)))
    error = is_error(await ask(client, f"{ARN}lonely"), 422, "VALIDATION_ERROR")
    assert "has no subscription" in error["message"]


@pytest.mark.req(453)
async def test_a_pattern_does_not_open_the_topics_of_other_parts(client_with):
    client = await client_with(techniques=TechniquesSettings(topics=(f"{ARN}re*", f"{ARN}no*")))
    for topic in ("rez-agent-messages-dev", "notification-topic"):
        assert "is not allowed here" in is_error(await ask(client, ARN + topic), 422, "VALIDATION_ERROR")["message"]


@pytest.mark.req(4, 453)
async def test_a_topic_that_the_caller_created_is_used_without_a_setting(client, platform):
    registry = platform.open_bus.registry
    account = await registry.account(LOCAL_OWNER_ID, is_operator=True)
    topic, queue = registry.names.topic_arn("mine"), "my-queue"
    async with registry.changing() as change:
        await change.put(RegisteredTopic("mine", account.account_id))
    assert "has no subscription" in is_error(await ask(client, topic), 422, "VALIDATION_ERROR")["message"]
    async with registry.changing() as change:
        await change.put(RegisteredQueue(queue, account.account_id, Queue(queue, max_receives=None)))
        await change.put(
            RegisteredSubscription(
                uuid4(), "mine", account.account_id, "sqs", registry.names.queue_arn(queue), is_confirmed=True
            )
        )
    answer = await ask(client, topic)
    assert answer.status_code == 202, answer.text
    async with running(job_types.worker_for(job_types.analyze(platform), platform)):

        async def is_completed():
            return (await client.get(f"/jobs/{answer.json()['job_id']}")).json()["status"] == "completed"

        await until(is_completed)
    assert len(await platform.bus.receive(queue, limit=10, wait_s=0)) == 2


@pytest.mark.req(1111)
async def test_what_was_published_to_one_topic_is_not_said_to_be_published_to_another(with_team_topic, client_with):
    client = await client_with(techniques=TechniquesSettings(topics=(f"{ARN}team",)))
    path = f"/videos/{await new_video(client._transport.app.state.platform)}/marks"
    values = {"t_start": 0, "t_end": 900, "category": "GUARD_PLAY", "name": "Sweep", "role": "white gi"}
    assert (await client.post(path, json=values)).status_code == 201
    first = (await client.post(f"{path}/publish", json={"revision": 1})).json()
    usual = await client.post(
        f"{path}/publish", json={"revision": 1, "sns_topic_arn": f"{ARN}{topology_module.TECHNIQUE_TOPIC}"}
    )
    assert (usual.status_code, usual.json()) == (202, first), "another name of the same topic"
    other = {"revision": 1, "sns_topic_arn": f"{ARN}team"}
    error = is_error(await client.post(f"{path}/publish", json=other), 409, "CONFLICT")
    assert error["details"] == {"job_id": first["job_id"], "topic": topology_module.TECHNIQUE_TOPIC}
    both = await client.post(f"{path}/publish", json=other | {"again": True})
    assert both.status_code == 202, both.text
    assert both.json()["job_id"] != first["job_id"]


@pytest.mark.req(454)
async def test_a_topic_that_is_gone_when_the_job_runs_fails_it_at_once_with_the_reason(
    with_team_topic, client_with, platform_with, monkeypatch
):
    settings = TechniquesSettings(topics=(f"{ARN}team",))
    client = await client_with(techniques=settings)
    answer = await ask(client, f"{ARN}team")
    assert answer.status_code == 202, answer.text
    job_id = answer.json()["job_id"]
    monkeypatch.setattr("sightline.bootstrap.default_topology", topology_module.default_topology)
    later = await platform_with(techniques=settings)  # the same database, and no such topic any more
    async with running(job_types.worker_for(job_types.analyze(later), later)):

        async def is_failed():
            return (await client.get(f"/jobs/{job_id}")).json()["status"] == "failed"

        await until(is_failed)
    failed = (await client.get(f"/jobs/{job_id}")).json()
    assert f"Topic does not exist: {ARN}team" in failed["error"]
    async with later.database.transaction() as tx:
        job = await get_job(tx, UUID(job_id))
        assert await tx.fetchval("SELECT count(*) FROM technique_publications") == 0
    assert job is not None
    assert job.retry_count == 0


@pytest.mark.req(456)
async def test_on_disk_a_result_in_another_bucket_is_refused_although_it_is_allowed(client_with):
    client = await client_with(techniques=TechniquesSettings(output_locations=("s3://elsewhere/results",)))
    answer = await ask(client, None, output_s3_uri="s3://elsewhere/results/1.json")
    assert "needs the S3 backend" in is_error(answer, 422, "VALIDATION_ERROR")["message"]
    answer = await ask(client, None, output_s3_uri="s3://elsewhere/1.json")
    error = is_error(answer, 422, "VALIDATION_ERROR")
    assert "SIGHTLINE_TECHNIQUES_OUTPUT_LOCATIONS" in error["message"]
    assert "s3://elsewhere/results/" in error["details"]["allowed"]
