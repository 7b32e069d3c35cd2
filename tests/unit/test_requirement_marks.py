"""`scripts/requirements.py` refuses marks that cannot be right."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "requirements.py"


@pytest.fixture(scope="module")
def requirements() -> ModuleType:
    spec = importlib.util.spec_from_file_location("requirements_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("source", "refused"),
    [
        ("@pytest.mark.req(1)\ndef test_a():\n    assert f() == 2\n", []),
        ("@pytest.mark.req(1)\nasync def test_a():\n    await until(is_done)\n", []),
        ("@pytest.mark.req(1)\ndef test_a():\n    f()\n", ["test_x.py::test_a checks nothing"]),
        ("def test_without_a_mark():\n    f()\n", []),
        (
            "@pytest.mark.req(1)\n@pytest.mark.req(2)\ndef test_a():\n    assert True\n",
            ["test_x.py::test_a has 2 marks; name all rows in one"],
        ),
        (
            "@pytest.mark.req(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)\ndef test_a():\n    assert True\n",
            ["test_x.py::test_a names 10 rows; split the test"],
        ),
    ],
)
def test_a_mark_that_can_hardly_be_true_is_refused(
    requirements: ModuleType, tmp_path: Path, source: str, refused: list[str]
):
    (tmp_path / "test_x.py").write_text(source)
    assert requirements.refused_marks(tmp_path) == refused


def test_a_number_that_the_checklist_has_twice_is_refused(
    requirements: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    checklist = tmp_path / "checklist.md"
    checklist.write_text("## A\n\n| 1 | S | One. |\n| 2 | S | Two. |\n| 1 | S | One. |\n")
    monkeypatch.setattr(requirements, "CHECKLIST", checklist)
    with pytest.raises(SystemExit, match=r"more than once: \[1\]"):
        requirements.render()
