"""Breaks behaviours of the checklist one by one, and shows which test notices.

scripts/mutation_check.py                           tries every mutation of tests/mutations
scripts/mutation_check.py --rows 12 82              tries those of these rows
scripts/mutation_check.py --output FILE             writes the table to a file as well
scripts/mutation_check.py --pick 40 --seed 1411     picks rows at random, and prints them with the tests that show them

A mutation is a change of a line or two that a careless hand could make: a file below src/sightline, a text that occurs in it once,
and what is there instead. Each is made alone, in a copy of the source that an environment of its own imports, and only tests
marked with the mutation's row are run. Fails if one of them is not noticed, or fails without a mutation too.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import requirements

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
MUTATIONS = ROOT / "tests" / "mutations"
NOT_NOTICED = "NOT NOTICED"
MIGRATIONS = "db/migrations/"
_FAILURE = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


class Unusable(Exception):
    """A mutation that says nothing: it does not fit the source, or its tests do not run."""


@dataclass(frozen=True, slots=True)
class Mutation:
    row: int
    breaks: str
    """What goes wrong, in words."""
    file: str
    """Below src/sightline."""
    old: str
    new: str
    tests: tuple[str, ...] = field(default=())
    """Files to look for the row's tests in, if not in all that name it."""


def read_mutations(folder: Path) -> list[Mutation]:
    lists = (tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.toml")))
    found = [Mutation(**{**one, "tests": tuple(one.get("tests", ()))}) for part in lists for one in part["mutation"]]
    return sorted(found, key=lambda one: one.row)


def mutate(text: str, mutation: Mutation) -> str:
    if (times := text.count(mutation.old)) != 1:
        raise Unusable(f"the old text occurs {times} times in {mutation.file}; it has to be there once")
    if mutation.old == mutation.new:
        raise Unusable("old and new text are the same")
    return text.replace(mutation.old, mutation.new)


def pick(rows: set[int], count: int, seed: int) -> list[int]:
    """The same rows for the same checklist and seed."""
    return sorted(random.Random(seed).sample(sorted(rows), count))


def files_of(mutation: Mutation, shown_by: Sequence[requirements.Showing]) -> list[str]:
    """Suites that several backends share are no test files themselves; a mutation of them names the files that run them."""
    named = (showing.test.partition("::")[0] for showing in shown_by)
    files = mutation.tests or tuple(dict.fromkeys(name for name in named if not name.startswith("tests/conformance/")))
    if not files:
        raise Unusable("the row has no test files; name some under `tests`")
    return list(files)


class Workplace:
    """A copy of the source, and an environment that imports it; the rest comes from the environment that runs this."""

    def __init__(self, directory: Path) -> None:
        self._source = directory / "src"
        shutil.copytree(SOURCE, self._source)
        self._environment = directory / "venv"
        venv.create(self._environment, symlinks=True)
        self._python = self._environment / "bin" / "python"
        ours = Path(sys.prefix)
        shutil.copytree(ours / "share", self._environment / "share")
        packages = next((ours / "lib").glob("python*/site-packages"))
        target = self._environment / packages.relative_to(ours)
        (target / "mutated.pth").write_text(f"{self._source}\n{packages}\n", encoding="utf-8")
        imported = self._ask("import sightline; print(sightline.__file__)")
        if not Path(imported).is_relative_to(self._source):
            raise SystemExit(f"the copy in {self._source} is not what is imported, but {imported}")

    def noticed_by(self, mutation: Mutation, files: Sequence[str]) -> str:
        """The test that failed, or NOT_NOTICED."""
        path = self._source / "sightline" / mutation.file
        path.write_text(mutate(path.read_text(encoding="utf-8"), mutation), encoding="utf-8")
        failed = self.failing([mutation.row], files, has_own_server=mutation.file.startswith(MIGRATIONS))
        return failed[0] if failed else NOT_NOTICED

    def failing(
        self,
        rows: Sequence[int],
        files: Sequence[str],
        *,
        stops_at_first: bool = True,
        has_own_server: bool = False,
    ) -> list[str]:
        options = ["-q", "--tb=no", "-p", "no:cacheprovider", *(["-x"] if stops_at_first else [])]
        chosen = [f"--shows-row={row}" for row in rows]
        command = [str(self._python), "-m", "pytest", "-n", "0", *options, *chosen, *files]
        variables = {name: value for name, value in os.environ.items() if not (has_own_server and _is_of_server(name))}
        run = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
        if run.returncode not in (0, 1):
            raise Unusable(f"pytest ended with {run.returncode}:\n{run.stdout[-3000:]}{run.stderr[-3000:]}")
        return _FAILURE.findall(run.stdout)

    def _ask(self, code: str) -> str:
        return subprocess.run([str(self._python), "-c", code], capture_output=True, text=True, check=True).stdout


def _is_of_server(name: str) -> bool:
    return name.startswith("SIGHTLINETEST_") and name.endswith("_URL")


@contextmanager
def one_server() -> Iterator[None]:
    """A PostgreSQL that all runs use but those of mutated migrations: to start one takes longer than most tests."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support.postgres import ServerThread

    with tempfile.TemporaryDirectory(prefix="sightline-mutation-") as directory:
        server = ServerThread(Path(directory) / "postgres")
        server.start()
        try:
            yield
        finally:
            server.stop()


@dataclass(frozen=True, slots=True)
class Outcome:
    mutation: Mutation
    noticed_by: str
    was_noticed: bool


def attempt(mutation: Mutation, shown_by: Sequence[requirements.Showing]) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="sightline-mutation-") as directory:
        try:
            found = Workplace(Path(directory)).noticed_by(mutation, files_of(mutation, shown_by))
        except Unusable as error:
            return Outcome(mutation, f"UNUSABLE: {error}", was_noticed=False)
    return Outcome(mutation, found, was_noticed=found != NOT_NOTICED)


def failing_anyway(mutations: Sequence[Mutation], tests: dict[int, list[requirements.Showing]]) -> list[str]:
    """Tests that fail on the unchanged copy; their failures would show nothing."""
    files = sorted({file for one in mutations for file in files_of(one, tests.get(one.row, ()))})
    with tempfile.TemporaryDirectory(prefix="sightline-mutation-") as directory:
        return Workplace(Path(directory)).failing([one.row for one in mutations], files, stops_at_first=False)


def as_line(outcome: Outcome, text: str) -> str:
    cells = (str(outcome.mutation.row), text, outcome.mutation.breaks, outcome.noticed_by.removeprefix("tests/"))
    return f"| {' | '.join(cell.replace('|', chr(92) + '|').replace(chr(10), ' ') for cell in cells)} |"


def try_all(mutations: Sequence[Mutation], *, at_once: int, output: Path | None) -> int:
    tests, texts = requirements.tests_by_row(), {row.number: row.text for row in requirements.read_rows()}
    outcomes = []
    with one_server():
        with ThreadPoolExecutor(at_once) as pool:
            for done in as_completed([pool.submit(attempt, one, tests.get(one.row, ())) for one in mutations]):
                outcomes.append(done.result())
                print(as_line(outcomes[-1], texts[outcomes[-1].mutation.row]), flush=True)
        noticed = [one for one in outcomes if one.was_noticed]
        broken = failing_anyway([one.mutation for one in noticed], tests)
    outcomes.sort(key=lambda one: mutations.index(one.mutation))
    lines = ["| row | behaviour | what was broken | noticed by |", "|--:|---|---|---|"]
    lines += [as_line(one, texts[one.mutation.row]) for one in outcomes]
    lines += ["", f"{len(noticed)} of {len(outcomes)} mutations are noticed."]
    if broken:
        lines.append(f"Without any mutation these fail too, so they show nothing: {', '.join(broken)}")
    print("\n".join(["", *lines]))
    if output is not None:
        output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0 if len(noticed) == len(outcomes) and not broken else 1


def print_picked(rows: Sequence[int]) -> None:
    tests, texts = requirements.tests_by_row(), {row.number: row.text for row in requirements.read_rows()}
    for row in rows:
        print(f"{row}: {texts[row]}")
        for showing in tests[row]:
            print(f"    {showing.test}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", help="Try the mutations of these rows only.")
    parser.add_argument("--mutations", type=Path, default=MUTATIONS, help="The folder with the lists.")
    parser.add_argument("--at-once", type=int, default=2, help="How many are tried at the same time.")
    parser.add_argument("--output", type=Path, help="Write the table here as well.")
    parser.add_argument("--pick", type=int, metavar="COUNT", help="Pick so many rows at random, and print them.")
    parser.add_argument("--seed", type=int, default=1411)
    parser.add_argument("--up-to", type=int, metavar="ROW", help="Pick among the rows up to this one.")
    chosen = parser.parse_args()
    if chosen.pick is not None:
        shown = requirements.shown_rows(requirements.tests_by_row())
        among = {row for row in shown if chosen.up_to is None or row <= chosen.up_to}
        print_picked(pick(among, chosen.pick, chosen.seed))
        return 0
    mutations = [one for one in read_mutations(chosen.mutations) if chosen.rows is None or one.row in chosen.rows]
    return try_all(mutations, at_once=chosen.at_once, output=chosen.output)


if __name__ == "__main__":
    raise SystemExit(main())
