"""What `sightline jobs` refuses before it opens anything."""

import os

import pytest
from typer.testing import CliRunner

from sightline.cli import app
from sightline.cli.jobs import operator_name
from sightline.errors import ConfigurationError, InvalidInput

ID = "0197b2a4-6c3e-7a11-8f00-3d1c5a9be210"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["retry"], "say which jobs by one of"),
        (["retry", "--all", ID], "say which jobs by one of"),
        (["retry", "--type", "ocr"], "say which jobs by one of"),
        (["retry", ID, "--type", "ocr"], "--type narrows --all"),
        (["retry", "nonsense"], "'nonsense' is not a job id"),
        (["retry", "--all", "--type", "ocrr"], "no job type 'ocrr'; there are transcode"),
        (["show", "nonsense"], "'nonsense' is not a job id"),
        (["cancel", "nonsense"], "'nonsense' is not a job id"),
        (["list", "--status", "dead"], "no state 'dead'; there are queued, processing, done, failed"),
        (["list", "--type", "ocrr"], "no job type 'ocrr'"),
        (["list", "--video", "nonsense"], "'nonsense' is not a video id"),
        (["--state-dir", "elsewhere", "retry", "--all"], "options stand behind the command: sightline jobs retry"),
        (["--json", "list"], "options stand behind the command"),
    ],
)
def test_what_is_not_clearly_said_is_refused(clean_environment, arguments: list[str], said: str):
    error = CliRunner().invoke(app, ["jobs", *arguments]).exception
    assert isinstance(error, InvalidInput)
    assert said in error.message
    assert os.listdir(clean_environment) == []


@pytest.mark.parametrize("arguments", [[], ["list"], ["show", ID], ["retry", "--all"], ["cancel", ID], ["--watch"]])
def test_without_a_platform_it_says_how_to_start_one_and_starts_nothing(clean_environment, arguments: list[str]):
    error = CliRunner().invoke(app, ["jobs", *arguments]).exception
    assert isinstance(error, ConfigurationError)
    assert "no platform is running on" in error.message
    assert os.listdir(clean_environment) == []


def test_an_operator_without_a_name_has_a_number(monkeypatch: pytest.MonkeyPatch):
    def nameless() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", nameless)
    assert operator_name().startswith(f"operator uid {os.getuid()}@")
