"""The state directory: one platform at a time, and honest notes about it."""

import json
from pathlib import Path

import pytest

from sightline.errors import ConfigurationError
from sightline.state_directory import StateDirectory
from sightline.supervisor import ServiceStatus
from sightline.timing import utc_now


def test_the_second_is_told_who_holds_it(tmp_path: Path):
    first, second = StateDirectory(tmp_path), StateDirectory(tmp_path)
    with first.held():
        first.publish("http://127.0.0.1:8400", "2026-01-17T10:00:00.000Z", [])
        with pytest.raises(
            ConfigurationError, match=r"in use by the platform with pid \d+ .* at http://127.0.0.1:8400"
        ):
            second.held().__enter__()
    with second.held():
        pass


def test_notes_of_a_killed_platform_are_not_believed(tmp_path: Path):
    (tmp_path / "lock").touch()
    (tmp_path / "status.json").write_text(
        json.dumps({"pid": 1, "host": "h", "started_at": "x", "address": "a", "services": []})
    )
    assert StateDirectory(tmp_path).holder() is None


def test_what_is_published_can_be_read_by_another(tmp_path: Path):
    state = StateDirectory(tmp_path)
    with state.held():
        state.publish("http://x", "2026-01-17T10:00:00.000Z", [ServiceStatus("api", "running", utc_now())])
        holder = StateDirectory(tmp_path).holder()
        assert holder is not None
        assert holder.is_healthy
        state.publish("http://x", "2026-01-17T10:00:00.000Z", [ServiceStatus("api", "restarting", utc_now())])
        holder = StateDirectory(tmp_path).holder()
        assert holder is not None
        assert not holder.is_healthy


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="cannot use the state directory .*file/below"):
        StateDirectory(tmp_path / "file" / "below").held().__enter__()
