"""What a fleet has left in the database and at the mail server, and whether each thing is there exactly once."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from support.whole_fleet import Surroundings

STAGES = ("transcode", "sample", "ocr", "segment_index")
MOVES = ["CREATED", "UPLOADING", "UPLOADED", "PROCESSING", "SPLITTING", "PRINTING", "COMPLETED"]
TEMPLATES = 2
"""Emails of a video that goes well: when it is prepared, and when it is done."""


@dataclass(frozen=True, slots=True)
class Mails:
    different: int
    delivered_again: int
    """With the Message-ID of one before: a sender was killed or cut off between the server's yes and the mark (ADR 0014)."""


async def check_videos(around: Surroundings, videos: Collection[UUID], *, segments: bool = True) -> None:
    """Every video went along the moves once, by one done job of each stage, and nothing of it is there twice."""
    ids = list(videos)
    moves = await around.fetch(
        "SELECT video_id, array_agg(status::text ORDER BY move) AS moves FROM video_moves"
        " WHERE video_id = ANY ($1) GROUP BY video_id",
        ids,
    )
    assert {row["video_id"]: row["moves"] for row in moves} == dict.fromkeys(ids, MOVES)
    jobs = await around.fetch(
        "SELECT video_id, array_agg(job_type::text || ' ' || status::text ORDER BY job_type) AS jobs FROM jobs"
        " WHERE video_id = ANY ($1) GROUP BY video_id",
        ids,
    )
    expected = {f"{stage} done" for stage in STAGES}
    wrong = {row["video_id"]: row["jobs"] for row in jobs if Counter(row["jobs"]) != Counter(expected)}
    assert wrong == {}
    assert len(jobs) == len(ids)
    messages = await around.fetch(
        "SELECT data ->> 'videoId' AS video, array_agg(data ->> 'status' ORDER BY sequence) AS statuses"
        " FROM live_messages WHERE type = 'video.status' AND data ->> 'videoId' = ANY ($1) GROUP BY 1",
        [str(one) for one in ids],
    )
    assert {UUID(row["video"]): row["statuses"] for row in messages} == dict.fromkeys(ids, MOVES)
    if segments:
        found = await around.fetch(
            "SELECT video_id, array_agg(text || ' ' || t_start || ' ' || t_end ORDER BY t_start, text) AS segments FROM segments"
            " WHERE video_id = ANY ($1) GROUP BY video_id",
            ids,
        )
        assert len(found) == len(ids)
        assert len({tuple(row["segments"]) for row in found}) == 1, "one clip has been read in different ways"
        doubled = [row["video_id"] for row in found if len(set(row["segments"])) != len(row["segments"])]
        assert doubled == []


async def check_mails(around: Surroundings, videos: Collection[UUID]) -> Mails:
    """Every mail has reached the server; one that did so twice had a sender that could not mark it."""
    rows = await around.fetch(
        "SELECT provider_id, status::text, attempts, subject FROM mails WHERE video_id = ANY ($1)", list(videos)
    )
    assert len(rows) == TEMPLATES * len(videos)
    assert {row["status"] for row in rows} == {"sent"}
    received = Counter(str(mail["Message-ID"]) for mail in around.mails.received)
    attempts = {row["provider_id"]: row["attempts"] for row in rows}
    assert set(attempts) <= set(received), "a mail that is marked as sent has not arrived"
    unexplained = {name: count for name, count in received.items() if name in attempts and count > attempts[name]}
    assert unexplained == {}
    subjects = Counter(row["subject"] for row in rows)
    assert set(subjects.values()) == {1}
    return Mails(len(attempts), sum(received[name] - 1 for name in attempts))
