"""Rules of marks: files, summaries, known names, estimates and presets of model servers."""

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from pydantic import SecretStr, ValidationError

from sightline.contracts.technique_events import Category
from sightline.errors import InvalidInput
from sightline.spreadsheet_cells import plain_cell, safe_cell
from sightline.techniques import TechniquesSettings, summarize_match
from sightline.techniques.analyzers.estimate import estimate_analysis, picture_tokens
from sightline.techniques.analyzers.windows import Window, WindowFrame
from sightline.techniques.marks import MarkState, MarkValues, TechniqueMark, encode_csv
from sightline.techniques.marks.files import plan_import
from sightline.techniques.model_servers import MODEL_SERVERS
from sightline.techniques.names import known_techniques

VALUES = MarkValues(1000, 2500, Category.GUARD_PLAY, "Sweep", "athlete in blue", 0.75, note="a, b", finished=True)
NOW = datetime(2026, 1, 17, tzinfo=UTC)


def mark(number: int = 1, values: MarkValues = VALUES, **more) -> TechniqueMark:
    usual: dict[str, Any] = {
        "id": UUID(int=number),
        "video_id": UUID(int=99),
        "values": values,
        "analyzer": None,
        "job_id": None,
        "event_index": None,
        "original": None,
        "version": 1,
        "created_by": None,
        "created_at": NOW,
        "changed_by": None,
        "changed_at": NOW,
        "removed_at": None,
    }
    return TechniqueMark(**(usual | more))


def planned(content: str, *present: TechniqueMark, name: str = "marks.csv"):
    return plan_import(content.encode(), present, name=name, video_fps=25.0, duration_ms=60_000)


@pytest.mark.req(884)
@pytest.mark.parametrize("name", ["=cmd", "'=cmd", "''-x", "plain", "'quoted", " +1", "@here"])
def test_cells_that_a_spreadsheet_would_run_come_back_as_they_were(name):
    assert plain_cell(safe_cell(name)) == name
    assert not str(safe_cell(name)).lstrip().startswith(("=", "+", "-", "@"))


@pytest.mark.req(884)
def test_frames_and_other_names_of_fields_are_read_as_in_annotations():
    plan = planned("start_frame,end_frame,category,skill_name,role,reasoning\n25,50,guard_play,Sweep,a,legs\n")
    (new,) = plan.new
    assert (new.values.start_ms, new.values.end_ms, new.values.name, new.values.note) == (1000, 2000, "Sweep", "legs")
    assert (new.values.state, new.values.confidence, new.values.finished) == (MarkState.ACCEPTED, 1.0, None)


@pytest.mark.req(884)
def test_a_file_says_each_thing_once():
    exported = encode_csv([mark(1)])
    assert planned(exported, mark(1)).unchanged == 1
    header, row = exported.splitlines()
    with pytest.raises(InvalidInput, match=r"line 3: id: .* twice"):
        planned("\n".join((header, row.replace("Sweep", "A"), row.replace("Sweep", "B"))), mark(1))
    (changed,) = planned(
        "\n".join((header, row.replace(",1,", ",,", 1).replace("Sweep", "A"))), mark(1, version=7)
    ).changed
    assert changed[1] == replace(VALUES, name="A")
    twice = "start,end,category,technique,role\n1,2,GUARD_PLAY,Sweep,a\n1,2,GUARD_PLAY,Sweep,a\n"
    assert (len(planned(twice).new), planned(twice).unchanged) == (1, 1)


@pytest.mark.req(884)
@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("70,71,GUARD_PLAY,A,b,1,", "the video is 60 s long"),
        ("1,2,GUARD_PLAY,A,b,1.5,", "not between 0 and 1"),
        ("1,2,GUARD_PLAY,A,b,1,perhaps", "state"),
        (f"1,2,GUARD_PLAY,{'x' * 201},b,1,", "from 1 to 200"),
    ],
)
def test_what_a_row_cannot_say_is_refused_with_its_line(row, message):
    with pytest.raises(InvalidInput, match="line 2:") as refused:
        planned(f"start,end,category,technique,role,confidence,state\n{row}\n")
    assert message in refused.value.message


@pytest.mark.req(886)
def test_time_that_overlaps_counts_once():
    both = [VALUES, replace(VALUES, start_ms=2000, end_ms=4000, finished=None), replace(VALUES, role="other")]
    blue, other = summarize_match(both)
    assert (blue.ms, blue.categories[0].tried, blue.categories[0].finished) == (3000, 2, 1)
    assert (other.role, other.ms) == ("other", 1500)
    assert summarize_match([]) == []


@pytest.mark.req(881)
def test_known_names_are_there_once_and_fit_the_form():
    names = known_techniques()
    assert len({one.name.casefold() for one in names}) == len(names)
    assert {one.category for one in names} == set(Category)
    assert all(one.name_pt and len(one.name) <= 200 for one in names)
    rows = csv.reader(io.StringIO(encode_csv([mark(values=replace(VALUES, name=names[0].name))])))
    assert names[0].name in list(rows)[1]


@pytest.mark.req(885)
def test_an_estimate_counts_every_picture_that_is_sent():
    frames = tuple(WindowFrame(str(n), n) for n in range(4))
    windows = [Window(1, frames[:3]), Window(2, frames[2:])]
    free = estimate_analysis(TechniquesSettings(), windows, (640, 360))
    assert (free.calls, free.pictures, free.max_cost) == (2, 5, None)
    priced = TechniquesSettings(model_picture_tokens=1000, price_per_million_input=1, price_per_million_output=10)
    found = estimate_analysis(priced, windows, (None, None))
    assert found.prompt_tokens > 5000
    assert found.max_cost == pytest.approx((found.prompt_tokens + 10 * 2 * 2048) / 1e6)
    assert (picture_tokens((512, 512)), picture_tokens((1024, 1024)), picture_tokens((2048, 4096))) == (255, 765, 1105)


@pytest.mark.req(885)
def test_a_preset_brings_the_address_and_asks_for_what_its_server_needs():
    found = TechniquesSettings(model_server="lm-studio", model_name="qwen")
    assert (found.chat_url, found.server.limit_field) == ("http://127.0.0.1:1234/v1", "max_tokens")
    other = TechniquesSettings(model_server="ollama", model_name="llava", model_url="http://10.0.0.2:11434/v1")
    assert other.chat_url == "http://10.0.0.2:11434/v1"
    with pytest.raises(ValidationError, match="SIGHTLINE_TECHNIQUES_MODEL_NAME"):
        TechniquesSettings(model_server="vllm")
    with pytest.raises(ValidationError, match="SIGHTLINE_TECHNIQUES_MODEL_API_KEY"):
        TechniquesSettings(model_server="openai", model_name="gpt")
    key = TechniquesSettings(model_server="openai", model_name="gpt", model_api_key=SecretStr("k"))
    assert (key.server.limit_field, key.server.takes_temperature) == ("max_completion_tokens", False)
    assert TechniquesSettings().chat_url is None
    assert all(one.url.startswith(("http://127.0.0.1:", "https://")) for one in MODEL_SERVERS.values())
