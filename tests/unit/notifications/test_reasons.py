"""Reasons for failures in the reader's language: those in the code are all known, and values stay what they are."""

import ast
from pathlib import Path

import pytest

import sightline
from sightline import file_types
from sightline.notifications.mail.reasons import is_known_kind, is_known_reason, reason_in
from sightline.text.languages.models import missing_text

ROOT = Path(sightline.__file__).parent
# Errors that end a stage of the pipeline for good, and so become the reason of a failed video.
FINAL = {"MediaUnreadable", "ObjectMissing", "LanguageMissing", "FrameUnreadable", "ProcessCrashed", "LeaseExpired"}
FOLDERS = ("media", "text/reading", "text/languages", "jobs")
OTHER_SUBJECTS = ("media/clips",)  # a clip that fails leaves its video as it is


def _text(node):
    """The words of a literal; what a placeholder holds is a 7. None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) if isinstance(part, ast.Constant) else "7" for part in node.values)
    return None


def _final_reason(node):
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FINAL):
        return None
    return _text(node.args[0]) if node.args else None


def raised_reasons():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if str(path.relative_to(ROOT)).startswith(OTHER_SUBJECTS):
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                text = _final_reason(node)
                if text is not None:
                    yield text


@pytest.mark.req(448)
def test_every_reason_in_the_code_has_words_for_other_readers():
    found = set(raised_reasons())
    assert len(found) > 20
    assert sorted(text for text in found if not is_known_reason(text)) == []


@pytest.mark.req(448)
def test_every_kind_of_file_that_is_not_a_video_has_words():
    kinds = {name for _, name in file_types._OTHERS} | {
        str(node.value.value)
        for node in ast.walk(ast.parse(Path(file_types.__file__).read_text()))
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and " " in str(node.value.value)
    }
    unknown = {kind for kind in kinds if not is_known_kind(kind) and not is_known_reason(kind)}
    assert unknown == set()


@pytest.mark.req(448)
@pytest.mark.parametrize(
    ("english", "portuguese"),
    [
        ("the file is empty", "o arquivo está vazio"),
        ("the file is not a video but a PDF document", "o arquivo não é um vídeo, e sim um documento PDF"),
        (
            "the text of the video could not be read: no object at frames/1/2.jpg",
            "não foi possível ler o texto do vídeo: não há objeto em frames/1/2.jpg",
        ),
        (
            "the file is damaged: h264 pictures cannot be decoded",
            "o arquivo está danificado: as imagens h264 não podem ser decodificadas",
        ),
        ("the upload was abandoned: no part arrived for 24 h", "o envio foi abandonado: nenhuma parte chegou em 24 h"),
        ("the file is damaged: {hours} {0}", "o arquivo está danificado ({hours} {0})"),
    ],
)
def test_a_reason_is_said_in_the_language_of_its_reader(english, portuguese):
    assert reason_in("pt", english) == portuguese
    assert reason_in("en", english) == english


def test_a_missing_language_is_named_with_its_command():
    assert "`sightline languages add por`" in reason_in("pt", missing_text(["por"]))
    assert reason_in("pt", missing_text(["por", "spa"])).startswith("os idiomas por, spa não estão instalados")
    assert reason_in("pt", missing_text(["xyz"])).startswith("o idioma xyz não está instalado")


def test_an_unknown_reason_stays_as_it_is():
    assert reason_in("pt", "o áudio não pôde ser lido") == "o áudio não pôde ser lido"
    assert reason_in("pt", "") == ""
