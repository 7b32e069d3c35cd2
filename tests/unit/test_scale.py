"""The simulator of a fleet's day agrees with queueing theory, and says what breaks first."""

import math
import random
import sys
import tomllib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from scale import FIGURES, breaking_points, report, times_as_much
from scale_day import BATCH, DAY_S, arrivals, costs_of_videos, fleet_for, peak_loads, play_day, use_at_peak, weight
from scale_queues import (
    HOUR_S,
    Station,
    Waits,
    erlang_c,
    mean_wait_md1,
    mean_wait_mmc,
    merged,
    play,
    servers_needed,
)

MEASURES = tomllib.loads(FIGURES.read_text())
SMALL = {"api": 1, "consume": 1, "work-media": 1, "work-text": 1, "database": 8, "commits": 1, "feed order": 1}


def played(rate: float, services: "list[float]", servers: int, *, seed: int) -> Station:
    chance, at = random.Random(seed), 0.0
    station = Station("one", servers)
    visits = []
    for service in services:
        at += chance.expovariate(rate)
        visits.append((at, (("one", service),)))
    play({"one": station}, visits)
    return station


@pytest.mark.parametrize(
    ("servers", "offered", "expected"),
    [(1, 0.5, 0.5), (2, 1.0, 1 / 3), (10, 8.0, 0.4092), (4, 4.0, 1.0)],
)
def test_the_share_that_waits_is_that_of_the_tables_of_erlang(servers: int, offered: float, expected: float):
    assert erlang_c(servers, offered) == pytest.approx(expected, abs=1e-4)


@pytest.mark.req(1037)
@pytest.mark.parametrize(("servers", "use"), [(1, 0.5), (1, 0.8), (4, 0.8), (20, 0.9)])
def test_played_waits_are_those_of_theory_with_exponential_services(servers: int, use: float):
    chance = random.Random(7)
    rate = servers * use  # services of one second
    station = played(rate, [chance.expovariate(1.0) for _ in range(30_000)], servers, seed=11)
    assert station.waits.mean_s == pytest.approx(mean_wait_mmc(rate, 1.0, servers), rel=0.1)


@pytest.mark.req(1037)
@pytest.mark.parametrize("use", [0.3, 0.6, 0.8])
def test_played_waits_are_those_of_theory_with_services_of_one_length(use: float):
    station = played(use, [1.0] * 30_000, 1, seed=3)
    assert station.waits.mean_s == pytest.approx(mean_wait_md1(use, 1.0), rel=0.1)


def test_more_than_can_be_served_waits_for_ever():
    assert mean_wait_mmc(3, 1, 3) == mean_wait_md1(1, 1) == math.inf
    falling_behind = played(2.0, [1.0] * 10_000, 1, seed=5)
    assert falling_behind.waits.longest_s > 4000


def test_the_fewest_servers_keep_both_limits_and_one_less_does_not():
    for rate in (0.1, 5.0, 70.0):
        found = servers_needed(rate, 1.0, max_wait_s=0.5, max_use=0.7)
        assert rate / found <= 0.7
        assert mean_wait_mmc(rate, 1.0, found) <= 0.5
        assert found == 1 or rate / (found - 1) > 0.7 or mean_wait_mmc(rate, 1.0, found - 1) > 0.5


def test_what_comes_first_is_served_first_and_goes_on_afterwards():
    stations = {"a": Station("a", 1), "b": Station("b", 2)}
    play(stations, merged([(0.0, (("a", 5.0), ("b", 1.0)))], [(1.0, (("a", 2.0), ("b", 1.0)))]))
    assert (stations["a"].waits.total_s, stations["a"].waits.longest_s) == (4.0, 4.0)
    assert (stations["b"].waits.count, stations["b"].waits.total_s) == (2, 0.0)
    assert stations["a"].use(0) == 7.0 / HOUR_S


def test_quantiles_are_bounds_from_above():
    waits = Waits()
    for number in range(1, 1001):
        waits.add(number / 100)
    for share in (0.5, 0.95, 0.99):
        assert share * 10 <= waits.quantile(share) <= share * 10 * 1.13
    assert waits.quantile(1.0) == 10.0


def test_a_day_has_its_mean_and_its_busiest_hour():
    times = list(arrivals(0.5, 1.7, random.Random(2)))
    assert len(times) == pytest.approx(0.5 * DAY_S, rel=0.02)
    in_hour = [sum(hour * HOUR_S <= at < (hour + 1) * HOUR_S for at in times) for hour in range(24)]
    assert max(in_hour) == pytest.approx(1.7 * 0.5 * HOUR_S, rel=0.1)
    assert weight(20 * HOUR_S, 1.7) == pytest.approx(1.7)


@pytest.mark.req(1037)
def test_the_played_day_uses_what_the_peak_was_said_to_need():
    figures = times_as_much(MEASURES, 0.05)
    servers = fleet_for(figures)
    stations = play_day(figures, servers)
    expected = use_at_peak(figures, servers)
    for name, station in stations.items():
        assert station.busiest == pytest.approx(expected[name], rel=0.35), name
        assert station.busiest < 1


def test_what_breaks_first_is_what_has_the_most_to_do_for_its_servers():
    found = breaking_points(MEASURES, SMALL)
    assert [at for _, at in found] == sorted(at for _, at in found)
    assert found[0][0] == "work-media"
    more = fleet_for(MEASURES)
    assert all(at >= 1 for _, at in breaking_points(MEASURES, more))


def test_clients_of_a_lost_api_process_find_room_at_the_others():
    clients, most = MEASURES["demand"]["feed_clients"], MEASURES["client"]["per_process"]
    assert (fleet_for(MEASURES)["api"] - 1) * most >= clients
    assert dict(breaking_points(MEASURES, SMALL))["connections"] == pytest.approx(most / clients)


def test_another_api_process_has_to_hear_of_the_feed_too():
    one, ten = (peak_loads(MEASURES, {**SMALL, "api": count})["api"] for count in (1, 10))
    assert ten.cores > one.cores
    assert ten.rate == one.rate == pytest.approx(10_000_000 / DAY_S / BATCH * 1.7)


def test_costs_grow_with_the_videos_and_workers_are_most_of_them():
    thousand, ten_thousand = (costs_of_videos(MEASURES, count) for count in (1_000, 10_000))
    for small, large in zip(thousand, ten_thousand, strict=True):
        assert large.dollars == pytest.approx(10 * small.dollars)
    assert max(ten_thousand, key=lambda one: one.dollars).what.startswith("Workers")


def test_the_report_names_every_station_and_what_to_add():
    text = report(MEASURES, 0.001)
    for name in SMALL:
        assert f"| {name} |" in text
    assert "what to add" in text
