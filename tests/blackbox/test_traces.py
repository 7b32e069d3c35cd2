"""One upload in one trace: from POST /videos over jobs, bus and outbox to the mail, each role a process of its own."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from support.coded_clip import make_clip
from support.emulators import shared
from support.fleet import running_fleet
from support.mailing import mail_server
from support.postgres import DatabaseAddresses
from support.trace_collector import CollectedSpan, trace_collector
from support.waiting import until

ROLES = ("api", "work", "consume", "schedule")
STAGES = {"transcode", "sample", "ocr", "segment_index"}


def smtp(port: int) -> dict[str, str]:
    return {
        "SIGHTLINE_NOTIFICATIONS_CHANNEL": "smtp",
        "SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS": "videos@example.com",
        "SIGHTLINE_NOTIFICATIONS_SMTP_HOST": "127.0.0.1",
        "SIGHTLINE_NOTIFICATIONS_SMTP_PORT": str(port),
        "SIGHTLINE_NOTIFICATIONS_SMTP_TLS": "none",
    }


def aws() -> dict[str, str]:
    emulator = shared("ministack")
    return {
        "SIGHTLINE_BUS_BACKEND": "aws",
        "SIGHTLINE_BUS_ACCOUNT_ID": emulator.account_id,
        "SIGHTLINE_BUS_AWS_ENDPOINT": emulator.endpoint,
        "SIGHTLINE_BUS_AWS_ACCESS_KEY_ID": "test",
        "SIGHTLINE_BUS_AWS_SECRET_ACCESS_KEY": "test",
    }


def is_whole(trace: list[CollectedSpan]) -> bool:
    """Every stage is there, and every span that another one belongs to."""
    ids = {one.span_id for one in trace}
    return {one.attributes.get("job_type") for one in trace} >= STAGES and all(
        one.parent_id in ids for one in trace if one.parent_id
    )


@pytest.mark.time_limit(300)
@pytest.mark.req(1030)
@pytest.mark.parametrize("bus", ["postgres", "aws"])
async def test_an_upload_is_one_trace_from_its_first_request_to_the_mail(
    bus: str, fresh_database: DatabaseAddresses, tmp_path: Path
):
    clip = tmp_path / "clip.mp4"
    make_clip(clip, frames=15, fps=15)
    async with AsyncExitStack() as stack:
        collector = await stack.enter_async_context(trace_collector())
        mails = await stack.enter_async_context(mail_server())
        fleet = await stack.enter_async_context(running_fleet(fresh_database.url, tmp_path / "state"))
        more = smtp(mails.port) | (aws() if bus == "aws" else {})
        for role in ROLES:
            await fleet.role(role, **more, **collector.environment(role))
        await until(fleet.answers, within_s=60)
        await fleet.upload(clip, "clip.mp4")
        await until(lambda: len(mails.received) == 2, within_s=120)
        assert {mail["Subject"] for mail in mails.received} == {"Almost there: clip.mp4", "Done: clip.mp4"}

        def sent() -> list[str]:
            return [one.trace_id for one in collector.spans if one.name == "mail.send"]

        await until(lambda: len(sent()) == 2)
        (trace_id,) = set(sent())

        def trace_of_the_mails() -> list[CollectedSpan]:
            return [one for one in collector.spans if one.trace_id == trace_id]

        # A span is reported when it ends, so those around it come later.
        await until(lambda: is_whole(trace_of_the_mails()))
        trace = trace_of_the_mails()
    first = [one for one in trace if not one.parent_id]
    assert [(one.service, one.name, one.attributes.get("http.route")) for one in first] == [
        ("api", "http.request", "/videos")
    ]
    assert {one.service for one in trace} == {"api", "work", "consume"}
    assert {one.attributes["job_type"] for one in trace if one.name == "job.run"} == STAGES
    # The request that completed the upload has a trace of its own, which the continuation names.
    (completion,) = [one for one in trace if one.name == "upload.complete"]
    assert len(completion.linked_to) == 1
    assert completion.linked_to[0] != trace_id
