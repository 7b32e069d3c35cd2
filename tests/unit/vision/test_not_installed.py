"""Without models: one line that says how to add them, and an exit code of its own."""

import pytest
from typer.testing import CliRunner

from sightline.cli.detect import register
from sightline.vision import VisionSettings, build, detector_status, open_detector


@pytest.fixture
def nothing(monkeypatch):
    monkeypatch.setattr(build, "installed_models", lambda state_dir: [])


@pytest.mark.req(535)
def test_how_to_install_is_one_line(nothing):
    status = detector_status(VisionSettings())
    assert not status.is_installed
    assert status.how_to_install is not None
    assert "sightline vision install" in status.how_to_install
    assert "\n" not in status.how_to_install


async def test_there_is_no_detector(nothing):
    async with open_detector(VisionSettings()) as detector:
        assert detector is None


@pytest.mark.req(535)
def test_the_command_says_so_and_exits_with_3(nothing, tmp_path):
    import typer

    app = typer.Typer()
    register(app)
    file = tmp_path / "a.jpg"
    file.write_bytes(b"x")
    done = CliRunner().invoke(app, [str(file), "--state-dir", str(tmp_path)])
    assert done.exit_code == 3
    assert "sightline vision install" in done.output
