"""The mutation check: what it picks, what it refuses, and that it tells a test that notices from one that does not."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    spec = importlib.util.spec_from_file_location("mutation_check", SCRIPTS / "mutation_check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "mutation_check", module)
    spec.loader.exec_module(module)
    return module


def test_the_same_seed_picks_the_same_rows(check: ModuleType) -> None:
    rows = set(range(1, 309))
    assert check.pick(rows, 40, 1411) == check.pick(rows, 40, 1411)
    assert check.pick(rows, 40, 1411)[:6] == [3, 12, 16, 23, 24, 30]
    assert check.pick(rows, 40, 1412) != check.pick(rows, 40, 1411)


@pytest.mark.parametrize(("text", "times"), [("b", 0), ("a a", 2)])
def test_a_text_that_is_not_there_exactly_once_is_refused(check: ModuleType, text: str, times: int) -> None:
    mutation = check.Mutation(row=1, breaks="", file="x.py", old="a", new="c")
    with pytest.raises(check.Unusable, match=f"occurs {times} times in x.py"):
        check.mutate(text, mutation)
    assert check.mutate("a b", mutation) == "c b"


def test_a_mutation_that_changes_nothing_is_refused(check: ModuleType) -> None:
    with pytest.raises(check.Unusable, match="the same"):
        check.mutate("a", check.Mutation(row=1, breaks="", file="x.py", old="a", new="a"))


def test_every_listed_mutation_is_of_a_row_that_tests_show(check: ModuleType) -> None:
    shown = check.requirements.shown_rows(check.requirements.tests_by_row())
    listed = {mutation.row for mutation in check.read_mutations(check.MUTATIONS)}
    assert len(listed) >= 40
    assert listed <= shown


@pytest.mark.parametrize(
    ("new", "noticed"), [("if not fps > 0 and", "test_an_invalid_frame_rate"), ("if fps <= 0 or", "NOT NOTICED")]
)
def test_a_mutation_is_noticed_if_it_breaks_the_behaviour_of_its_row(check: ModuleType, new: str, noticed: str) -> None:
    """The second only writes the same condition in another way, as far as the tests of row 9 can see."""
    mutation = check.Mutation(row=9, breaks="", file="techniques/clip.py", old="if not fps > 0 or", new=new)
    outcome = check.attempt(mutation, [check.requirements.Showing("tests/unit/techniques/test_clip.py::x", False)])
    assert noticed in outcome.noticed_by
    assert outcome.was_noticed == (noticed != "NOT NOTICED")
