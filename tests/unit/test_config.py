"""Settings: typed, traceable, and unforgiving about typing errors."""

from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs

from sightline.cli import run
from sightline.config import DOCUMENT_NAMES, RENAMED_SETTINGS, is_loopback, known_fields, load_settings
from sightline.errors import ConfigurationError

SECRET = "hunter2-very-secret-and-long-enough"


def _sources(environment: dict[str, str], **more: Path) -> dict[str, str]:
    return {s.name: s.source for s in load_settings(environment, env_file=more.get("env_file")).explain()}


def test_without_any_setting_the_defaults_serve_one_machine():
    settings = load_settings({}, env_file=None).settings
    assert (settings.api.host, settings.api.port) == ("127.0.0.1", 8400)
    assert settings.database.url is None


@pytest.mark.parametrize("name", sorted(DOCUMENT_NAMES))
def test_the_names_that_the_documents_use_are_understood(name: str):
    value = {"S3_ACCESS_KEY_ID": "AKIA"}.get(name, f"https://{name}.example")
    environment = {name: value}
    if name.startswith("S3_") and name.endswith(("ID", "ACCESS_KEY")):
        environment = {"S3_ACCESS_KEY_ID": "a", "S3_SECRET_ACCESS_KEY": "b"} | environment
    assert name in _sources(environment).values()


def test_our_own_name_wins_over_the_documents_name():
    loaded = load_settings({"DATABASE_URL": "postgresql://a/b", "SIGHTLINE_DATABASE_URL": "postgresql://c/d"})
    assert loaded.settings.database.url is not None
    assert loaded.settings.database.url.get_secret_value() == "postgresql://c/d"


def test_the_environment_wins_over_the_file_and_the_command_line_over_both(tmp_path: Path):
    env_file = tmp_path / ".env"
    env_file.write_text("SIGHTLINE_API_PORT=1111\nSIGHTLINE_OBSERVABILITY_LOG_LEVEL=debug\nOTHER=x\n")
    loaded = load_settings({"SIGHTLINE_API_PORT": "2222"}, env_file=env_file)
    assert loaded.settings.api.port == 2222
    assert loaded.settings.observability.log_level == "debug"
    loaded = load_settings({"SIGHTLINE_API_PORT": "2222"}, env_file=env_file, overrides={("api", "port"): 3333})
    assert loaded.settings.api.port == 3333
    assert loaded.sources["api", "port"] == "command line"


def test_a_name_nobody_knows_is_refused_with_the_nearest_known_one():
    with pytest.raises(ConfigurationError, match=r"SIGHTLINE_API_PROT \(did you mean SIGHTLINE_API_PORT\?\)"):
        load_settings({"SIGHTLINE_API_PROT": "1"}, env_file=None)


def test_an_unknown_name_in_the_file_is_refused_too(tmp_path: Path):
    (tmp_path / ".env").write_text("SIGHTLINE_NONSENSE=1\n")
    with pytest.raises(ConfigurationError, match=r"\.env: SIGHTLINE_NONSENSE"):
        load_settings({}, env_file=tmp_path / ".env")


def test_a_bad_value_names_the_setting_and_its_source_but_not_the_value():
    with pytest.raises(ConfigurationError) as caught:
        load_settings({"SIGHTLINE_API_PORT": SECRET}, env_file=None)
    assert "SIGHTLINE_API_PORT (from SIGHTLINE_API_PORT)" in caught.value.message
    assert SECRET not in caught.value.message


def test_secrets_are_never_shown():
    environment = {
        "DATABASE_URL": f"postgresql://u:{SECRET}@h/d",
        "SIGHTLINE_AUTH_JWT_SECRET": SECRET,
        "SUPABASE_SERVICE_ROLE_KEY": SECRET,
        "S3_ACCESS_KEY_ID": "id",
        "S3_SECRET_ACCESS_KEY": SECRET,
        "SIGHTLINE_OBSERVABILITY_METRICS_TOKEN": SECRET,
    }
    loaded = load_settings(environment, env_file=None)
    assert SECRET not in repr(loaded.settings) + str(loaded.settings.model_dump()) + str(loaded.explain())


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_listening_beyond_this_machine_without_authentication_is_refused(host: str):
    with pytest.raises(ConfigurationError, match="without authentication"):
        load_settings({"SIGHTLINE_API_HOST": host}, env_file=None)
    loaded = load_settings({"SIGHTLINE_API_HOST": host, "SIGHTLINE_AUTH_JWT_SECRET": "s" * 32}, env_file=None)
    assert loaded.settings.api.host == host


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "::1", "localhost"])
def test_loopback_has_many_names(host: str):
    assert is_loopback(host)


