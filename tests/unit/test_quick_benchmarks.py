"""The table of quick benchmarks: what counts as a loss, what it is compared with, and what is written down."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import quick


@pytest.mark.req(1085)
def test_more_than_fifteen_percent_worse_is_a_loss():
    now = {"rate a": 0.84, "rate b": 0.86, "rate c": 2.0, "cost a": 1.2, "cost b": 1.1, "cost c": 0.5, "new": 1.0}
    lines = quick.compare(now, dict.fromkeys(list(now)[:-1], 1.0), frozenset({"cost a", "cost b", "cost c"}))
    assert [line.name for line in lines if line.is_loss] == ["rate a", "cost a"]
    text = quick.table(lines)
    assert "| rate a | 1.00 | 0.84 | -16% LOSS |" in text
    assert "| cost c (smaller is better) | 1.00 | 0.50 | +100% |" in text
    assert "| new |  | 1.00 |  |" in text


@pytest.mark.req(1085)
def test_a_ratio_is_compared_with_the_last_run_that_had_it():
    history = [{"ratios": {"a": 1.0, "b": 2.0}}, {"ratios": {"a": 3.0}}]
    assert quick.last_recorded(history) == {"a": 3.0, "b": 2.0}


@pytest.mark.req(1085)
def test_only_the_marked_part_of_the_document_is_written():
    runs = [
        {"date": day, "commit": "abc1234", "load": 2.0, "cpus": 2, "ratios": {"a": value}, "left_out": ["live burst"]}
        for day, value in (("2026-01-01", 1.0), ("2026-01-02", 0.5))
    ]
    document = f"before\n{quick.BEGIN}\nold\n{quick.END}\nafter\n"
    written = quick.replaced(document, quick.section(runs, frozenset()))
    assert written.startswith(f"before\n{quick.BEGIN}\n2026-01-02, commit `abc1234`, load 2.0 on 2 cores.\n")
    assert written.endswith(f"Not in this run: live burst.\n{quick.END}\nafter\n")
    assert "| a | 1.00 | 0.50 | -50% LOSS |" in written
    assert "old" not in written


@pytest.mark.req(1085)
def test_the_results_hold_what_the_newest_entry_of_the_history_says():
    history = quick.read_history()
    smaller = frozenset(
        name
        for entry in history
        for name in entry["ratios"]
        if name.startswith(tuple(f"{one.name}: " for one in quick.MEASURES if one.smaller_is_better))
    )
    document = quick.RESULTS.read_text()
    assert quick.replaced(document, quick.section(history, smaller)) == document


@pytest.mark.req(1085)
def test_a_measure_that_takes_too_long_is_ended_with_its_servers(tmp_path, monkeypatch):
    monkeypatch.setattr(quick, "HERE", tmp_path)
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(600)\n")
    (tmp_path / "broken.py").write_text("raise SystemExit(1)\n")
    (tmp_path / "fine.py").write_text('print(\'{"results": [{"ratios": {"a / b": 2.0}}]}\')\n')
    assert quick.run(quick.Measure("slow", "it"), 0.5) == {}
    assert quick.run(quick.Measure("broken", "it"), 60) == {}
    assert quick.run(quick.Measure("fine", "it"), 60) == {"fine it: a / b": 2.0}
