"""Refinement by a model: order, slots, retries, and what comes in place of a model that fails."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from sightline.errors import BackendUnavailable, PermanentFailure, Throttled
from sightline.security import SecuritySettings
from sightline.security.assessment.model_assessor import ModelAssessor
from sightline.security.assessment.model_client import open_model
from sightline.security.assessment.model_response import InvalidModelResponse
from sightline.security.assessment.rules import assess_by_rules
from sightline.security.assessment.slots import InferenceSlots, Pause
from sightline.security.metrics import SecurityMetrics
from support.security_rig import Watch, a_detection, findings_of, new_detection
from support.waiting import limited, until

ANSWER = {"risk_score": 77, "summary": "Somebody tries the door", "reasoning": "The hand is on the handle"}
FINDINGS = findings_of(a_detection())
BY_RULES = assess_by_rules(FINDINGS)


class ScriptedModel:
    """Answers, or fails, in the order that the test says; counts how many questions are open at once."""

    name = "scripted"

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.asked: list[str] = []
        self.open = self.most_open = 0
        self.may_answer: Callable[[], bool] = lambda: True

    async def complete(self, prompt: str, *, min_score: int, max_score: int) -> str:
        self.asked.append(prompt)
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            await until(self.may_answer)
            outcome = self.script.pop(0) if self.script else ANSWER
            if isinstance(outcome, Exception):
                raise outcome
            return outcome if isinstance(outcome, str) else json.dumps(outcome)
        finally:
            self.open -= 1

    async def close(self) -> None: ...


@pytest.fixture
def assessor_with(database):
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    def make(model, *, pause_for_slot: Pause = asyncio.sleep, **settings) -> ModelAssessor:
        whole = SecuritySettings(model_url="http://model", **({"model_max_difference": 100} | settings))
        slots = InferenceSlots(database, slots=whole.model_slots, lease_s=3600, pause=pause_for_slot)
        assessor = ModelAssessor(model, slots, whole, SecurityMetrics(None), pause=pause)
        assessor.pauses = pauses  # type: ignore[attr-defined] # for the test to look at
        return assessor

    return make


@pytest.mark.req(199)
async def test_transient_errors_are_retried_and_a_bad_answer_is_asked_for_again(assessor_with):
    model = ScriptedModel(BackendUnavailable("model", "502"), "no JSON", ANSWER)
    found = await assessor_with(model).refine(FINDINGS, BY_RULES)
    assert (found.score, found.assessor, len(model.asked)) == (77, "model", 3)


@pytest.mark.req(199)
async def test_a_model_that_is_asked_too_often_is_given_the_time_it_wants(assessor_with):
    assessor = assessor_with(ScriptedModel(Throttled("slow down", retry_after=timedelta(seconds=42)), ANSWER))
    await assessor.refine(FINDINGS, BY_RULES)
    assert assessor.pauses == [42.0]


@pytest.mark.req(200)
async def test_a_model_that_finally_fails_is_replaced_by_the_rules_which_say_so(assessor_with):
    model = ScriptedModel(*[BackendUnavailable("model", "no connection")] * 3)
    found = await assessor_with(model).refine(FINDINGS, BY_RULES)
    assert (found.score, found.assessor, len(model.asked)) == (35, "rules_after_model", 3)
    assert found.reasoning == f"{BY_RULES.reasoning} The model could not assess this event."


@pytest.mark.req(200)
async def test_or_the_event_says_that_analysis_was_unavailable(assessor_with):
    model = ScriptedModel(PermanentFailure("401"))
    found = await assessor_with(model, on_model_failure="unavailable").refine(FINDINGS, BY_RULES)
    assert (found.score, found.level, found.assessor, len(model.asked)) == (50, "medium", "unavailable", 1)
    assert "analysis unavailable" in found.reasoning


@pytest.mark.req(200)
async def test_or_the_batch_is_left_for_a_retry(assessor_with):
    model = ScriptedModel(*["junk"] * 3)
    with pytest.raises(InvalidModelResponse):
        await assessor_with(model, on_model_failure="retry").refine(FINDINGS, BY_RULES)


@pytest.mark.req(198)
async def test_no_more_questions_at_once_than_there_are_slots_whoever_asks(database, assessor_with):
    model = ScriptedModel()
    turned_away: set[object] = set()

    async def pause(_seconds: float) -> None:
        turned_away.add(asyncio.current_task())
        await asyncio.sleep(0.01)

    model.may_answer = lambda: len(turned_away) >= 10  # two of twelve are asking, and nobody else gets a slot
    assessors = [assessor_with(model, model_slots=2, pause_for_slot=pause) for _ in range(3)]  # as many processes
    await asyncio.gather(*(assessor.refine(FINDINGS, BY_RULES) for assessor in assessors for _ in range(4)))
    assert (model.most_open, len(model.asked)) == (2, 12)
    async with database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM inference_slots WHERE holder IS NOT NULL") == 0


@pytest.mark.req(198)
async def test_the_slot_of_a_killed_process_becomes_free(database):
    dead = InferenceSlots(database, slots=1, lease_s=0.01)
    holding = dead.hold()
    await holding.__aenter__()  # and never comes back
    async with limited(), InferenceSlots(database, slots=1, lease_s=3600).hold() as slot:
        assert slot == 0
        await holding.__aexit__(None, None, None)  # too late: it is somebody else's
        async with database.transaction() as tx:
            assert await tx.fetchval("SELECT holder IS NOT NULL FROM inference_slots")


@pytest.mark.req(197)
async def test_the_order_is_the_documents(platform):
    watch = Watch(platform)
    await watch.camera()
    order: list[str] = []
    job = watch.security.refine_risk
    watch.security.assess_risk._refines_with_model = True

    class Ordered:
        async def refine(self, findings, by_rules):
            order.append(f"ask about {findings.notes}")
            async with watch.database.transaction() as tx:
                assert await tx.fetchval("SELECT assessor FROM events") == "rules"
                assert await tx.fetchval("SELECT count(*) FROM live_messages") == 1
            return replace(by_rules, score=40, assessor="model", model="ordered")

    async def enrich(findings):
        assert findings.zones is not None
        assert [baseline.object_type for baseline in findings.baselines] == ["person"]
        order.append(f"enrich {len(findings.detections)}")
        return ["plate B-XY 12"]

    async def broken(findings):
        raise RuntimeError("no camera roll")

    job._refiner, job._enrichers = Ordered(), (broken, enrich)
    event = await watch.event()
    async with watch.working(job):
        await until(lambda: watch.is_refined(event.id))
    assert order == ["enrich 1", "ask about ['plate B-XY 12']"]
    assert [row["type"] for row in await watch.rows("SELECT type FROM live_messages ORDER BY sequence")] == [
        "event",
        "event.updated",
    ]


@pytest.mark.req(197)
async def test_what_is_usual_is_learned_and_other_cameras_are_looked_at(platform):
    watch = Watch(platform)
    await watch.camera()
    await watch.camera("yard")
    await watch.run(
        "INSERT INTO camera_activity (camera_key, day, hour, object_type, detections)"
        " SELECT camera_key, date '2026-03-04' - n, 11, 'person', 3 FROM generate_series(1, 10) AS n, cameras"
        " WHERE camera_id = 'front_door'"
    )
    await watch.camera("gate")
    await watch.receive(new_detection(camera_id="yard"), new_detection(camera_id="gate"))
    event = await watch.event()
    assert "usual here at this hour (on 10 of 10 days) (-15)" in event.reasoning
    assert "person also seen at Gate at the same time, Yard at the same time (+10)" in event.reasoning
    assert event.risk_score == 30
    seen = await watch.rows(
        "SELECT hour, detections FROM camera_activity JOIN cameras USING (camera_key)"
        " WHERE day = '2026-03-04' AND camera_id = 'front_door'"
    )
    assert [tuple(row) for row in seen] == [(12, 1)]


@pytest.mark.parametrize("api", ["llama.cpp", "openai"])
async def test_both_apis_are_asked_in_their_own_way(local_http, api):
    text = json.dumps(ANSWER)
    local_http.answer = {"content": text} if api == "llama.cpp" else {"choices": [{"message": {"content": text}}]}
    model = open_model(SecuritySettings(model_url=local_http.url + "/", model_api=api))
    assert model is not None
    assert await model.complete("what?", min_score=0, max_score=100) == text
    await model.close()
    ((method, path),) = local_http.asked
    sent = json.loads(local_http.bodies[0])
    assert method == "POST"
    if api == "llama.cpp":
        assert (path, sent["prompt"]) == ("/completion", "what?")
        assert sent["grammar"].startswith("root ::= ")
    else:
        assert path == "/chat/completions"
        assert sent["response_format"]["json_schema"]["schema"]["required"] == ["risk_score", "summary", "reasoning"]


@pytest.mark.req(199)
@pytest.mark.parametrize(
    ("status", "answer", "error"),
    [
        (500, {}, BackendUnavailable),
        (503, {}, BackendUnavailable),
        (429, {}, Throttled),
        (400, {}, PermanentFailure),
        (200, b"<html>", InvalidModelResponse),
        (200, [], InvalidModelResponse),
        (200, {}, InvalidModelResponse),
        (200, {"content": "{", "stop_type": "limit"}, InvalidModelResponse),
    ],
)
async def test_failures_of_a_server_are_told_apart(local_http, status, answer, error):
    local_http.status, local_http.answer = status, answer
    model = open_model(SecuritySettings(model_url=local_http.url))
    assert model is not None
    with pytest.raises(error):
        await model.complete("what?", min_score=0, max_score=100)
    await model.close()


async def test_a_server_that_does_not_answer_is_given_up(local_http):
    local_http.may_answer.clear()
    model = open_model(SecuritySettings(model_url=local_http.url, model_timeout_s=0.05))
    assert model is not None
    with pytest.raises(BackendUnavailable, match="within 0.05 s"):
        await model.complete("what?", min_score=0, max_score=100)
    await model.close()
