"""Engines that read lines: registered by packages, chosen by a setting, and named when they are missing."""

import json
import os

import pytest
import structlog

from sightline.errors import ConfigurationError
from sightline.text import TextSettings, installed_engines, need_engine
from sightline.text.languages import LanguageMissing
from sightline.text.reading import combined
from sightline.text.reading.tesseract_engine import TesseractEngine
from support.coded_clip import make_clip
from support.command_server import start_command
from support.parrot_engine import install_parrot
from support.waiting import soon


@pytest.fixture
def parrot(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(install_parrot(tmp_path / "site")))


def test_built_in_engines_are_registered_and_cannot_be_replaced(parrot):
    found = installed_engines()
    assert {"combined", "tesseract", "rapidocr", "parrot", "absent"} <= set(found)
    assert (found["parrot"].package, found["tesseract"].package) == ("parrot-ocr", "sightline")
    assert found["tesseract"].load().LIBRARIES == ("sightline.text.reading.tesseract_engine",)


def test_an_engine_that_is_unknown_or_broken_is_named(parrot):
    with pytest.raises(
        ConfigurationError, match="unknown OCR engine 'quill'.*absent, combined, parrot, rapidocr, tesseract"
    ):
        need_engine("quill")
    with pytest.raises(ConfigurationError, match="'absent' of parrot-ocr.*no_such_module"):
        need_engine("absent").load()


def test_tesseract_needs_the_files_of_its_models():
    plugin = need_engine("tesseract").load()
    (model,) = plugin.needed_files(("eng",))
    assert (model.name, model.is_file()) == ("eng.traineddata", True)
    with pytest.raises(LanguageMissing, match="xyz is not installed"):
        plugin.needed_files(("eng", "xyz"))


@pytest.mark.req(704, 705)
def test_the_default_engine_needs_the_networks_and_reads_latin_languages_without_a_model_of_tesseract():
    plugin = need_engine(TextSettings().engine).load()
    names = [file.name for file in plugin.needed_files(("eng",))]
    assert names == ["PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx", "eng.traineddata"]
    assert [file.suffix for file in plugin.needed_files(("por",))] == [".onnx", ".onnx"]
    with pytest.raises(LanguageMissing, match="rus is not installed"):
        plugin.needed_files(("rus",))


@pytest.mark.req(705)
def test_without_the_networks_tesseract_reads_alone_and_the_log_says_so_once(monkeypatch):
    monkeypatch.setattr(combined, "find_ppocr", lambda: None)
    combined._warn_once.cache_clear()
    with structlog.testing.capture_logs() as lines:
        (model,) = combined.needed_files(("eng",))
        assert combined.needed_files(("eng",)) == [model]
    assert [(line["event"], line["log_level"]) for line in lines] == [("text.networks_missing", "warning")]
    assert model.name == "eng.traineddata"
    assert isinstance(combined.open_engine(("eng",)), TesseractEngine)


async def test_a_worker_does_not_start_with_an_engine_that_is_not_there(tmp_path):
    make_clip(tmp_path / "clip.mp4", frames=5, fps=5)
    code, _, err = await _run(
        "process", str(tmp_path / "clip.mp4"), SIGHTLINE_STATE_DIR=str(tmp_path), SIGHTLINE_TEXT_ENGINE="quill"
    )
    assert code == 1
    assert "unknown OCR engine 'quill'" in err


@pytest.mark.req(441)
async def test_the_languages_are_listed_with_source_and_size_and_how_to_add_one(tmp_path):
    (tmp_path / "eng.traineddata").write_bytes(bytes(1_200_000))
    (tmp_path / "own.traineddata").touch()
    (tmp_path / "osd.traineddata").touch()
    code, out, err = await _run("languages", TESSDATA_PREFIX=str(tmp_path), SIGHTLINE_STATE_DIR=str(tmp_path / "state"))
    assert code == 0, err
    lines = [line.split() for line in out.splitlines()]
    assert ["eng", "English", "TESSDATA_PREFIX", "1.2", "MB", str(tmp_path / "eng.traineddata")] in lines
    assert [line[:2] for line in lines if line and line[0] == "own"] == [["own", "–"]]
    assert any(line[:6] == ["deu", "German", "installed", "with", "Sightline", "1.5"] for line in lines)
    assert "osd" not in out
    assert "sightline languages add por" in out
    code, out, err = await _run(
        "languages", "--json", TESSDATA_PREFIX=str(tmp_path), SIGHTLINE_STATE_DIR=str(tmp_path / "state")
    )
    assert code == 0, err
    listed = json.loads(out)
    assert listed["languages"]["eng"] == str(tmp_path / "eng.traineddata")
    assert {"deu", "eng", "own"} <= set(listed["languages"])
    assert {"code": "por", "name": "Portuguese", "download_bytes": 8124452, "size_bytes": 2422444} in listed[
        "available"
    ]
    assert listed["engine"] == "combined"


async def _run(*arguments, **variables):
    process = await start_command(*arguments, environment={"PATH": os.environ["PATH"], **variables})
    out, err = await soon(process.communicate())
    return process.returncode, out.decode(), err.decode()
