"""The budget of looking for text: saved while nothing changes, limited while everything moves."""

import pytest

from sightline.text.reading.following.look_budget import (
    MAX_SAVED_MS,
    MS_PER_SECOND,
    RESERVE_MS,
    LookBudget,
    detection_cost_ms,
    reading_cost_ms,
)


@pytest.mark.req(702)
def test_what_is_spent_in_a_long_video_never_exceeds_what_accrues():
    budget, spent, cost = LookBudget(0), 0.0, detection_cost_ms(1920, 1080, 0.5)
    for now_ms in range(0, 60_000, 100):
        budget.advance(now_ms)
        if budget.allows(cost):
            budget.spend(cost)
            spent += cost
    assert 0.9 * 60 * MS_PER_SECOND < spent < 60 * MS_PER_SECOND + MAX_SAVED_MS


@pytest.mark.req(702)
def test_a_still_video_saves_up_for_one_fine_look_but_not_without_limit():
    budget = LookBudget(0)
    budget.advance(3_600_000)
    assert budget.allows(detection_cost_ms(1920, 1080, 1.0))
    assert not budget.allows(MAX_SAVED_MS + 1)


@pytest.mark.req(702)
def test_costs_grow_with_the_area_that_is_searched_and_with_the_length_of_a_line():
    assert detection_cost_ms(1920, 1080, 1.0) == pytest.approx(4 * detection_cost_ms(1920, 1080, 0.5))
    assert reading_cost_ms(400, 20) == pytest.approx(2 * reading_cost_ms(400, 40))


@pytest.mark.req(702)
def test_waiting_moves_on_to_the_moment_at_which_reading_is_allowed_and_no_further_than_told():
    budget = LookBudget(0)
    budget.spend(MAX_SAVED_MS / 2 + 400 + MS_PER_SECOND)
    assert not budget.wait_to_read(500)
    assert budget.wait_to_read(60_000)
    budget.spend(100)
    assert not budget.may_read  # the time from then on has not been used yet
    budget.advance(2000)
    assert budget.may_read


@pytest.mark.req(702)
def test_the_reserve_is_not_refilled():
    budget = LookBudget(0)
    assert budget.spend_reserve(RESERVE_MS)
    budget.advance(3_600_000)
    assert not budget.spend_reserve(1)
