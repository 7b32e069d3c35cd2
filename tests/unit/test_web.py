"""The page's own unit tests (web/test), run by node's test runner."""

import os
import re
import subprocess

import pytest

from support.installed import NODE_PACKAGES, wait_for
from support.node import NODE, WEB

FAILED = re.compile(r"^not ok \d+ - (.+)$", re.MULTILINE)
PASSED = re.compile(r"^ok \d+ - (.+)$", re.MULTILINE)


def test_the_modules_of_the_page_pass_their_own_tests() -> None:
    if not NODE_PACKAGES.exists() and "SIGHTLINETEST_INSTALLER" not in os.environ:
        pytest.skip("web/node_modules is missing: `make setup` installs it")
    wait_for(NODE_PACKAGES)
    done = subprocess.run(
        [NODE, WEB / "test" / "run.mjs", "--test-reporter=tap"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    failed = FAILED.findall(done.stdout)
    assert not failed, f"failed: {', '.join(failed)}\n{done.stdout}{done.stderr}"
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(PASSED.findall(done.stdout)) > 30
