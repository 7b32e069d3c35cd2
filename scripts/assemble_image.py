"""Makes the image of the Dockerfile as a directory, without Docker: copies and runs what its stages copy and run.

A virtual environment stands for Python of the base image, which is all that the final stage takes from it. Prints the size of each
layer, as it is and compressed. `scripts/assemble_image.py DIRECTORY`; the tree is then in DIRECTORY/image.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Instruction:
    keyword: str
    text: str

    @property
    def words(self) -> list[str]:
        """Without options."""
        return [one for one in shlex.split(self.text) if not one.startswith("--")]


def stages(dockerfile: str) -> list[list[Instruction]]:
    """The instructions of each stage; what stands before the first FROM is left out."""
    found: list[list[Instruction]] = []
    for line in re.sub(r"\\\n\s*", "", dockerfile).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        keyword, _, text = line.partition(" ")
        if keyword == "FROM":
            found.append([])
        if found:
            found[-1].append(Instruction(keyword, text.strip()))
    return found


def ignored(path: Path, rules: list[str]) -> bool:
    """Whether .dockerignore keeps this path, relative to the root, out of a build: the last rule that matches decides."""
    result = False
    for rule in rules:
        pattern = rule.removeprefix("!")
        if any(_matches(above, pattern) for above in (path, *path.parents[:-1])):
            result = not rule.startswith("!")
    return result


def _matches(path: Path, pattern: str) -> bool:
    if pattern.startswith("**/"):
        return path.match(pattern.removeprefix("**/"))
    return path.parts[: len(Path(pattern).parts)] == Path(pattern).parts if "*" not in pattern else path.match(pattern)


def ignore_rules(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def context_files(source: str, rules: list[str]) -> Iterator[Path]:
    """Files of the build's context below a path, as far as git knows them and .dockerignore lets them in."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", source]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        if (ROOT / line).is_file() and not ignored(Path(line), rules):
            yield Path(line)


def run_build(stage: list[Instruction], directory: Path) -> None:
    """COPY and RUN of the build stage, whose working directory is `directory`."""
    rules = ignore_rules((ROOT / ".dockerignore").read_text(encoding="utf-8"))
    for one in stage:
        match one.keyword:
            case "COPY":
                *sources, target = one.words
                for source in sources:
                    _copy_from_context(source, target, directory, rules)
            case "RUN":
                command = one.text.replace("python -m venv", f"{shlex.quote(sys.executable)} -m venv", 1)
                subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=directory, check=True)


def _copy_from_context(source: str, target: str, directory: Path, rules: list[str]) -> None:
    files = list(context_files(source, rules))
    if not files:
        raise SystemExit(f"COPY {source}: nothing of it is in the context; is it in .dockerignore?")
    for path in files:
        inside = path.relative_to(source) if path != Path(source) else Path(path.name)
        placed = directory / target / inside
        placed.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, placed)


def copied_layers(stage: list[Instruction], build: Path) -> list[Path]:
    """The directories that the final stage copies to its root, each of which is a layer."""
    found = []
    for one in stage:
        if one.keyword == "COPY":
            source, target = one.words
            if target != "/" or "--from=build" not in one.text:
                raise SystemExit(
                    f"the final stage copies {source} to {target}; only layers of the build to / are expected"
                )
            found.append(build / Path(source).relative_to("/build"))
        elif one.keyword == "RUN":
            raise SystemExit("the final stage runs something, which cannot be done without Docker")
    return found


def layer_sizes(layer: Path, archive: Path) -> tuple[int, int]:
    """Bytes of the files, and of the layer as registries keep it."""
    with tarfile.open(archive, "w:gz", compresslevel=6) as tar:
        tar.add(layer, arcname=".")
    files = sum(path.lstat().st_size for path in layer.rglob("*") if path.is_file() and not path.is_symlink())
    return files, archive.stat().st_size


def assemble(directory: Path, *, measures: bool) -> Path:
    build_stage, final_stage = stages((ROOT / "Dockerfile").read_text(encoding="utf-8"))
    build, image = directory / "build", directory / "image"
    build.mkdir(parents=True)
    run_build(build_stage, build)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", image / "usr" / "local"], check=True)
    sizes = {}
    for layer in copied_layers(final_stage, build):
        if measures:
            sizes[layer.name] = layer_sizes(layer, directory / f"{layer.name}.tar.gz")
        shutil.copytree(layer, image, dirs_exist_ok=True, symlinks=True)
    if measures:
        print(json.dumps({name: {"bytes": plain, "compressed": packed} for name, (plain, packed) in sizes.items()}))
    return image


if __name__ == "__main__":
    print(assemble(Path(sys.argv[1]).absolute(), measures=True))
