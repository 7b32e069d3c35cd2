"""Watched folders on disk: which files there are, and that nothing outside of them is ever opened."""

import os
from uuid import uuid4

import pytest

from sightline.cameras import SourceProblem
from sightline.cameras.folder import Folder, folder_of, read_folder
from sightline.errors import InvalidInput


def names(folder: Folder) -> list[str]:
    return sorted(file.name for file in folder.files())


@pytest.mark.req(631)
def test_files_of_dated_folders_are_found_and_unfinished_ones_are_not(tmp_path):
    (tmp_path / "2026/11/18").mkdir(parents=True)
    for name in ("a.jpg", "2026/11/18/b.mp4", ".hidden.jpg", "c.jpg.part", "d.TMP"):
        (tmp_path / name).write_bytes(b"x")
    assert names(Folder(tmp_path)) == ["2026/11/18/b.mp4", "a.jpg"]


@pytest.mark.req(633)
def test_links_lead_nowhere(tmp_path):
    (outside := tmp_path / "outside").mkdir()
    (outside / "secret.jpg").write_bytes(b"secret")
    (inside := tmp_path / "inside").mkdir()
    (inside / "file.jpg").symlink_to(outside / "secret.jpg")
    (inside / "directory").symlink_to(outside)
    os.mkfifo(inside / "pipe.jpg")
    folder = Folder(inside)
    assert names(folder) == []
    for name in ("file.jpg", "directory/secret.jpg", "../outside/secret.jpg", "pipe.jpg", "", "a//b", str(outside)):
        with pytest.raises(OSError, match=r"."), folder.opened(name):
            pass
        assert folder.state_of(name) is None


@pytest.mark.req(633)
def test_a_file_whose_name_is_no_text_is_named_and_opened(tmp_path):
    (tmp_path / os.fsdecode(b"Stra\xdfe.jpg")).write_bytes(b"x")
    folder = Folder(tmp_path)
    (found,) = folder.files()
    assert found.name == "Stra\\udcdfe.jpg"
    assert folder.state_of(found.name) == found
    assert folder.remove(found)
    assert names(folder) == []


@pytest.mark.req(631)
def test_a_changed_folder_is_noticed_and_a_quiet_one_is_not_searched(tmp_path):
    folder = Folder(tmp_path)
    assert folder.has_changed()
    names(folder)
    assert not folder.has_changed()
    (tmp_path / "day").mkdir()
    assert folder.has_changed()
    names(folder)
    (tmp_path / "day/x.jpg").write_bytes(b"x")
    assert folder.has_changed()


@pytest.mark.req(633)
def test_a_file_that_was_written_anew_is_not_removed(tmp_path):
    (tmp_path / "x.jpg").write_bytes(b"old")
    folder = Folder(tmp_path)
    (found,) = folder.files()
    (tmp_path / "x.jpg").write_bytes(b"newer")
    assert not folder.remove(found)
    assert names(folder) == ["x.jpg"]


@pytest.mark.req(633)
def test_a_camera_has_a_folder_of_its_own_and_others_are_for_operators(tmp_path):
    key = uuid4()
    assert folder_of(key, "", "public", folders=tmp_path) == tmp_path / str(key)
    assert str(folder_of(key, "/srv/yard", "any", folders=tmp_path)) == "/srv/yard"
    with pytest.raises(SourceProblem):
        folder_of(key, "/etc", "lan", folders=tmp_path)
    assert read_folder(" file:///srv/yard/ ") == "/srv/yard"
    for wrong in ("srv", "/srv/../etc", "/a\nb"):
        with pytest.raises(InvalidInput):
            read_folder(wrong)
    with pytest.raises(SourceProblem):
        names(Folder(tmp_path / "missing"))
