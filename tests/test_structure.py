"""The shape of the source tree: faces, unique class names, small folders."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import sightline

SOURCE = Path(sightline.__file__).parent
MAX_MODULES_PER_FOLDER = 30
# Each of their modules is a face of its own: the messages of one document, the responses of one resource.
WITHOUT_FACE = (("contracts",), ("api", "answers"))


@cache
def _modules() -> list[tuple[Path, ast.Module]]:
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in sorted(SOURCE.rglob("*.py"))]


def test_no_class_name_is_used_twice() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path, tree in _modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(path.relative_to(SOURCE).as_posix())
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


def test_other_folders_are_imported_by_their_faces() -> None:
    """`from sightline.bus import Bus`, or the face of a sub-package; never a module inside another folder."""
    deep = []
    for path, tree in _modules():
        own = path.relative_to(SOURCE).parts[0]
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("sightline."):
                continue
            _, folder, *inside = (node.module or "").split(".")
            is_module_inside = bool(inside) and not SOURCE.joinpath(folder, *inside).is_dir()
            has_face = not any((folder, *inside)[: len(one)] == one for one in WITHOUT_FACE)
            if is_module_inside and folder != own and has_face:
                deep.append(f"{path.relative_to(SOURCE).as_posix()}: {node.module}")
    assert deep == []


def test_no_folder_holds_more_modules_than_a_newcomer_reads_through() -> None:
    counts = {folder: len(list(folder.glob("*.py"))) for folder in SOURCE.rglob("*") if folder.is_dir()}
    assert {folder.name: count for folder, count in counts.items() if count > MAX_MODULES_PER_FOLDER} == {}
