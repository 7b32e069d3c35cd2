"""How much of a body is read after its response, and for how long."""

from sightline.api.edge.unwanted_body import MAX_DROPPED_BYTES, UnwantedBody
from sightline.config import ApiSettings

LIMITS = ApiSettings(body_timeout_s=10, min_body_bytes_per_s=100)


def test_a_body_up_to_the_bound_is_read_to_its_end():
    body = UnwantedBody(LIMITS, now=0)
    body.drop(MAX_DROPPED_BYTES)
    assert not body.is_too_much
    body.drop(1)
    assert body.is_too_much


def test_each_period_must_bring_bytes_at_the_lowest_speed():
    body = UnwantedBody(LIMITS, now=0)
    assert not body.is_too_slow(9.9)
    body.drop(1000)
    assert not body.is_too_slow(10)
    assert not body.is_too_slow(19.9), "a new period has begun"
    body.drop(999)
    assert body.is_too_slow(20)


def test_silence_is_too_slow_at_any_lowest_speed():
    body = UnwantedBody(ApiSettings(body_timeout_s=10, min_body_bytes_per_s=0), now=0)
    assert body.is_too_slow(10)
