"""Jobs as people read them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from rich.console import Console

from sightline.api.answers.jobs import CountsAnswer, JobAnswer, RetryAnswer, WholeJobAnswer
from sightline.cli.output.jobs import counts_table, job_details, job_text, jobs_table, retry_lines
from sightline.jobs import JOB_TYPES, JobCount, JobRecord, JobTransition, RetriedJob, RetryReport, SkippedJob

NOW = datetime(2026, 1, 17, 10, tzinfo=UTC)
ERROR = {"type": "Boom", "message": "it\nbroke", "timestamp": "2026-01-17T09:00:00.000Z", "retry_count": 3}
JOB = JobRecord(
    id=UUID(int=1),
    video_id=UUID(int=2),
    job_type="ocr",
    status="queued",
    priority=0,
    retry_count=0,
    created_at=NOW - timedelta(minutes=12, seconds=5),
    updated_at=NOW,
    started_at=None,
    finished_at=None,
    run_after=None,
    locked_by=None,
    locked_until=None,
    depends_on=None,
    progress=0.0,
    progress_message=None,
    payload={"video_id": str(UUID(int=2))},
    result=None,
    error=None,
    transitions=(JobTransition("queued", NOW - timedelta(minutes=12, seconds=5), None, None),),
)


def printed(table) -> str:
    console = Console(width=200)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


@pytest.mark.req(87)
def test_counts_stand_by_type_and_state_with_the_age_of_the_oldest():
    counts = [JobCount("ocr", "queued", 12, 75.0), JobCount("ocr", "failed", 2, None), JobCount("new", "done", 1, None)]
    lines = [line.split() for line in printed(counts_table(CountsAnswer.of(counts))).splitlines()]
    known = ("transcode", "sample", "ocr", "segment_index", "clip_generate")
    assert lines == [
        ["job", "type", "queued", "processing", "done", "failed", "oldest"],
        ["transcode", "0", "0", "0", "0"],
        ["sample", "0", "0", "0", "0"],
        ["ocr", "12", "0", "0", "2", "1m", "15s"],
        ["segment_index", "0", "0", "0", "0"],
        ["clip_generate", "0", "0", "0", "0"],
        *([name, "0", "0", "0", "0"] for name in JOB_TYPES if name not in known),
        ["new", "0", "0", "1", "0"],  # a type that only the database knows
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"run_after": NOW + timedelta(minutes=5), "error": ERROR}, "in 5m 0s, Boom: it broke"),
        ({"run_after": NOW - timedelta(minutes=5)}, ""),
        ({"status": "processing", "progress": 0.42, "error": ERROR}, "42%"),
        ({"status": "processing", "progress": 0.42, "progress_message": "42 of 100"}, "42%, 42 of 100"),
        ({"status": "failed", "error": ERROR}, "Boom: it broke"),
        ({"status": "failed", "error": {"type": "Boom"}}, "Boom"),
        ({"status": "done", "progress": 1.0}, ""),
    ],
)
def test_what_matters_most_of_a_job_is_said_in_one_line(changes, said: str):
    assert job_details(replace(JOB, **changes), now=NOW) == said


def test_a_list_shows_ids_whole_and_obeys_no_stranger():
    odd = replace(JOB, status="failed", video_id=None, error={"type": "Boom", "message": "[red]x[/]\x1b[2J"})
    text = printed(jobs_table([JOB, odd], now=NOW))
    assert text.count(str(JOB.id)) == 2
    assert "12m 5s" in text
    assert "Boom: [red]x[/]\\x1b[2J" in text


def test_one_job_is_printed_whole():
    transitions = (
        *JOB.transitions,
        JobTransition("processing", NOW, "w1", None),
        JobTransition("failed", NOW, "w1", '{"type": "Boom", "message": "it \\u001b[2Jbroke"}'),
    )
    answer = WholeJobAnswer.of(replace(JOB, status="failed", error=ERROR, transitions=transitions))
    text = job_text(answer)
    assert "depends on     –" in text
    assert "2026-01-17T10:00:00.000Z  failed      w1  Boom: it \\x1b[2Jbroke" in text
    assert '  "retry_count": 3' in text
    assert f'  "video_id": "{JOB.video_id}"' in text
    assert "\nresult\n" not in text


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("lease expired", "lease expired"),
        (None, None),
        ('{"type": "Boom"}', "Boom"),
        ('{"a": 1}', '{"a": 1}'),
        ("[1]", "[1]"),
        ("7", "7"),
    ],
)
def test_notes_are_read_as_far_as_they_can_be(note: str | None, said: str | None):
    job = replace(JOB, transitions=(JobTransition("failed", NOW, "w1", note),))
    assert JobAnswer.of(job).history[0].note == said


def test_a_result_that_names_no_address_has_none():
    assert JobAnswer.of(replace(JOB, result={"result_s3_uri": 7})).result_s3_uri is None


def test_a_report_says_what_was_done_and_what_was_left():
    report = RetryReport(
        is_dry_run=False,
        retried=(RetriedJob(UUID(int=1), "ocr"), RetriedJob(UUID(int=2), "ocr"), RetriedJob(UUID(int=3), "sample")),
        skipped=(
            SkippedJob(UUID(int=4), "ocr", "done", None),
            SkippedJob(UUID(int=5), "ocr", "failed", UUID(int=1)),
        ),
        not_found=(UUID(int=6),),
        has_more=True,
    )
    assert retry_lines(report) == [
        "3 jobs queued again",
        "  ocr: 2",
        "  sample: 1",
        f"Skipped: {UUID(int=4)}: it is done, not failed",
        f"Skipped: {UUID(int=5)}: ocr job {UUID(int=1)} of the same video is active",
        "More jobs failed than --limit allows",
        f"Not found: {UUID(int=6)}",
    ]
    assert RetryAnswer.of(report).by_type == {"ocr": 2, "sample": 1}
    one = RetryReport(is_dry_run=True, retried=report.retried[:1])
    assert retry_lines(one)[0] == "1 job would be queued again"
