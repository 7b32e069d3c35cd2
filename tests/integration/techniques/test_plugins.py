"""A package adds an analyzer without a change to Sightline."""

import json
import os

import pytest

from sightline.errors import ConfigurationError, InvalidInput
from sightline.techniques import AnalyzerParts, TechniquesSettings, build_analyzer, installed_analyzers
from sightline.techniques.analyzers import AnalysisTask
from sightline.techniques.pose import has_poses
from support.command_server import start_command
from support.technique_process import objects_in
from support.waiting import soon

MODULE = """
from sightline.techniques.result import Analysis

class Judge:
    async def analyze(self, question, report):
        report(1.0, "judged")
        return Analysis("A draw.", [], 30.0)

def build(parts):
    return Judge()
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A distribution on the path, as pip leaves it."""
    site = tmp_path / "site"
    info = site / "ring_judge-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "ring_judge.py").write_text(MODULE)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ring-judge\nVersion: 1.0\n")
    points = "judge = ring_judge:build\nabsent = no_such_module:build\nannotations = ring_judge:build\n"
    (info / "entry_points.txt").write_text(f"[sightline.analyzers]\n{points}")
    monkeypatch.syspath_prepend(str(site))
    return site


@pytest.mark.req(54)
async def test_an_installed_package_adds_an_analyzer(installed, tmp_path):
    found = installed_analyzers()
    assert list(found) == ["absent", "annotations", "judge", "pose", "vision-llm"]
    assert (found["judge"].source, found["annotations"].source) == ("ring-judge", "sightline")  # ours is not replaced
    async with objects_in(tmp_path) as stored:
        parts = AnalyzerParts(TechniquesSettings(), stored.store)
        analysis = await build_analyzer("judge", parts).analyze(AnalysisTask(None), lambda *_: None)  # type: ignore[arg-type]
        assert analysis.match_summary == "A draw."
        with pytest.raises(ConfigurationError, match="absent.*ring-judge.*no_such_module"):
            build_analyzer("absent", parts)
        with pytest.raises(ConfigurationError, match="SIGHTLINE_TECHNIQUES_MODEL_URL"):
            build_analyzer("vision-llm", parts)
        with pytest.raises(
            InvalidInput, match="no analyzer 'x'; there are absent, annotations, judge, pose, vision-llm"
        ):
            build_analyzer("x", parts)


@pytest.mark.req(54)
async def test_the_command_lists_installed_analyzers(installed):
    process = await start_command("analyzers", "--json", environment={"PATH": os.environ["PATH"]}, directory=installed)
    out, _ = await soon(process.communicate())
    listed = {one["name"]: one for one in json.loads(out)}
    assert listed["judge"]["package"] == "ring-judge"
    usual = "pose" if has_poses(None) else "annotations"  # `make vision` may have installed poses
    assert [name for name, one in listed.items() if one["is_usual"]] == [usual]
