"""The swap of two data directories, killed before every step: one of them is always in place, and the next run finishes it."""

import os
import shutil
from pathlib import Path

import pytest

from sightline.db import MAJOR, EmbeddedPostgres
from sightline.errors import ConfigurationError
from sightline.upgrade import directories
from sightline.upgrade.directories import UpgradeDirectories
from support.crash_points import die_before

OLD = 16
MAX_STEPS = 100


def make(postgres: Path) -> UpgradeDirectories:
    """As it is when everything was compared."""
    made = UpgradeDirectories(postgres)
    made.data.mkdir(parents=True)
    (made.data / "PG_VERSION").write_text(f"{OLD}\n")
    (made.data / "rows").write_text("the same")
    made.begin()
    made.new_data.mkdir()
    (made.new_data / "PG_VERSION").write_text(f"{MAJOR}\n")
    (made.new_data / "rows").write_text("the same")
    return made


def swap_and_die(made: UpgradeDirectories, step: int) -> bool:
    """In a child, which is killed before this step. False if it ended before."""
    if (child := os.fork()) == 0:
        die_before(step)
        made.swap(OLD)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.req(394)
@pytest.mark.parametrize("is_exchange_possible", [True, False])
def test_a_swap_that_is_killed_at_any_step_is_finished_or_started_over(
    is_exchange_possible: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    if not is_exchange_possible:
        monkeypatch.setattr(directories, "exchange", lambda *_: False)
    ends = set()
    for step in range(1, MAX_STEPS):
        made = make(tmp_path / str(step))
        is_killed = swap_and_die(made, step)
        found = made.data / "PG_VERSION"
        left = found.read_text().strip() if found.exists() else "nothing"
        assert left in {str(OLD), str(MAJOR)} or not is_exchange_possible
        if left == "nothing":  # the platform must not make an empty database now
            with pytest.raises(ConfigurationError, match="finish it with `sightline upgrade`"):
                EmbeddedPostgres(made.postgres).check_version()
        kept = made.finish_swap()
        if left == str(OLD):
            assert kept is None
            made.begin()  # a new copy is made: the old data may have been used in the meantime
            assert found.read_text().strip() == str(OLD)
        else:
            assert found.read_text().strip() == str(MAJOR)
            kept = made.postgres / f"data-{OLD}-before-upgrade"
            assert (kept / "rows").read_text() == "the same"
            assert (kept / "PG_VERSION").read_text().strip() == str(OLD)
            made.clean_up()
            assert not made.work.exists()
        ends.add(left)
        if not is_killed:
            break
    else:
        pytest.fail("the swap has no end")
    assert ends == {str(OLD), str(MAJOR)} | (set() if is_exchange_possible else {"nothing"})


@pytest.mark.req(391)
def test_old_data_that_is_kept_already_is_never_replaced(tmp_path: Path):
    first = make(tmp_path / "postgres").swap(OLD)
    (first / "rows").write_text("of the first upgrade")
    shutil.rmtree(tmp_path / "postgres" / "data")
    second = make(tmp_path / "postgres").swap(OLD)
    assert second != first
    assert (first / "rows").read_text() == "of the first upgrade"
    assert (second / "PG_VERSION").read_text().strip() == str(OLD)


def test_old_data_in_the_work_directory_is_never_removed(tmp_path: Path):
    made = make(tmp_path / "postgres")
    (made.new_data / "PG_VERSION").write_text(f"{OLD}\n")
    with pytest.raises(ConfigurationError, match="move it away by hand"):
        made.clean_up()
    assert made.new_data.exists()
