"""Runs LocalStack's tests of AWS services against this platform, and prints what passes as Markdown.

scripts/aws_scoreboard.py CHECKOUT sqs sns                      the platform of this checkout
scripts/aws_scoreboard.py CHECKOUT sqs --beside ministack       and MiniStack, the same tests under the same rules

CHECKOUT is a checkout of LocalStack; `--python` an interpreter with its test requirements (CHECKOUT/.venv/bin/python otherwise).
Most of those tests were validated against AWS. They always call port 4566, which has to be free. Each service has a new platform
with an empty state directory. Nothing is fetched, and nothing of the checkout is kept.

The tests of EventBridge run file by file: within a file they expect to be alone in their account. Tests of two accounts get a key
of another owner, as they would need one on AWS.

`OUT_OF_SCOPE` says which tests do not count and why. It looks at names only, before anything runs, so it is the same for everybody.
`NEEDS` says of failures in scope, by name too, which of them call something else of AWS before they test anything. They count.
"""

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PORT = 4566
START_LIMIT_S = 120
SERVICES = ("sqs", "sns", "events", "scheduler")
MAX_SHOWN = 160
SECOND_OWNER = "00000000-0000-0000-0000-000000000002"
ALONE_IN_THEIR_FILE = frozenset({"events"})

# Pattern of a test's id (`test_sqs.TestSqsProvider::test_x[sqs]`) → why it does not count. The first that matches decides.
_EVERYWHERE: Sequence[tuple[str, str]] = (
    (r"resource_providers", "CloudFormation"),
    (r"MultiAccounts|multi_account|cross_account|CrossAccount", "several accounts"),
    (r"MultiRegions|multi_region|cross_region|another_region|multiple_regions|unmodified_region", "several regions"),
    (r"[Ll]ambda", "Lambda"),
    (
        r"[Ff]irehose|[Kk]inesis|StepFunctions|statefunction|CloudWatchLogs|cloudwatch|rule_logs",
        "other services of AWS",
    ),
    (r"ApiGateway|api_gateway", "other services of AWS"),
)
OUT_OF_SCOPE: Mapping[str, Sequence[tuple[str, str]]] = {
    "sqs": (
        *_EVERYWHERE,
        (r"test_sqs_developer_api", "LocalStack's developer endpoints"),
        (
            r"endpoint_strategy|localstack_host|external_(host|endpoint)|path_strategy|test_list_queues_pagination",
            "LocalStack's host names",
        ),
        (r"without_authparams", "calls without a signature"),
        (r"recently_deleted_(cache|can_be_disabled)", "LocalStack's settings and memory"),
        (r"test_message_retention", "retention below the minute that AWS requires"),
    ),
    "sns": (
        *_EVERYWHERE,
        (r"Platform(Application|Endpoint)|platform_endpoint", "mobile push"),
        (r"SNSSMS|_sms|phone", "SMS"),
        (r"Retrospection|SubscriptionSES", "LocalStack's developer endpoints"),
        (r"cert_endpoint_host", "LocalStack's host names"),
    ),
    "events": (
        *_EVERYWHERE,
        (r"connection_secrets", "other services of AWS"),
        (r"events_written_to_disk", "LocalStack's settings and memory"),
    ),
    "scheduler": _EVERYWHERE,
}
_ROLES = "roles of IAM"
NEEDS: Mapping[str, Sequence[tuple[str, str]]] = {
    "sqs": (),
    "sns": (
        (r"by_topic_pagination|policy_complexity_with_or|nested_anything_but_operator", "SMS"),
        (r"data_protection_policy", "data protection policies"),
    ),
    "events": (
        (r"bus_to_bus|matching_rules_single_target|put_events_with_target_events|propagation_events_events", _ROLES),
        (r"delete_custom_event_buses\[\w+-regions1", "several regions"),
        (r"test_(delete|update)_connection$", "Secrets Manager"),
        (r"default_eventbus_for_custom_eventbus", "a second bucket"),
    ),
    "scheduler": ((r"valid_cron_expressions|with_valid_schedule_expression", _ROLES),),
}


@dataclass(frozen=True, slots=True)
class Result:
    test: str
    outcome: str
    """passed, failed or skipped."""
    reason: str = ""
    """How the message of the failure begins."""


