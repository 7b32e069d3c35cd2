"""The whole OpenAPI under schemathesis, from its own environment: no request that it can think of is answered with 5xx."""

import asyncio
import os
import re
from pathlib import Path

import pytest

from sightline.config import ApiSettings
from support import TESTS

pytestmark = [
    pytest.mark.skipif(not os.environ.get("SIGHTLINETEST_SOAK"), reason="a long run; make soak"),
    pytest.mark.time_limit(1800),
]

SCHEMATHESIS = TESTS.parent / ".venv" / "fuzzers" / "bin" / "python"
MAX_SECONDS = 300
EXAMPLES_PER_OPERATION = 30
LEAST_CASES = 500


@pytest.mark.req(328)
async def test_schemathesis_finds_no_server_error(live_with, tmp_path: Path):
    live = await live_with(api=ApiSettings(rate_limit_per_minute=0))
    process = await asyncio.create_subprocess_exec(
        *(str(SCHEMATHESIS), "-m", "schemathesis.cli", "run", f"http://127.0.0.1:{live.port}/openapi.json"),
        *("--checks", "not_a_server_error", "--phases", "examples,coverage,fuzzing", "--continue-on-failure"),
        *("--max-examples", str(EXAMPLES_PER_OPERATION), "--max-time", str(MAX_SECONDS), "--request-timeout", "120"),
        *("--generation-allow-x00", "true", "--generation-database", "none", "--no-color"),
        *("--exclude-path", "/api/live"),  # waits for news by design; the walk over all routes includes it
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=tmp_path,
    )
    output = (await process.communicate())[0].decode(errors="replace")
    print(output[-4000:])
    assert process.returncode == 0, output[-4000:]
    (cases,) = re.findall(r"(\d+) generated", output)
    assert int(cases) > LEAST_CASES
