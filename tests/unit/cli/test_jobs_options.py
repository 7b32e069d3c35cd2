"""What `sightline jobs` refuses before it opens anything."""

import os

import pytest
from typer.testing import CliRunner

from sightline.cli import app
from sightline.cli.actor import operator_name
from sightline.errors import ConfigurationError, InvalidInput

ID = "0197b2a4-6c3e-7a11-8f00-3d1c5a9be210"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["retry"], "name the jobs by their ids, or use --all"),
        (["retry", "--all", ID], "name the jobs by their ids, or use --all"),
        (["retry", "--type", "ocr"], "name the jobs by their ids, or use --all"),
        (["retry", ID, "--type", "ocr"], "--type can only be used with --all"),
        (["retry", "nonsense"], "'nonsense' is not a job id"),
        (["retry", "--all", "--type", "ocrr"], "no job type 'ocrr'; use one of transcode"),
        (["show", "nonsense"], "'nonsense' is not a job id"),
        (["cancel", "nonsense"], "'nonsense' is not a job id"),
        (["list", "--status", "dead"], "unknown status 'dead'; use one of queued, processing, done, failed"),
        (["list", "--type", "ocrr"], "no job type 'ocrr'"),
        (["list", "--video", "nonsense"], "'nonsense' is not a video id"),
        (["--state-dir", "elsewhere", "retry", "--all"], "put options after the command: sightline jobs retry"),
        (["--json", "list"], "put options after the command"),
    ],
)
def test_unclear_options_are_refused_before_anything_is_opened(clean_environment, arguments: list[str], message: str):
    error = CliRunner().invoke(app, ["jobs", *arguments]).exception
    assert isinstance(error, InvalidInput)
    assert message in error.message
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