@dataclass(frozen=True, slots=True)
class Score:
    service: str
    passed: int
    skipped: int
    failures: Sequence[Result]
    out_of_scope: Mapping[str, int]

    @property
    def in_scope(self) -> int:
        return self.passed + len(self.failures)

    @property
    def needs(self) -> Mapping[str, int]:
        """How many failures need something else of AWS before they test anything."""
        found = (_first_match(NEEDS[self.service], one.test) for one in self.failures)
        return Counter(need for need in found if need is not None)


def reason_out_of_scope(service: str, test: str) -> str | None:
    return _first_match(OUT_OF_SCOPE[service], test)


def _first_match(rules: Sequence[tuple[str, str]], test: str) -> str | None:
    return next((reason for pattern, reason in rules if re.search(pattern, test)), None)


def read_results(report: Path) -> list[Result]:
    """The results in a JUnit report of pytest. A test that also failed to clean up is reported twice and counts once."""
    found: dict[str, Result] = {}
    for case in ET.parse(report).getroot().iter("testcase"):  # noqa: S314 (pytest wrote it)
        module = case.get("classname", "").removeprefix("tests.aws.services.").partition(".")[2]
        result = _result(f"{module}::{case.get('name', '')}", case)
        if result.test not in found or result.outcome == "failed":
            found[result.test] = result
    return list(found.values())


def _result(test: str, case: ET.Element) -> Result:
    for kind in ("failure", "error"):
        if (problem := case.find(kind)) is not None:
            lines = (problem.get("message") or problem.text or "").strip().splitlines()
            # A comparison with a recorded response says in its second line what differs.
            shown = lines[:2] if lines and lines[0].startswith(">> match key") else lines[:1]
            return Result(test, "failed", " ".join(shown))
    return Result(test, "passed" if case.find("skipped") is None else "skipped")


def score(service: str, results: Iterable[Result]) -> Score:
    counts: Counter[str] = Counter()
    out_of_scope: Counter[str] = Counter()
    failures: list[Result] = []
    for one in results:
        if (reason := reason_out_of_scope(service, one.test)) is not None:
            out_of_scope[reason] += 1
        elif one.outcome == "failed":
            failures.append(one)
        else:
            counts[one.outcome] += 1
    return Score(service, counts["passed"], counts["skipped"], sorted(failures, key=lambda one: one.test), out_of_scope)


def as_markdown(scores: Mapping[str, Sequence[Score]]) -> str:
    """A table of all targets, then the failures of each."""
    lines = [
        "| service | | in scope | passed | | failed | skipped | out of scope |",
        "|---|---|--:|--:|--:|--:|--:|---|",
    ]
    for target, found in scores.items():
        for one in found:
            share = f"{100 * one.passed / one.in_scope:.1f} %" if one.in_scope else ""
            failed = f"{len(one.failures)}{_listed(one.needs, 'of these need ')}"
            others = f"{sum(one.out_of_scope.values())}{_listed(one.out_of_scope)}"
            lines.append(
                f"| {one.service} | {target} | {one.in_scope} | {one.passed} | {share} | {failed} | {one.skipped} | {others} |"
            )
    for target, found in scores.items():
        for one in found:
            if one.failures:
                lines += ["", f"{target}, {one.service}:", ""]
                lines += [f"- `{each.test}`: {_plain(each.reason)}" for each in one.failures]
    return "\n".join(lines)


def _listed(counts: Mapping[str, int], before: str = "") -> str:
    listed = ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items()))
    return f" ({before}{listed})" if listed else ""


def _plain(text: str) -> str:
    shown = " ".join(re.sub(r"(#x1B|\x1b)\[\d+m", "", text).split())
    return shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}…"


@contextmanager
def platform(directory: Path) -> Iterator[dict[str, str]]:
    """What the tests have to know of it: the key of a second account."""
    sightline, state = [sys.executable, "-m", "sightline"], ["--state-dir", str(directory / "state")]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")}
    with _serving([*sightline, "up", *state, "--port", str(PORT)], kept, "/api/health", directory):
        create = [*sightline, "keys", "create", "--owner", SECOND_OWNER, "--json", *state]
        made = subprocess.run(create, env=kept, cwd=ROOT, check=True, capture_output=True)
        key = json.loads(made.stdout)
        yield {
            "SECONDARY_TEST_AWS_ACCESS_KEY_ID": key["access_key_id"],
            "SECONDARY_TEST_AWS_SECRET_ACCESS_KEY": key["secret_access_key"],
        }


