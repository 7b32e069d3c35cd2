"""Adding and removing languages: verified, whole or not at all, resumed after an interruption."""

import fcntl
from dataclasses import replace

import pytest

from sightline.errors import BackendUnavailable, Conflict, InvalidInput, NotFound, PermanentFailure
from sightline.text.languages import (
    LanguageAdditions,
    LanguageStore,
    ModelRejected,
    find_language,
    known_languages,
    need_models,
)
from support.language_registry import language_registry
from support.log_capture import captured_log_lines
from support.waiting import until

POR = find_language("por")


@pytest.fixture
async def registry():
    async with language_registry() as running:
        yield running


@pytest.fixture
def store(tmp_path, registry):
    return LanguageStore(tmp_path / "tessdata", registry.url)


def left_in(store):
    """What a reader of the directory could take for a model."""
    return sorted(path.name for path in store.directory.iterdir() if not path.name.startswith("."))


@pytest.mark.req(442)
async def test_an_added_language_is_verified_logged_and_found(store, registry):
    progress = []
    with captured_log_lines() as lines:
        added = await store.add(POR, lambda done, total: progress.append((done, total)))
    assert left_in(store) == ["por.traineddata"]
    assert (added.sha256, added.model.stat().st_size) == (POR.model_sha256, POR.model_bytes)
    assert progress[-1] == (POR.archive_bytes, POR.archive_bytes)
    assert [line["sha256"] for line in lines() if line["event"] == "language.added"] == [POR.model_sha256]
    assert store.installed()["por"].source == "added"
    assert need_models(["por"], store.directory) == [added.model]
    assert await store.add(POR) == added  # the same again downloads nothing
    assert len(registry.ranges) == 1


@pytest.mark.req(442)
async def test_a_broken_download_is_resumed_where_it_stopped(store, registry):
    registry.cut_after = 3_000_000
    with pytest.raises(BackendUnavailable, match="which resumes"):
        await store.add(POR)
    assert left_in(store) == []
    (part,) = store.directory.glob(".por*.part")
    done = part.stat().st_size
    assert 0 < done <= 3_000_000
    await store.add(POR)
    assert registry.ranges == [None, f"bytes={done}-"]
    assert left_in(store) == ["por.traineddata"]
    assert not part.exists()


async def test_a_registry_without_ranges_sends_everything_again(store, registry):
    registry.cut_after, registry.knows_ranges = 1_000_000, False
    with pytest.raises(BackendUnavailable):
        await store.add(POR)
    assert (await store.add(POR)).sha256 == POR.model_sha256


@pytest.mark.req(442)
async def test_a_package_with_another_hash_is_refused_and_nothing_is_installed(store, registry):
    registry.archive = registry.archive[:-1] + b"\x7f"
    with pytest.raises(ModelRejected, match="SHA-512 differs. Nothing was installed"):
        await store.add(POR)
    assert left_in(store) == []
    registry.archive = registry.archive[:1000]
    with pytest.raises(BackendUnavailable, match="ended early"):
        await store.add(POR)


async def test_a_model_with_another_hash_is_refused(tmp_path, registry):
    other = replace(POR, model_sha256="0" * 64)
    store = LanguageStore(tmp_path, registry.url, {**known_languages(), "por": other})
    with pytest.raises(ModelRejected, match="SHA-256 differs"):
        await store.add(other)
    assert left_in(store) == []


@pytest.mark.req(443)
async def test_a_registry_that_cannot_be_reached_or_lacks_the_package_is_named(tmp_path, registry):
    with pytest.raises(
        BackendUnavailable, match="http://127.0.0.1:9/.*SIGHTLINE_TEXT_LANGUAGE_REGISTRY names a mirror"
    ):
        await LanguageStore(tmp_path, "http://127.0.0.1:9").add(POR)
    with pytest.raises(PermanentFailure, match="spa-1.0.0.tgz does not exist in this registry"):
        await LanguageStore(tmp_path, registry.url).add(find_language("spa"))


async def test_a_damaged_model_is_installed_again(store):
    model = (await store.add(POR)).model
    model.write_bytes(b"damaged")
    assert (await store.add(POR)).sha256 == POR.model_sha256
    assert model.stat().st_size == POR.model_bytes


async def test_two_processes_do_not_install_the_same_language_at_once(store):
    store.directory.mkdir()
    with (store.directory / ".por.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(Conflict, match="another process is installing or removing por"):
            await store.add(POR)
    await store.add(POR)


@pytest.mark.req(441)
async def test_a_file_is_installed_without_a_registry_if_it_is_a_model(store, tmp_path):
    model = need_models(["eng"], None)[0]
    added = store.add_file("own", model)
    assert added.model.read_bytes() == model.read_bytes()
    assert store.installed()["own"].name is None
    (tmp_path / "page.traineddata").write_text("<html>not found</html>" * 1000)
    with pytest.raises(InvalidInput, match="is not a model of Tesseract"):
        store.add_file("own", tmp_path / "page.traineddata")
    for wrong in ("../own", "script/Own", ""):
        with pytest.raises(InvalidInput, match="is not a language code"):
            store.add_file(wrong, model)


@pytest.mark.req(441)
async def test_only_what_was_added_is_removed(store):
    await store.add(POR)
    assert not store.remove("por").exists()
    with pytest.raises(NotFound, match="por is not installed; added languages: none"):
        store.remove("por")
    with pytest.raises(NotFound, match="eng came with Sightline"):
        store.remove("eng")


@pytest.mark.req(445)
async def test_additions_show_their_progress_and_their_failure(store, registry):
    additions = LanguageAdditions(store)
    registry.cut_after = 2_000_000
    assert additions.start(POR) is additions.start(POR)
    await until(lambda: additions.current["por"].error is not None)
    assert "which resumes" in (additions.current["por"].error or "")
    assert 0 < additions.current["por"].done_bytes <= 2_000_000
    additions.start(POR)
    await until(lambda: not additions.current)
    assert left_in(store) == ["por.traineddata"]
    await additions.remove("por")
    assert left_in(store) == []
    additions.start(POR)
    await additions.close()
    assert left_in(store) == []
