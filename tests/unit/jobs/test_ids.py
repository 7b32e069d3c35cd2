"""Ids that rise with time."""

import time
from itertools import pairwise
from uuid import RFC_4122

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.jobs import ids


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    monkeypatch.setattr(ids, "_last_ms", 0)
    monkeypatch.setattr(ids, "_counter", 0)


def test_an_id_is_a_uuid_of_version_7_with_the_time_in_front():
    before = time.time_ns() // 1_000_000
    made = ids.new_job_id()
    after = time.time_ns() // 1_000_000
    assert made.version == 7
    assert made.variant == RFC_4122
    assert before <= made.int >> 80 <= after


def test_ids_of_one_process_rise_strictly_even_many_in_one_millisecond(monkeypatch):
    monkeypatch.setattr(time, "time_ns", lambda: 1_700_000_000_000_000_000)
    made = [ids.new_job_id() for _ in range(10_000)]
    assert all(a < b for a, b in pairwise(made))
    assert {one.version for one in made} == {7}
    assert {one.variant for one in made} == {RFC_4122}


def test_ids_made_as_fast_as_possible_rise_strictly():
    made = [ids.new_job_id() for _ in range(10_000)]
    assert made == sorted(set(made))


@given(st.lists(st.integers(-5_000_000, 5_000_000), min_size=2, max_size=200))
def test_a_clock_that_jumps_back_does_not_let_ids_fall(steps):
    now = 1_700_000_000_000_000_000
    made = []
    with pytest.MonkeyPatch.context() as patch:
        for step in steps:
            now += step
            patch.setattr(time, "time_ns", lambda now=now: now)
            made.append(ids.new_job_id())
    assert all(a < b for a, b in pairwise(made))


def test_ids_of_two_processes_at_one_moment_differ(monkeypatch):
    monkeypatch.setattr(time, "time_ns", lambda: 1_700_000_000_000_000_000)
    made = set()
    for _ in range(1000):
        monkeypatch.setattr(ids, "_last_ms", 0)
        made.add(ids.new_job_id())
    assert len(made) == 1000