@contextmanager
def ministack(directory: Path) -> Iterator[dict[str, str]]:
    python = ROOT / ".venv" / "emulators" / "bin" / "python"
    settings = {"GATEWAY_PORT": str(PORT), "BIND_HOST": "127.0.0.1", "IOT_MTLS_ENABLED": "0", "SFTP_ENABLED": "0"}
    with _serving([str(python), "-m", "ministack"], {**os.environ, **settings}, "/_ministack/health", directory):
        yield {}  # its second account is the one that the tests take by themselves


TARGETS = {"sightline": platform, "ministack": ministack}


@contextmanager
def _serving(command: Sequence[str], environment: Mapping[str, str], health: str, directory: Path) -> Iterator[None]:
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", PORT)) == 0:
            sys.exit(f"Port {PORT} is in use, and the tests of LocalStack call no other. Stop what listens there.")
    output = directory / "output.log"
    with output.open("wb") as log:
        process = subprocess.Popen(command, env=dict(environment), stdout=log, stderr=log, cwd=ROOT)
    try:
        _wait_for(f"http://127.0.0.1:{PORT}{health}", process, output)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(url: str, process: "subprocess.Popen[bytes]", output: Path) -> None:
    until = time.monotonic() + START_LIMIT_S
    while True:
        try:
            with urllib.request.urlopen(url, timeout=10):  # noqa: S310 (on loopback)
                return
        except urllib.error.HTTPError as error:
            error.close()  # it is there, whatever it thinks of the request
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > until:
                sys.exit(f"{url} does not answer:\n{output.read_text()[-2000:]}")
            time.sleep(0.2)


def run_suite(
    checkout: Path, python: Path, service: str, directory: Path, given: Mapping[str, str], *, processes: int
) -> list[Result]:
    report = directory / "report.xml"
    log = directory / "suite.log"
    options = ["-q", "--no-header", "-p", "no:cacheprovider", "-n", str(processes), f"--junitxml={report}"]
    if service in ALONE_IN_THEIR_FILE:
        options += ["--dist", "loadfile"]
    command = [str(python), "-m", "pytest", *options, f"tests/aws/services/{service}"]
    environment = {**os.environ, "PYTHONPATH": ".", "TEST_SKIP_LOCALSTACK_START": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= given
    with log.open("wb") as written:
        subprocess.run(command, cwd=checkout, env=environment, stdout=written, stderr=written, check=False)
    if not report.exists():
        sys.exit(f"The tests of {service} did not run:\n{log.read_text()[-3000:]}")
    return read_results(report)


def measure(target: str, services: Sequence[str], checkout: Path, python: Path, *, processes: int) -> list[Score]:
    scores = []
    for service in services:
        with tempfile.TemporaryDirectory(prefix="aws-scoreboard-", ignore_cleanup_errors=True) as name:
            directory = Path(name)
            with TARGETS[target](directory) as given:
                results = run_suite(checkout, python, service, directory, given, processes=processes)
        scores.append(score(service, results))
        print(f"{target} {service}: {scores[-1].passed} of {scores[-1].in_scope} pass", file=sys.stderr)
    return scores


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a checkout of LocalStack")
    parser.add_argument("services", nargs="+", choices=SERVICES)
    parser.add_argument("--python", type=Path, help="an interpreter with LocalStack's test requirements")
    parser.add_argument("--beside", action="append", choices=["ministack"], default=[], help="measure this one too")
    parser.add_argument("--processes", type=int, default=4, help="tests that run at the same time")
    given = parser.parse_args()
    checkout = given.checkout.resolve()
    if not (checkout / "tests" / "aws" / "services").is_dir():
        sys.exit(f"{checkout} has no tests/aws/services: it is no checkout of LocalStack.")
    python = given.python or checkout / ".venv" / "bin" / "python"
    scores = {
        target: measure(target, given.services, checkout, python.absolute(), processes=given.processes)
        for target in ("sightline", *given.beside)
    }
    print(as_markdown(scores))
    return 0


if __name__ == "__main__":
    sys.exit(main())
