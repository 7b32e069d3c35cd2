"""Thresholds of quotas: warned of when they are passed, and again only after use fell below them."""

import pytest

from sightline.quota_warnings import lasting_threshold


@pytest.mark.req(1170)
@pytest.mark.parametrize(
    ("known", "used", "expected"),
    [
        (None, 79, None),
        (None, 80, 80),
        (None, 130, 100),
        (80, 99, 80),
        (80, 100, 100),
        (80, 75, 80),
        (80, 74, None),
        (100, 95, 100),
        (100, 94, 80),
        (100, 75, 80),
        (100, 74, None),
    ],
)
def test_a_threshold_lasts_until_use_fell_by_some_percent(known, used, expected):
    assert lasting_threshold(known, used, 100) == expected
    assert lasting_threshold(known, used, 0) is None, "no limit"


@pytest.mark.req(1170)
def test_large_quotas_lose_nothing_to_rounding():
    assert lasting_threshold(None, 8 * 10**17 - 1, 10**18) is None
    assert lasting_threshold(None, 8 * 10**17, 10**18) == 80
