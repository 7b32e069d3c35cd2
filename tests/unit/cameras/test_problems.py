"""Why a camera shows no picture: each code has plain words in the page, in both languages, and a line in the documents."""

from pathlib import Path
from typing import get_args

import pytest

from sightline.cameras.problems import ProblemCode, SourceProblem
from support.node import WEB

PAGE = (WEB / "src" / "pages" / "cameras" / "problem_words.ts").read_text(encoding="utf-8")
DOCUMENT = (Path(__file__).parents[3] / "docs" / "cameras.md").read_text(encoding="utf-8")


@pytest.mark.req(675)
@pytest.mark.parametrize("code", get_args(ProblemCode))
def test_each_code_has_words_in_the_page_and_in_the_documents(code: ProblemCode) -> None:
    assert SourceProblem(code).what
    assert PAGE.count(f"    {code}:") == 2, "once in English, once in Portuguese"
    assert f"`{code}`" in DOCUMENT
