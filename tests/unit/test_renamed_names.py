"""Names that plug-ins of other packages may still import."""

import pytest

from sightline.techniques import analyzers
from sightline.text.reading import engine


def test_a_plug_in_that_imports_an_old_name_gets_the_new_one_and_a_warning():
    with pytest.warns(DeprecationWarning, match="Question is now AnalysisTask"):
        from sightline.techniques.analyzers import Question  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match="Report is now ProgressReporter"):
        from sightline.techniques.analyzers import Report  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match="Word is now RecognizedWord"):
        from sightline.text.reading.engine import Word  # type: ignore[attr-defined]
    assert (Question, Report, Word) == (analyzers.AnalysisTask, analyzers.ProgressReporter, engine.RecognizedWord)


@pytest.mark.parametrize("module", [analyzers, engine])
def test_a_name_that_never_was_is_still_an_error(module):
    with pytest.raises(AttributeError, match="has no attribute 'Wrod'"):
        _ = module.Wrod
