"""Hostile code inside the sandbox of media work: it reaches its one input and its own directory, and nothing else.

The program that runs it stands for the platform: started by `python -m` in the directory that holds the state directory, with
secrets in its environment; once by root, if root runs the tests, and once by an ordinary user.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sightline.jobs import ConfinementMissing, ProcessLimits, Sandbox, confinement, run_in_process
from sightline.jobs.confinement import status as confinement_status
from sightline.jobs.confinement.sandbox import MAX_THREADS
from sightline.jobs.retry import may_retry
from sightline.roles import services_of
from support import process_work
from support.hostile_work import REACHED, REFUSED
from support.other_user import TESTS, as_user, can_be_another_user
from support.pipeline_rig import open_pipeline_rig

pytestmark = pytest.mark.skipif(bool(confinement().missing), reason=f"this system cannot: {confinement().missing}")

SECRET = "do-not-tell"
NOT_EVERYWHERE = {"open a kernel crypto socket", "open a raw socket", "open a packet socket", "read /etc/shadow"}
"""Attempts that also fail without a sandbox, by the kernel or for an ordinary user."""


def run_hostile(directory: Path, how: str, *, as_another: bool) -> dict[str, Any]:
    change = as_user(directory)[1] if as_another else None
    done = subprocess.run(
        [sys.executable, "-m", "support.hostile_parent", how],
        cwd=directory,
        env={"PYTHONPATH": str(TESTS), "SIGHTLINE_SECRET": SECRET},
        preexec_fn=change,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module", params=["by the user who runs the tests", "by another user"])
def hostile(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    as_another = request.param == "by another user"
    if as_another and not can_be_another_user():
        pytest.skip("only root can run a program as another user")
    return run_hostile(tmp_path_factory.mktemp("platform"), "sandboxed", as_another=as_another)


def test_every_attempt_works_without_a_sandbox(tmp_path_factory):
    """Otherwise the tests below would show nothing."""
    found = run_hostile(tmp_path_factory.mktemp("open"), "open", as_another=False)["found"]
    assert [name for name, (result, _) in found.items() if result == REFUSED and name not in NOT_EVERYWHERE] == []


@pytest.mark.req(309)
@pytest.mark.parametrize("word", ["read", "list", "write", "append", "remove", "truncate", "rename", "change modes"])
def test_no_file_outside_is_read_or_changed(hostile, word):
    tried = {name: found for name, found in hostile["found"].items() if name.startswith(word)}
    assert tried
    assert {name: why for name, (result, why) in tried.items() if result == REACHED} == {}


@pytest.mark.req(309)
def test_nothing_is_made_that_would_lead_its_reader_elsewhere(hostile):
    tried = {name: found for name, found in hostile["found"].items() if name.startswith("make a")}
    assert len(tried) == 6
    assert all(result == REFUSED for result, _ in tried.values())


@pytest.mark.req(310)
def test_no_connection_of_any_kind_is_made(hostile):
    words = ("connect", "send", "open a", "listen", "resolve")
    tried = {name: found for name, found in hostile["found"].items() if name.startswith(words)}
    assert len(tried) > 8
    assert {name: why for name, (result, why) in tried.items() if result == REACHED} == {}


@pytest.mark.req(311)
def test_no_program_and_no_process_is_started(hostile):
    words = ("start", "become a", "run", "fork")
    tried = {name: found for name, found in hostile["found"].items() if name.startswith(words)}
    assert len(tried) == 6
    assert {name: why for name, (result, why) in tried.items() if result == REACHED} == {}


@pytest.mark.req(312)
def test_no_other_process_is_seen_traced_or_signalled(hostile):
    words = ("the platform", "fork server", "processes")
    tried = {name: found for name, found in hostile["found"].items() if any(word in name for word in words)}
    assert len(tried) > 12
    assert {name: why for name, (result, why) in tried.items() if result == REACHED} == {}


@pytest.mark.req(309, 310, 311, 312)
def test_whatever_is_tried_is_refused(hostile):
    assert {name: why for name, (result, why) in hostile["found"].items() if result == REACHED} == {}


@pytest.mark.req(313)
def test_the_process_has_no_environment_and_nothing_in_it_tells_a_secret(hostile):
    assert hostile["self"]["environment"] == {}
    assert SECRET not in json.dumps(hostile)


@pytest.mark.req(313)
def test_the_process_inherits_its_input_its_streams_and_no_other_file(hostile):
    files = hostile["self"]["files"]
    assert {files.pop(number) for number in "012"} == {"/dev/null"}
    kinds = sorted(Path(name.partition(":[")[0]).name for name in files.values())
    assert kinds == sorted(["input", "maps", "pipe", "socket", "stat", "statm", "status"])  # it reports over the socket
    assert hostile["self"]["handed"] == "the video"
    assert hostile["self"]["own"] == "works"


@pytest.mark.req(314)
def test_the_process_has_no_privileges(hostile):
    status = hostile["self"]["status"]
    assert {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {"0" * 16}
    assert (status["NoNewPrivs"], status["Seccomp"], status["Groups"]) == ("1", "2", status["Groups"])
    assert "0" not in status["Uid"].split()
    assert "0" not in status["Gid"].split()


@pytest.mark.req(315)
def test_a_bomb_of_threads_ends_at_its_limit(hostile):
    assert 8 < hostile["self"]["threads"] <= MAX_THREADS


@pytest.mark.skipif(os.geteuid() != 0, reason="only children of root change their ids")
@pytest.mark.req(314)
async def test_children_of_root_have_ids_that_nobody_else_has():
    import pwd

    found = [await run_in_process(process_work.own_ids, {}, lambda *_: None, sandbox=Sandbox()) for _ in range(2)]
    uids = {one["uid"] for one in found if one}
    assert len(uids) == 2
    assert not uids & {entry.pw_uid for entry in pwd.getpwall()}


@pytest.mark.req(316)
async def test_work_is_refused_where_the_kernel_cannot_confine_it(monkeypatch):
    monkeypatch.setattr(confinement_status, "landlock_version", lambda: 0)
    with pytest.raises(ConfinementMissing, match="no Landlock .*SIGHTLINE_MEDIA_ALLOW_UNCONFINED=true") as caught:
        await run_in_process(process_work.double, {"n": 1}, lambda *_: None, sandbox=Sandbox())
    assert not may_retry(caught.value, 0)
    assert "\n" not in caught.value.message


@pytest.mark.req(316)
async def test_a_setting_accepts_a_kernel_that_cannot_confine(monkeypatch):
    monkeypatch.setattr(confinement_status, "landlock_version", lambda: 0)
    found = await run_in_process(
        process_work.double,
        {"n": 21},
        lambda *_: None,
        limits=ProcessLimits(may_be_unconfined=True),
        sandbox=Sandbox(),
    )
    assert found is not None
    assert found["answer"] == 42


@pytest.mark.req(316)
@pytest.mark.parametrize(
    ("lacking", "words"), [("landlock_version", "no Landlock"), ("has_seccomp", "no seccomp filters")]
)
def test_the_level_of_confinement_names_what_is_missing(monkeypatch, lacking, words):
    assert confinement().level.startswith("confined: files by Landlock")
    monkeypatch.setattr(confinement_status, lacking, lambda: 0)
    assert words in confinement().level
    assert confinement().level.startswith("partly confined")


@pytest.mark.req(316)
async def test_deep_health_shows_the_level_and_is_sick_where_work_is_refused(fresh_database, tmp_path, monkeypatch):
    async with open_pipeline_rig(fresh_database, tmp_path / "state") as rig:
        services_of("work", rig.platform)
        found = {part.part: part for part in await rig.platform.health.check_all()}["media sandbox"]
        assert found.is_healthy
        assert found.detail == confinement().level
        monkeypatch.setattr(confinement_status, "has_seccomp", lambda: False)
        found = {part.part: part for part in await rig.platform.health.check_all()}["media sandbox"]
        assert "no seccomp filters" in (found.error or "")
