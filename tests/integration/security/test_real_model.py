"""One assessment by a real model behind a real llama.cpp server."""

import asyncio
import sys
from collections.abc import AsyncIterator

import pytest

from sightline.security import SecuritySettings
from support import TESTS, installed
from support.security_rig import MIDNIGHT, Watch, new_detection
from support.waiting import soon, until

PYTHON = TESTS.parent / ".venv" / "models" / "bin" / "python"


@pytest.fixture
async def llama_url() -> AsyncIterator[str]:
    installed.wait_for(installed.MODELS)
    server = await asyncio.create_subprocess_exec(
        *(str(PYTHON), str(TESTS / "support" / "llama_server.py")),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    line = await soon(server.stdout.readline(), within_s=60)
    yield line.decode().strip()
    server.stdin.close()
    await soon(server.wait())


@pytest.mark.time_limit(300)
@pytest.mark.req(197)
async def test_a_real_model_refines_within_the_reach_and_in_valid_form(platform_with, llama_url):
    settings = SecuritySettings(
        model_url=llama_url, model_name="smollm2", model_max_difference=10, model_timeout_s=3600
    )
    watch = Watch(await platform_with(security=settings))
    await watch.camera()
    batch_id = await watch.batch_of(new_detection(detected_at=MIDNIGHT), new_detection("dog", detected_at=MIDNIGHT))
    async with watch.working(watch.security.assess_risk, watch.security.refine_risk):
        by_rules = await watch.event_of(batch_id)
        await until(lambda: watch.is_refined(by_rules.id), within_s=240)
    (event,) = await watch.events()
    print(event.risk_score, event.summary, event.reasoning, sep=" | ", file=sys.stderr)
    assert (event.assessor, event.model) == ("model", "smollm2")
    assert 45 <= event.risk_score <= 65  # the rules say 55
    assert len(event.summary) >= 10
    assert len(event.reasoning) >= 20
    assert watch.metric("sightline_security_model_seconds_count", outcome="answered") == 1