def test_keys_of_an_issuer_without_an_audience_are_refused():
    with pytest.raises(ConfigurationError, match="AUDIENCE"):
        load_settings({"SIGHTLINE_AUTH_JWKS_URL": "https://issuer/keys"}, env_file=None)


def test_a_secret_that_could_be_guessed_is_refused():
    with pytest.raises(ConfigurationError, match="32 bytes or more") as caught:
        load_settings({"SIGHTLINE_AUTH_JWT_SECRET": "tiny-and-weak"}, env_file=None)
    assert "tiny-and-weak" not in caught.value.message


def test_half_an_s3_credential_is_refused():
    with pytest.raises(ConfigurationError, match="needed together"):
        load_settings({"S3_ACCESS_KEY_ID": "only"}, env_file=None)


def test_lists_are_comma_separated():
    loaded = load_settings({"SIGHTLINE_API_CORS_ORIGINS": "https://a.example, https://b.example,"}, env_file=None)
    assert loaded.settings.api.cors_origins == ("https://a.example", "https://b.example")


def test_every_setting_is_described():
    assert [name for name in known_fields() if not name[2]] == []


@pytest.mark.parametrize(("old", "new"), RENAMED_SETTINGS.items())
def test_a_renamed_setting_is_still_read_by_its_old_name(old: str, new: str):
    value = {"SIGHTLINE_BUS_KEEPER": "aws", "SIGHTLINE_MESSAGES_KEEPER": "dynamodb", "SIGHTLINE_OBJECTS_KEEPER": "s3"}
    loaded = load_settings({old: value.get(old, "17")}, env_file=None)
    shown = {setting.name: (str(setting.value), setting.source) for setting in loaded.explain()}
    assert shown[new] == (value.get(old, "17"), old)
    assert old not in shown
    assert loaded.renamed == {old: new}


def test_no_warning_is_given_for_new_names_alone():
    assert load_settings({"SIGHTLINE_BUS_BACKEND": "aws"}, env_file=None).renamed == {}


def test_of_an_old_and_a_new_name_the_new_one_wins():
    both = {"SIGHTLINE_BUS_KEEPER": "aws", "SIGHTLINE_BUS_BACKEND": "postgres"}
    loaded = load_settings(both, env_file=None)
    assert loaded.settings.bus.backend == "postgres"
    assert loaded.sources["bus", "backend"] == "SIGHTLINE_BUS_BACKEND"
    assert loaded.renamed == {"SIGHTLINE_BUS_KEEPER": "SIGHTLINE_BUS_BACKEND"}


def test_an_old_name_in_the_environment_wins_over_a_new_one_in_the_file(tmp_path: Path):
    (tmp_path / ".env").write_text("SIGHTLINE_BUS_BACKEND=postgres\n")
    loaded = load_settings({"SIGHTLINE_BUS_KEEPER": "aws"}, env_file=tmp_path / ".env")
    assert loaded.settings.bus.backend == "aws"


def test_a_bad_value_under_an_old_name_is_reported_by_both_names():
    with pytest.raises(ConfigurationError, match=r"SIGHTLINE_BUS_BACKEND \(from SIGHTLINE_BUS_KEEPER\)"):
        load_settings({"SIGHTLINE_BUS_KEEPER": "kafka"}, env_file=None)


def test_a_process_warns_once_of_each_old_name_at_its_start(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(run, "configure_logging", lambda _: None)
    monkeypatch.setattr(run, "configure_tracing", lambda: None)
    monkeypatch.setattr(run, "log", structlog.get_logger())  # the module's own may be bound to another test's output
    with capture_logs() as lines:
        run.prepare_process(load_settings({"SIGHTLINE_BUS_KEEPER": "postgres"}, env_file=None))
    assert [(line["event"], line["log_level"], line["old"], line["new"]) for line in lines] == [
        ("settings.renamed", "warning", "SIGHTLINE_BUS_KEEPER", "SIGHTLINE_BUS_BACKEND")
    ]
