"""How much one request may move."""

from sightline.api.queues import MAX_REQUEST_SECONDS, RedriveBody


def test_a_slow_rate_does_as_much_as_a_request_may_take():
    assert RedriveBody.model_validate({"all": True, "rate": 2, "limit": 1000}).most == 2 * MAX_REQUEST_SECONDS
    assert RedriveBody.model_validate({"all": True, "rate": 0.001}).most == 1


def test_a_fast_rate_does_as_much_as_was_asked_for():
    assert RedriveBody.model_validate({"all": True, "limit": 7}).most == 7
