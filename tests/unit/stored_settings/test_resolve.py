"""Settings that are stored: the environment wins, the same types check them, and a bad one never keeps a process from starting."""

import pytest
from pydantic import SecretStr

from sightline.config import Settings, load_settings
from sightline.errors import InvalidInput, NotFound
from sightline.stored_settings import CHANGEABLE, changeable, is_pinned, resolve, resolve_valid

DAYS = ("retention", "recordings_days")


def environment(**names: str) -> Settings:
    return load_settings(names, env_file=None).settings


@pytest.mark.req(926)
def test_the_environment_wins_over_what_is_stored_and_that_over_the_default():
    assert environment().retention.recordings_days == 14
    assert resolve(environment(), {DAYS: 30}).retention.recordings_days == 30
    pinned = environment(SIGHTLINE_RETENTION_RECORDINGS_DAYS="3")
    assert is_pinned(pinned, DAYS)
    assert not is_pinned(environment(), DAYS)
    assert resolve(pinned, {DAYS: 30}).retention.recordings_days == 3


@pytest.mark.req(926)
def test_a_section_keeps_what_the_environment_sets_beside_what_is_stored():
    given = environment(SIGHTLINE_RETENTION_VIDEOS_DAYS="90")
    resolved = resolve(given, {DAYS: 30})
    assert (resolved.retention.videos_days, resolved.retention.recordings_days) == (90, 30)
    assert resolved.push == given.push


@pytest.mark.req(927)
def test_stored_values_are_checked_by_the_types_of_the_settings_and_the_message_names_the_variable():
    with pytest.raises(
        InvalidInput, match="SIGHTLINE_RETENTION_RECORDINGS_DAYS: .*greater than or equal to 0"
    ) as refused:
        resolve(environment(), {DAYS: -1})
    assert refused.value.details["errors"][0]["field"] == "SIGHTLINE_RETENTION_RECORDINGS_DAYS"
    with pytest.raises(InvalidInput, match="needs SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS"):
        resolve(environment(), {("notifications", "channel"): "smtp"})
    secret = SecretStr("not for the message")
    with pytest.raises(InvalidInput) as refused:
        resolve(environment(), {("push", "ntfy_topic"): "no spaces", ("push", "ntfy_token"): secret})
    assert "not for the message" not in refused.value.message


@pytest.mark.req(927)
def test_a_section_that_is_not_valid_any_more_is_left_out_and_the_others_count():
    resolved, ignored = resolve_valid(environment(), {DAYS: 30, ("push", "ntfy_topic"): "no spaces"})
    assert (resolved.retention.recordings_days, resolved.push.ntfy_topic) == (30, None)
    assert list(ignored) == ["push"]


def test_every_changeable_setting_exists_and_its_form_is_known():
    kinds = {one.name: one.kind for one in CHANGEABLE}
    assert kinds["SIGHTLINE_NOTIFICATIONS_CHANNEL"] == "choice"
    assert kinds["SIGHTLINE_NOTIFICATIONS_SMTP_PASSWORD"] == "secret"
    assert kinds["SIGHTLINE_NOTIFICATIONS_SMTP_PORT"] == "number"
    assert kinds["SIGHTLINE_TEXT_LANGUAGES"] == "list"
    assert kinds["SIGHTLINE_PUSH_NTFY_SERVER"] == "text"
    assert changeable("SIGHTLINE_NOTIFICATIONS_SMTP_TLS").choices == ("starttls", "tls", "none")
    assert changeable("SIGHTLINE_PUSH_NTFY_TOPIC").is_optional
    assert all(one.info.description for one in CHANGEABLE)
    with pytest.raises(NotFound, match="set it in the environment"):
        changeable("SIGHTLINE_DATABASE_URL")
