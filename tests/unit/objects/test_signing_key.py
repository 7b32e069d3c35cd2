"""The key that signs URLs: from settings, or generated once for all processes of a state directory."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr

from sightline.errors import ConfigurationError
from sightline.objects.disk.signing_key import KEY_FILE, load_signing_key


def test_a_key_from_settings_comes_first(tmp_path: Path):
    found = load_signing_key("ID", SecretStr("secret"), tmp_path)
    assert (found.key_id, found.secret) == ("ID", "secret")
    assert list(tmp_path.iterdir()) == []


def test_a_key_is_generated_once_and_only_the_owner_may_read_it(tmp_path: Path):
    state = tmp_path / "deep" / "state"
    first, second = load_signing_key(None, None, state), load_signing_key(None, None, state)
    assert first == second
    assert len(first.secret) >= 32
    assert (state / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in state.iterdir()] == [KEY_FILE]
    assert load_signing_key(None, None, tmp_path / "other") != first


def test_processes_that_start_at_the_same_time_agree_on_the_key(tmp_path: Path):
    with ThreadPoolExecutor(16) as pool:
        found = set(pool.map(lambda _: load_signing_key(None, None, tmp_path), range(64)))
    assert len(found) == 1
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]


@pytest.mark.parametrize("content", ["", "{}", "[1]", json.dumps({"key_id": "x"})])
def test_a_damaged_file_is_reported_rather_than_replaced(tmp_path: Path, content: str):
    (tmp_path / KEY_FILE).write_text(content)
    with pytest.raises(ConfigurationError, match="remove the file"):
        load_signing_key(None, None, tmp_path)
    assert (tmp_path / KEY_FILE).read_text() == content
